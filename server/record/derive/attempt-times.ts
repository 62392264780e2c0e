/**
 * Stretches of time in which attempts at exactly one feature were under way, whoever lists them; \`attempt_n\` where it was one attempt.
 * They do not overlap. Rests on attempts.
 */
export const ATTEMPT_TIMES = `
 WITH tries AS MATERIALIZED (
  SELECT feature_id, n, started_at_ms AS from_ms, ended_at_ms AS to_ms, dense_rank() OVER (ORDER BY feature_id) AS f, dense_rank() OVER (ORDER BY feature_id, n) AS a
  FROM attempts WHERE feature_id IS NOT NULL AND ended_at_ms > started_at_ms),
 steps AS (
  SELECT from_ms AS at_ms, 1 AS step, f, a FROM tries UNION ALL SELECT to_ms, -1, f, a FROM tries),
 moments AS (SELECT at_ms, sum(step) AS n, sum(step * f) AS f1, sum(step * f * f) AS f2, sum(step * a) AS a1, sum(step * a * a) AS a2 FROM steps GROUP BY at_ms),
 running AS (
  SELECT at_ms AS from_ms, lead(at_ms) OVER line AS to_ms, sum(n) OVER line AS n, sum(f1) OVER line AS f1, sum(f2) OVER line AS f2, sum(a1) OVER line AS a1, sum(a2) OVER line AS a2
  FROM moments WINDOW line AS (ORDER BY at_ms)),
 -- n numbers are all the same exactly when n times the sum of their squares is the square of their sum.
 single AS (SELECT *, n * a2 = a1 * a1 AS one_attempt FROM running WHERE n > 0 AND to_ms IS NOT NULL AND n * f2 = f1 * f1)
 SELECT s.from_ms, s.to_ms, t.feature_id, CASE WHEN s.one_attempt THEN u.n END AS attempt_n FROM single s
 JOIN (SELECT DISTINCT f, feature_id FROM tries) t ON t.f = s.f1 // s.n
 LEFT JOIN (SELECT DISTINCT a, n FROM tries) u ON s.one_attempt AND u.a = s.a1 // s.n`;

/** Times of the attempts at each feature, one after the other. Rests on attempts. */
export const FEATURE_ATTEMPTS = `
 SELECT feature_id, n AS attempt_n, from_ms, least(to_ms, lead(from_ms, 1, to_ms) OVER (PARTITION BY feature_id ORDER BY from_ms, n)) AS to_ms
 FROM (SELECT feature_id, n, min(started_at_ms) AS from_ms, max(ended_at_ms) AS to_ms FROM attempts
  WHERE feature_id IS NOT NULL AND ended_at_ms > started_at_ms GROUP BY feature_id, n)`;
