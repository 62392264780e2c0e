import { numberAt, textAt } from '../cells.ts';
import type { Rule } from './rule.ts';

/** Entries of a ledger that once passed and then no longer did, by the ledger's history. */
const REVOKED = `
 SELECT l.flip_id, l.run_id, l.feature_ref, l.ledger_path, l.commit_sha, l.source_id, l.source_line, f.feature_id, f.run_id AS feature_run
 FROM ledger_flips l LEFT JOIN features f ON ref_key(f.ext_id) = ref_key(l.feature_ref) AND (f.run_id = l.run_id OR l.run_id IS NULL)
 WHERE l.field = 'passes' AND lower(l.from_value) = 'true' AND lower(l.to_value) = 'false'
  -- A commit that starts a run anew takes nothing back.
  AND NOT EXISTS (FROM commits c WHERE c.sha = l.commit_sha AND regexp_matches(c.subject, '^clean slate\\b|\\breset all features\\b', 'i'))
 QUALIFY row_number() OVER (PARTITION BY l.flip_id ORDER BY f.run_id DESC NULLS LAST) = 1
 ORDER BY l.at_ms, l.flip_id`;

/** A claim taken back: something was said to pass that did not, or that broke later. */
export const passesRevoked: Rule = {
  id: 'passes_revoked',
  sentence: 'A ledger says of an entry that it passes, and later that it does not.',
  find: async (query) =>
    (await query(REVOKED)).map((row) => {
      const flip = textAt(row, 'flip_id');
      const commit = textAt(row, 'commit_sha')?.slice(0, 7);
      return {
        id: `passes_revoked.${flip}`,
        runId: textAt(row, 'feature_run') ?? textAt(row, 'run_id'),
        featureId: textAt(row, 'feature_id'),
        severity: 'warning' as const,
        fact: 'status',
        says: `${textAt(row, 'ledger_path')} said that ${textAt(row, 'feature_ref')} passes and took it back${commit ? ` in ${commit}` : ''}`,
        rows: [{ sourceId: textAt(row, 'source_id') ?? '', line: numberAt(row, 'source_line'), ref: flip }],
      };
    }),
};
