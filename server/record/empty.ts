import type { RecordProfile } from './store.ts';

/**
 * Whether there is nothing in a record to answer about: no source was found. Where there are sources, even such that
 * nothing in them could be used, it can be said what was found in them.
 */
export const isEmptyRecord = ({ features, sources }: Pick<RecordProfile, 'features' | 'sources'>): boolean =>
  features.length === 0 && sources.length === 0;
