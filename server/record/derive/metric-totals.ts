/** What makes the points of one stream of a metric. */
const STREAM = 'session_id, name, unit, model, attributes, temporality';

/**
 * What the points of each metric come to, a row a stream of points: deltas are added; of running totals what was added since the
 * point before, from nothing where another start is named or the total fell (the sender began again). A point that was sent twice
 * counts once; gauges, and points that do not say which of both they are, come to no total. For reconciliation only: nothing of
 * this is ever added to what is counted. Rests on metric_points.
 */
export const METRIC_TOTALS = `
 WITH once AS (
  SELECT ${STREAM}, start_ms, at_ms, value, min(source_id) AS source_id, arg_min(source_line, source_id) AS source_line FROM metric_points
  WHERE value IS NOT NULL AND temporality IN ('delta', 'cumulative') GROUP BY ${STREAM}, start_ms, at_ms, value),
 steps AS (
  SELECT *, lag(value) OVER (PARTITION BY ${STREAM}, start_ms ORDER BY at_ms, source_line) AS before FROM once)
 SELECT ${STREAM}, sum(CASE WHEN temporality = 'delta' OR before IS NULL OR value < before THEN value ELSE value - before END) AS total,
  count(*) AS points, min(source_id) AS source_id, arg_min(source_line, source_id) AS source_line
 FROM steps GROUP BY ${STREAM}`;
