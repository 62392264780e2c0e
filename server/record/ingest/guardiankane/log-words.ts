/**
 * What follows from the whole log about a task, as words of the log.
 * Attempts: rounds that came to a verdict on the task. A round that was cut off by the verifier's own trouble, or by another start, is
 * listed among the attempts and not counted: the harness charges it to nobody either.
 */
const ATTEMPTS = `
 SELECT max(source_id) || '.' || feature_id || '.attempts' AS observation_id, any_value(run_id) AS run_id, feature_id, 'attempts' AS fact,
  CAST(count(*) FILTER (verdict IN ('pass', 'block') OR (verdict = 'error' AND attribution = 'verifier')) AS DOUBLE) AS value,
  CAST(NULL AS TEXT) AS text_value, 'measured' AS basis,
  count(*) || CASE WHEN count(*) = 1 THEN ' round started, ' ELSE ' rounds started, ' END
   || count(*) FILTER (verdict IN ('pass', 'block') OR (verdict = 'error' AND attribution = 'verifier')) || ' came to a verdict' AS how,
  max(source_id) AS source_id, 'activity_log' AS source_kind, min(source_line) AS source_line
 FROM attempts WHERE source_kind = 'activity_log' GROUP BY feature_id`;

/** Gates that ended a round without a pass, whoever was at fault. */
const GATE_FAILURES = `
 SELECT max(source_id) || '.' || feature_id || '.gate_failures' AS observation_id, any_value(run_id) AS run_id, feature_id, 'gate_failures' AS fact,
  CAST(count(*) FILTER (verdict IN ('block', 'error', 'timeout')) AS DOUBLE) AS value, CAST(NULL AS TEXT) AS text_value, 'measured' AS basis,
  count(*) FILTER (verdict IN ('block', 'error', 'timeout') AND attribution IN ('verifier', 'infra')) || ' of them the verifier''s own' AS how,
  max(source_id) AS source_id, 'activity_log' AS source_kind,
  arg_min(source_line, source_line) FILTER (verdict IN ('block', 'error', 'timeout')) AS source_line
 FROM gate_events WHERE source_kind = 'activity_log' AND feature_id IS NOT NULL GROUP BY feature_id`;

/** The last line of a task that changes its state says what it is. */
const STATUS = `
 SELECT max(source_id) || '.' || feature_id || '.status' AS observation_id, any_value(run_id) AS run_id, feature_id, 'status' AS fact,
  CAST(NULL AS DOUBLE) AS value, arg_max(state, source_line) AS text_value, 'measured' AS basis, 'last line that changes the state' AS how,
  max(source_id) AS source_id, 'activity_log' AS source_kind, max(source_line) AS source_line
 FROM (SELECT *, CASE WHEN kind IN ('sweep_pass', 'no_sweep', 'manual_ok') THEN 'accepted' WHEN kind IN ('blocked', 'tampering') THEN 'blocked'
   WHEN kind IN ('test_start', 'sweep_start', 'stale', 'manual_wait') THEN 'in_progress' END AS state
  FROM log_events WHERE source_kind = 'activity_log' AND feature_id IS NOT NULL) WHERE state IS NOT NULL GROUP BY feature_id`;

/** When the task was accepted, where that is its state. */
const COMPLETED = `
 SELECT source_id || '.' || feature_id || '.completed_at' AS observation_id, run_id, feature_id, 'completed_at' AS fact,
  CAST(at_ms AS DOUBLE) AS value, CAST(NULL AS TEXT) AS text_value, 'measured' AS basis, 'time of the line that accepts it' AS how,
  source_id, source_kind, source_line
 FROM (SELECT * FROM log_events WHERE source_kind = 'activity_log' AND feature_id IS NOT NULL
   AND kind IN ('sweep_pass', 'no_sweep', 'manual_ok', 'blocked', 'tampering', 'test_start', 'sweep_start', 'stale', 'manual_wait')
  QUALIFY row_number() OVER (PARTITION BY feature_id ORDER BY source_line DESC) = 1)
 WHERE kind IN ('sweep_pass', 'no_sweep', 'manual_ok') AND at_ms IS NOT NULL`;

export const LOG_WORDS: readonly string[] = [ATTEMPTS, GATE_FAILURES, STATUS, COMPLETED];
