import { textAt } from '../cells.ts';
import type { Rule } from './rule.ts';

/** What failed stands in `meta` under such a key, as a sentence for people. */
export const FAILED_KEY = 'failed.';

/**
 * What is missing from the record because checking or deriving it failed. That is a fault of this program or more than it has
 * room for, never one of the run; what is missing must not look as if nothing had been found.
 */
export const notChecked: Rule = {
  id: 'not_checked',
  sentence: 'A rule could not be checked, or a part of the record could not be derived.',
  find: async (query) =>
    (await query('SELECT key, value FROM meta WHERE starts_with(key, $1) ORDER BY key', [FAILED_KEY])).map(
      (row) => ({
        id: `not_checked.${(textAt(row, 'key') ?? '').slice(FAILED_KEY.length)}`,
        runId: null,
        featureId: null,
        severity: 'error',
        fact: null,
        says: textAt(row, 'value') ?? '',
        rows: [],
      }),
    ),
};
