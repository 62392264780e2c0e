import type { RecordProfile } from './store.ts';

/**
 * Whether there is nothing in a record to answer about: no features of a run. The record of Looplight's own answers has none
 * by nature, and is empty without an answer.
 */
export const isEmptyRecord = ({ features, sources }: Pick<RecordProfile, 'features' | 'sources'>): boolean =>
  features.length === 0 && !sources.some(({ kind }) => kind === 'own_answers');
