import { numberAt, textAt } from '../cells.ts';
import { dollars, MOST_MONEY } from './money-calls.ts';
import { placeOf } from './place.ts';
import type { Rule } from './rule.ts';

/**
 * A harness's own total of a session beside the calls that count of it and of the sessions below it. Only where it gives one total (a
 * session that was resumed has several, each of its own part) and every call has a price.
 */
const TOTALS = `
 WITH given AS (
  SELECT session_id, any_value(cost_uusd) AS reported, any_value(source_id) AS source_id, any_value(source_line) AS source_line, any_value(total_id) AS ref
  FROM reported_totals WHERE scope = 'tree' AND cost_uusd IS NOT NULL AND session_id IS NOT NULL AND model IS NULL GROUP BY session_id HAVING count(*) = 1),
 calls AS (
  SELECT coalesce(s.parent_session_id, q.session_id) AS session_id, q.cost_uusd FROM llm_requests q
  LEFT JOIN (SELECT session_id, min(parent_session_id) AS parent_session_id FROM sessions_told GROUP BY session_id) s ON s.session_id = q.session_id),
 counted AS (
  SELECT session_id, CAST(sum(cost_uusd) AS BIGINT) AS cost_uusd FROM calls GROUP BY session_id HAVING count(*) = count(cost_uusd))
 SELECT g.*, c.cost_uusd AS added FROM given g JOIN counted c USING (session_id)
 WHERE abs(g.reported - c.cost_uusd) > 10000 AND abs(g.reported - c.cost_uusd) > 0.01 * greatest(g.reported, c.cost_uusd)
 ORDER BY abs(g.reported - c.cost_uusd) DESC, g.session_id LIMIT ${MOST_MONEY}`;

/** A harness's total says what the calls add up to, or something is missing in the one or the other. */
export const sessionTotalDiffers: Rule = {
  id: 'session_total_differs',
  sentence: 'The cost a harness gives for a session is not what its model calls add up to.',
  find: async (query) =>
    (await query(TOTALS)).map((row) => ({
      id: `session_total_differs.${textAt(row, 'session_id')}`,
      runId: null,
      featureId: null,
      severity: 'warning' as const,
      fact: null,
      says: `The harness gives ${dollars(numberAt(row, 'reported') ?? 0)} for session ${textAt(row, 'session_id')}, its model calls add up to ${dollars(numberAt(row, 'added') ?? 0)}; the calls count`,
      rows: [placeOf(row)],
    })),
};
