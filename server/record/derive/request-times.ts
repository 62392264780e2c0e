import { FIRST_WORDS } from './request-rows.ts';

/**
 * What follows from the time of a counted call alone, by the rowid of its first word in llm_requests_told: the feature and attempt
 * under way then, where nothing better ties it to one, and the run whose time holds it, where nothing tells its run. Calls of which
 * neither follows are not here. Rests on llm_requests_told, request_rows, session_work, attempt_times, run_times, runs.
 */
export const REQUEST_TIMES = `
 WITH calls AS (
  SELECT t.rowid AS row, t.session_id, t.run_id, t.feature_id, coalesce(t.started_at_ms, t.ended_at_ms) AS at_ms FROM llm_requests_told t WHERE ${FIRST_WORDS}),
 -- Only what lies in the time of any attempt or run is looked up there: joins over times alone have to sort.
 candidates AS (
  SELECT * FROM calls WHERE feature_id IS NULL AND (
   (at_ms >= (SELECT min(from_ms) FROM attempt_times) AND at_ms < (SELECT max(to_ms) FROM attempt_times))
   OR (run_id IS NULL AND (SELECT count(*) FROM runs) > 1 AND at_ms >= (SELECT min(from_ms) FROM run_times) AND at_ms < (SELECT max(to_ms) FROM run_times)))),
 untied AS MATERIALIZED (
  SELECT c.row, c.at_ms, c.run_id FROM candidates c LEFT JOIN session_work w ON w.session_id = c.session_id AND c.at_ms >= w.from_ms AND c.at_ms < w.to_ms
  WHERE w.feature_id IS NULL),
 tried AS (SELECT u.row, a.feature_id, a.attempt_n FROM untied u JOIN attempt_times a ON u.at_ms >= a.from_ms AND u.at_ms < a.to_ms),
 timed AS (
  SELECT u.row, r.run_id FROM untied u JOIN run_times r ON u.at_ms >= r.from_ms AND u.at_ms < r.to_ms WHERE u.run_id IS NULL)
 SELECT coalesce(t.row, r.row) AS row, t.feature_id, t.attempt_n, r.run_id FROM tried t FULL JOIN timed r ON r.row = t.row`;
