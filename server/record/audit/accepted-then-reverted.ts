import { numberAt, textAt } from '../cells.ts';
import type { Row } from '../store.ts';
import type { Finding, Rule } from './rule.ts';

/** Commits of the harness's run that take others back, with what they take back; the newest first. */
const REVERTS = `
 SELECT sha, reverts_sha, source_id, source_line FROM commits WHERE reverts_sha IS NOT NULL
 ORDER BY at_ms DESC NULLS LAST, source_line DESC`;

/** The last commit that handed a feature in, for features that count as accepted. */
const ACCEPTING = `
 SELECT c.sha, c.source_id, c.source_line, f.run_id, f.feature_id, f.ext_id, o.observation_id, o.source_id AS told_id, o.source_line AS told_line
 FROM commits c JOIN features f ON f.feature_id = c.feature_id JOIN counted o ON o.feature_id = f.feature_id AND o.fact = 'status' AND o.text_value = 'accepted'
 WHERE c.kind = 'accept'
 QUALIFY row_number() OVER (PARTITION BY f.feature_id ORDER BY c.at_ms DESC NULLS LAST, c.source_line DESC) = 1
 ORDER BY f.run_id, f.ord`;

/** Short enough to type, long enough not to be two commits. */
const SHORT = 7;
const names = (told: string, sha: string): boolean => told.length >= SHORT && sha.startsWith(told);

/**
 * Reverts that hold, by the commit they take back: one that was itself taken back does not.
 * @param reverts newest first, so that whether a revert holds is known before the ones it could take back are asked
 */
export function standingReverts(reverts: readonly Row[]): { target: string; row: Row }[] {
  const standing: { target: string; row: Row }[] = [];
  for (const row of reverts) {
    const sha = textAt(row, 'sha') ?? '';
    const target = textAt(row, 'reverts_sha') ?? '';
    if (!standing.some((later) => names(later.target, sha))) standing.push({ target, row });
  }
  return standing;
}

const rowOf = (
  row: Row,
  ref: string | null,
  source = 'source_id',
  line = 'source_line',
): Finding['rows'][number] => ({
  sourceId: textAt(row, source) ?? '',
  line: numberAt(row, line),
  ref,
});

/** Work that counts as accepted and is not in the code any more. */
export const acceptedThenReverted: Rule = {
  id: 'accepted_then_reverted',
  sentence: 'A feature counts as accepted, but the commit that handed it in was reverted.',
  find: async (query) => {
    const standing = standingReverts(await query(REVERTS));
    if (standing.length === 0) return [];
    return (await query(ACCEPTING)).flatMap((row) => {
      const sha = textAt(row, 'sha') ?? '';
      const revert = standing.find(({ target }) => names(target, sha))?.row;
      if (!revert) return [];
      const by = (textAt(revert, 'sha') ?? '').slice(0, SHORT);
      return [
        {
          id: `accepted_then_reverted.${textAt(row, 'feature_id')}`,
          runId: textAt(row, 'run_id'),
          featureId: textAt(row, 'feature_id'),
          severity: 'error' as const,
          fact: 'status',
          says: `Feature ${textAt(row, 'ext_id')} counts as accepted, but its commit ${sha.slice(0, SHORT)} was reverted by ${by}`,
          rows: [
            rowOf(row, sha),
            rowOf(revert, textAt(revert, 'sha')),
            rowOf(row, textAt(row, 'observation_id'), 'told_id', 'told_line'),
          ],
        },
      ];
    });
  },
};
