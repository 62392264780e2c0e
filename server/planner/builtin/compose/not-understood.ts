import { CODES } from '../../../../shared/codes.ts';
import { button, plainTitle } from '../plan-builder.ts';
import { QUESTIONS, suggestions } from '../questions.ts';
import { tokenize } from '../tokens.ts';
import { type Compose, start } from './context.ts';

/** Says plainly that a question was not understood, what was, and what can be asked. */
export const composeNotUnderstood: Compose = (context) => {
  const { reading, profile } = context;
  const plan = start(context, { scope: [] });
  const { title, says } = CODES.not_understood;
  const known = reading.understood
    .map(plainTitle)
    .filter(
      (word) => word !== '' && !tokenize(word).some(({ number }) => number !== null) && !/\d/.test(word),
    );
  const body = [
    says,
    ...(known.length > 0 ? [`Recognised: ${known.join(', ')}.`] : []),
    'The built-in planner answers questions about features by number or title, and about build time, score, attempts, lines, categories, commits and whether the sources agree.',
  ];
  const questions = [...suggestions(profile), QUESTIONS.overview, QUESTIONS.slowest, QUESTIONS.sources];
  plan.explain(says);
  plan.note(title, body, [
    button('How did the run go?', QUESTIONS.overview),
    button('Do the sources agree?', QUESTIONS.sources),
  ]);
  return plan.ask(...questions);
};
