import { numberAt, textAt } from '../cells.ts';
import { namedTogether } from './commit-refs.ts';
import type { Rule } from './rule.ts';

/**
 * Accepted features that no commit names, in runs in which commits name most of the accepted ones. Where a log or a list leaves
 * commits out (it is cut, or squashed), most features are without one, and nothing follows.
 */
const UNNAMED = `
 WITH accepted AS (
  SELECT f.run_id, f.feature_id, f.ext_id, f.ord, o.observation_id, o.source_id, o.source_line, r.seq,
   EXISTS (FROM commits c WHERE c.feature_id = f.feature_id) AS named
  FROM features f JOIN runs r ON r.run_id = f.run_id
  JOIN counted o ON o.feature_id = f.feature_id AND o.fact = 'status' AND o.text_value = 'accepted')
 SELECT a.*, k.named AS with_commit, k.accepted FROM accepted a
 JOIN (SELECT run_id, count(*) FILTER (named) AS named, count(*) AS accepted FROM accepted GROUP BY run_id) k ON k.run_id = a.run_id
 WHERE NOT a.named AND 2 * k.named > k.accepted
 ORDER BY a.seq, a.ord`;

/** Work that is said to be accepted, and of which git knows nothing. */
export const acceptedWithoutCommit: Rule = {
  id: 'accepted_without_commit',
  sentence: 'A feature counts as accepted, but no commit names it, though commits name the others.',
  find: async (query) => {
    const together = await namedTogether(query);
    const unnamed = (await query(UNNAMED)).filter(
      (row) => !together(textAt(row, 'run_id'), textAt(row, 'ext_id')),
    );
    return unnamed.map((row) => ({
      id: `accepted_without_commit.${textAt(row, 'feature_id')}`,
      runId: textAt(row, 'run_id'),
      featureId: textAt(row, 'feature_id'),
      severity: 'warning' as const,
      fact: 'status',
      says: `Feature ${textAt(row, 'ext_id')} counts as accepted, but no commit names it; commits name ${numberAt(row, 'with_commit')} of the ${numberAt(row, 'accepted')} accepted features`,
      rows: [
        {
          sourceId: textAt(row, 'source_id') ?? '',
          line: numberAt(row, 'source_line'),
          ref: textAt(row, 'observation_id'),
        },
      ],
    }));
  },
};
