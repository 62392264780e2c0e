import { LIMITS } from '../../../shared/limits.ts';
import { textAt } from '../cells.ts';
import { refsIn } from '../ingest/ralph/refs.ts';
import type { AuditQuery } from './rule.ts';

/**
 * Subjects that name two stories or more, with each run they can be about: a commit row is linked to one feature at most, and
 * belongs to no run when it names several. Commits from before a run are about other stories of the same names.
 */
const SEVERAL = `
 SELECT r.run_id, c.subject FROM commits c JOIN runs r ON coalesce(c.run_id, r.run_id) = r.run_id AND coalesce(c.at_ms >= r.started_at_ms, TRUE)
 WHERE regexp_matches(c.subject, '[A-Z]-[0-9]+.*[A-Z]-[0-9]+') ORDER BY c.at_ms, c.sha LIMIT ${LIMITS.queryRows}`;

const keyOf = (run: string | null, ref: string | null): string => `${run} ${ref}`;

/**
 * Stories that commits name together with others: "US-009 through US-012" is about four.
 * @returns whether a run's commits name a story in such a way
 */
export async function namedTogether(
  query: AuditQuery,
): Promise<(run: string | null, ref: string | null) => boolean> {
  const named = new Set<string>();
  for (const row of await query(SEVERAL)) {
    for (const ref of refsIn(textAt(row, 'subject') ?? '')) named.add(keyOf(textAt(row, 'run_id'), ref));
  }
  return (run, ref) => named.has(keyOf(run, ref));
}
