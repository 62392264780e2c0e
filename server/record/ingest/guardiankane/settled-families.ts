/** From this confidence on the triage is evidence of whose fault a failure was; below it, only its word is kept. */
const SURE = 0.5;
/** The memories note a failure within this time after the line of the log. */
const MS = 2_000;
/** How familyFault words its basis: only what was put there by these statements is taken back. */
const OURS = "attribution_basis LIKE 'The verifier''s own triage calls it %'";

/** Failures of the log, each with the family that was told for its task at its moment; of several, the one closest to its end. */
const TOLD = `
 SELECT g.gate_event_id, arg_min(e.family, e.rank) AS family, arg_min(e.confidence, e.rank) AS confidence,
  arg_min(e.attribution, e.rank) AS attribution, arg_min(e.basis, e.rank) AS basis FROM (
  SELECT g.gate_event_id, regexp_extract(e.data, '"family":"([^"]*)"', 1) AS family,
   try_cast(regexp_extract(e.data, '"confidence":([0-9.]+)', 1) AS DOUBLE) AS confidence,
   regexp_extract(e.data, '"attribution":"([^"]*)"', 1) AS attribution,
   regexp_extract(e.data, '"attribution_basis":"([^"]*)"', 1) AS basis,
   {'apart': abs(e.at_ms - g.ended_at_ms), 'id': e.event_id} AS rank
  FROM gate_events g JOIN log_events e ON e.kind = 'failure_family' AND e.feature_id = g.feature_id
   AND e.at_ms BETWEEN coalesce(g.started_at_ms, g.ended_at_ms - ${MS}) AND g.ended_at_ms + ${MS}
  WHERE g.source_kind = 'activity_log' AND g.verdict IN ('block', 'error')) e JOIN gate_events g USING (gate_event_id)
 GROUP BY g.gate_event_id`;

/**
 * Puts the family of a failure and its confidence beside the failure: the log tells that something failed, the memories and
 * results what kind of failure it was. Where the log alone gave no evidence of whose fault it was, a triage that is sure does.
 */
export const SETTLED_FAMILIES: readonly string[] = [
  "UPDATE gate_events SET family = NULL, confidence = NULL WHERE source_kind = 'activity_log' AND family IS NOT NULL",
  `UPDATE gate_events SET attribution = 'unknown', attribution_basis = NULL WHERE source_kind = 'activity_log' AND ${OURS}`,
  `UPDATE attempts SET attribution = 'unknown', attribution_basis = NULL WHERE source_kind = 'activity_log' AND ${OURS}`,
  `UPDATE gate_events SET family = t.family, confidence = t.confidence FROM (${TOLD}) t WHERE gate_events.gate_event_id = t.gate_event_id`,
  `UPDATE gate_events SET attribution = t.attribution, attribution_basis = t.basis FROM (${TOLD}) t
   WHERE gate_events.gate_event_id = t.gate_event_id AND gate_events.attribution = 'unknown' AND t.attribution <> 'unknown' AND t.confidence >= ${SURE}`,
  `UPDATE attempts SET attribution = g.attribution, attribution_basis = g.attribution_basis FROM gate_events g
   WHERE g.source_kind = 'activity_log' AND attempts.source_kind = 'activity_log' AND attempts.source_id = g.source_id AND attempts.feature_id = g.feature_id
    AND attempts.n = g.attempt_n AND attempts.attribution = 'unknown' AND attempts.verdict = g.verdict AND g.${OURS}`,
];
