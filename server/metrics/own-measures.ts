import type { Aggregate, Measure } from './measures.ts';

/** Measures of Looplight's own answers: what they took, and what became of their cards. */

export type OwnColumn = 'first_card' | 'took' | 'tokens' | 'cards' | 'dropped' | 'repaired' | 'unverified';
export type OwnFilter = 'own_failed' | 'own_reused';

type Given = Pick<Measure, 'id' | 'label' | 'meaning'> & Partial<Pick<Measure, 'good' | 'synonyms'>>;

const count = (filter: 'all' | OwnFilter, given: Given): Measure => ({
  good: null,
  synonyms: [],
  ...given,
  unit: 'answers',
  aggregate: 'count',
  base: 'own_answer',
  fact: null,
  filter,
  additive: true,
});
const number = (column: OwnColumn, unit: Measure['unit'], aggregate: Aggregate, given: Given): Measure => ({
  good: 'down',
  synonyms: [],
  ...given,
  unit,
  aggregate,
  base: 'own_answer',
  fact: null,
  column,
  filter: null,
  additive: aggregate === 'sum',
});

export const OWN_MEASURES: readonly Measure[] = [
  count('all', { id: 'own_answers', label: 'answers', meaning: 'number of kept answers' }),
  count('own_failed', {
    id: 'own_failed_answers',
    label: 'answers that did not end well',
    meaning: 'number of kept answers that were stopped, cut short or could not be given',
    good: 'down',
  }),
  count('own_reused', {
    id: 'own_reused_answers',
    label: 'answers with a kept plan',
    meaning: 'number of kept answers made with a plan that was kept, without asking a planner',
  }),
  number('first_card', 's', 'median', {
    id: 'own_first_card',
    label: 'time to the first card',
    meaning: 'median of seconds from the question to the first card',
  }),
  number('first_card', 's', 'max', {
    id: 'own_longest_first_card',
    label: 'longest time to the first card',
    meaning: 'most seconds from a question to its first card',
  }),
  number('took', 's', 'median', {
    id: 'own_answer_time',
    label: 'time of an answer',
    meaning: 'median of seconds from the question to the end of the check',
  }),
  number('took', 's', 'max', {
    id: 'own_longest_answer',
    label: 'longest answer',
    meaning: 'most seconds from a question to the end of the check',
  }),
  number('tokens', 'tokens', 'sum', {
    id: 'own_tokens',
    label: 'tokens',
    meaning: 'sum of tokens read and written for plans, as the model server counts them',
  }),
  number('cards', 'cards', 'sum', {
    id: 'own_cards',
    label: 'cards',
    meaning: 'sum of cards at the end of answers',
    good: null,
  }),
  number('dropped', 'cards', 'sum', {
    id: 'own_dropped_cards',
    label: 'dropped cards',
    meaning: 'sum of cards left out: what the planner wrote could not be read, drawn or borne out',
  }),
  number('repaired', 'cards', 'sum', {
    id: 'own_repaired_cards',
    label: 'repaired cards',
    meaning: 'sum of cards that were trimmed to fit, or put right by the check',
  }),
  number('unverified', 'cards', 'sum', {
    id: 'own_unverified_cards',
    label: 'unverified cards',
    meaning: 'sum of cards the check could not bear out',
  }),
];
