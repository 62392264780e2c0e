import type { NamedPlanner } from '../answer/types.ts';
import { figure, PlanBuilder } from '../planner/builtin/plan-builder.ts';
import type { RecordProfile, Store } from '../record/store.ts';
import { OWN_QUESTIONS, plainWords } from './questions.ts';

/** Plans answers about Looplight's own answers: without a model, by the words of the question. Pure but for the title. */

const TITLE = "Looplight's own answers";
/** Said once: these figures and those of a run never meet. */
const APART = 'These are the answers Looplight itself kept. Nothing here is part of a run.';

interface Topic {
  words: RegExp;
  plan(builder: PlanBuilder): void;
}

const speed = (builder: PlanBuilder): void => {
  builder.fact('first', { measure: 'own_first_card' });
  builder.fact('longest_first', { measure: 'own_longest_first_card' });
  builder.fact('took', { measure: 'own_answer_time' });
  builder.fact('longest', { measure: 'own_longest_answer' });
  builder.explain('Half of the answers had their first card within {first}, and were checked within {took}.');
  builder.stat('How long answers take', [
    figure('To the first card', 'first', { caption: 'median' }),
    figure('Longest to the first card', 'longest_first'),
    figure('To the end of the check', 'took', { caption: 'median' }),
    figure('Longest answer', 'longest'),
  ]);
};

const TOPICS: readonly Topic[] = [
  {
    words: /\bfirst card\b/,
    plan(builder) {
      speed(builder);
      builder.chart({
        title: 'Time to the first card, the slowest answers',
        of: ['own_longest_first_card'],
        by: 'own_answer',
        order: 'largest',
        size: 'some',
      });
      builder.chart({
        title: 'Time to the first card by planner',
        of: ['own_first_card'],
        by: 'own_planner',
      });
    },
  },
  {
    words: /\btokens?\b/,
    plan(builder) {
      builder.fact('tokens', { measure: 'own_tokens' });
      builder.fact('answers', { measure: 'own_answers' });
      builder.explain('Plans took {tokens}, as far as a model server counted them.');
      builder.stat('Tokens of plans', [
        figure('Tokens', 'tokens', { caption: 'read and written' }),
        figure('Answers', 'answers'),
      ]);
      builder.chart({
        title: 'Answers that took the most tokens',
        of: ['own_tokens'],
        by: 'own_answer',
        order: 'largest',
        size: 'some',
      });
      builder.chart({ title: 'Tokens by planner', of: ['own_tokens'], by: 'own_planner' });
    },
  },
  {
    words: /\b(?:dropped|left out|repaired|repairs?|trimmed|corrected|unverified|verified|verdicts?)\b/,
    plan(builder) {
      builder.fact('cards', { measure: 'own_cards' });
      builder.fact('dropped', { measure: 'own_dropped_cards' });
      builder.fact('repaired', { measure: 'own_repaired_cards' });
      builder.fact('unverified', { measure: 'own_unverified_cards' });
      builder.explain('{dropped} were dropped and {repaired} repaired; {cards} are on the page.');
      builder.stat('What became of the cards', [
        figure('Cards', 'cards', { caption: 'at the end of answers' }),
        figure('Dropped', 'dropped'),
        figure('Repaired', 'repaired', { caption: 'trimmed or corrected' }),
        figure('Unverified', 'unverified'),
      ]);
      builder.chart({
        title: 'Answers with dropped cards',
        of: ['own_dropped_cards'],
        by: 'own_answer',
        order: 'largest',
        size: 'few',
      });
      builder.chart({
        title: 'Dropped and repaired cards by planner',
        of: ['own_dropped_cards', 'own_repaired_cards'],
        by: 'own_planner',
      });
    },
  },
  {
    words: /\b(?:long|longest|slow|slowest|fast|fastest|quick|quickest|time|took|take)\b/,
    plan(builder) {
      speed(builder);
      builder.chart({
        title: 'The answers that took longest',
        of: ['own_longest_answer'],
        by: 'own_answer',
        order: 'largest',
        size: 'some',
      });
      builder.chart({ title: 'Time of an answer by planner', of: ['own_answer_time'], by: 'own_planner' });
    },
  },
  {
    words: /\b(?:failed|fail|stopped|errors?|ended|end)\b/,
    plan(builder) {
      builder.fact('answers', { measure: 'own_answers' });
      builder.fact('failed', { measure: 'own_failed_answers' });
      builder.explain('Of {answers}, {failed} did not end well.');
      builder.stat('How answers ended', [figure('Answers', 'answers'), figure('Did not end well', 'failed')]);
      builder.chart({ title: 'Answers by their end', of: ['own_answers'], by: 'own_end' });
    },
  },
];

function overview(builder: PlanBuilder): void {
  builder.fact('answers', { measure: 'own_answers' });
  builder.fact('first', { measure: 'own_first_card' });
  builder.fact('dropped', { measure: 'own_dropped_cards' });
  builder.fact('reused', { measure: 'own_reused_answers' });
  builder.stat(TITLE, [
    figure('Answers', 'answers', { caption: 'that are kept' }),
    figure('To the first card', 'first', { caption: 'median' }),
    figure('Dropped cards', 'dropped'),
    figure('With a kept plan', 'reused'),
  ]);
  builder.chart({
    title: 'The answers that took longest',
    of: ['own_longest_answer'],
    by: 'own_answer',
    order: 'largest',
    size: 'some',
  });
  builder.chart({ title: 'Answers by planner', of: ['own_answers'], by: 'own_planner' });
  builder.chart({ title: 'Answers by their end', of: ['own_answers'], by: 'own_end' });
}

/** The plan for a question about own answers, or for their starting view. */
export function ownPlan(profile: RecordProfile, question: string | null): string {
  const builder = new PlanBuilder(profile, question ?? '');
  const words = plainWords(question ?? '');
  builder.explain(APART);
  const topic = question === null ? undefined : TOPICS.find((one) => one.words.test(words));
  if (topic === undefined) overview(builder);
  else topic.plan(builder);
  return JSON.stringify(builder.ask(...OWN_QUESTIONS).build());
}

/** Plans what is asked about own answers. */
export const ownPlanner: NamedPlanner = {
  kind: 'builtin',
  name: 'Built-in planner',
  model: null,
  plan: async function* ({ profile, question }) {
    yield ownPlan(profile, question);
  },
};

/** Plans the starting view of own answers. */
export const ownStart: NamedPlanner = {
  ...ownPlanner,
  name: 'Starting view',
  plan: async function* ({ profile }) {
    yield ownPlan(profile, null);
  },
};

/** "31 answers are kept." Throws QueryError when the record fails. */
export async function ownTitle(_profile: RecordProfile, store: Store): Promise<string> {
  const { rows } = await store.query('SELECT count(*) AS n FROM own_answers');
  const n = rows[0]?.n;
  return n === 1 ? '1 answer is kept.' : `${typeof n === 'number' ? n : 0} answers are kept.`;
}
