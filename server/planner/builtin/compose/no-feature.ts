import { button, figure } from '../plan-builder.ts';
import { QUESTIONS } from '../questions.ts';
import { type Compose, start } from './context.ts';

/** Says that a feature the question names is not there, and what is. */
export const composeNoFeature: Compose = (context) => {
  const named = context.reading.missing.slice(0, 3).join(', ');
  const plan = start(context, { scope: [] });
  plan.fact('all', { measure: 'features' });
  plan.explain('The record has no feature by that number; it has {all}.');
  plan.note(
    `There is no feature ${named}`,
    ['The list of features has none by that number. It has {all}.'],
    [button('List all features', QUESTIONS.table)],
  );
  plan.stat('What is there', [figure('Features', 'all')]);
  return plan.ask(QUESTIONS.table, QUESTIONS.overview, QUESTIONS.slowest);
};
