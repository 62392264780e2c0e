/** Stretches of time with the run that is to be asked about then: of several at once the last. Rests on runs. */
export const RUN_TIMES = `
 WITH marks AS (SELECT started_at_ms AS at_ms FROM runs WHERE ended_at_ms >= started_at_ms UNION SELECT ended_at_ms + 1 FROM runs WHERE ended_at_ms >= started_at_ms),
 spans AS (SELECT at_ms AS from_ms, lead(at_ms) OVER (ORDER BY at_ms) AS to_ms FROM marks)
 SELECT s.from_ms, s.to_ms, arg_max(r.run_id, r.seq) AS run_id FROM spans s JOIN runs r ON r.started_at_ms <= s.from_ms AND r.ended_at_ms >= s.from_ms
 WHERE s.to_ms IS NOT NULL GROUP BY s.from_ms, s.to_ms`;
