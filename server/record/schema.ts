import { ATTEMPT_TIMES, FEATURE_ATTEMPTS } from './derive/attempt-times.ts';
import { LLM_REQUESTS } from './derive/llm-requests.ts';
import { MODEL_MACROS, PRICE_NAMES, PRICE_STEPS } from './derive/price-steps.ts';
import { PROMPT_FEATURES } from './derive/prompt-features.ts';
import { REQUEST_ROWS } from './derive/request-rows.ts';
import { REQUEST_TIMES } from './derive/request-times.ts';
import { ROLLOUT_COUNTS } from './derive/rollout-counts.ts';
import { RUN_TIMES } from './derive/run-times.ts';
import { SESSION_COMMITS } from './derive/session-commits.ts';
import { SESSION_TIME } from './derive/session-time.ts';
import { SESSION_WORK } from './derive/session-work.ts';
import { SESSIONS } from './derive/sessions.ts';
import { TOOL_CALLS } from './derive/tool-calls.ts';

export { TABLE_NAMES, TABLES, type TableName } from './tables.ts';

/** Raise when tables change: a database of another version is laid out anew and read again from its sources. */
export const SCHEMA_VERSION = 5;

/** Strength of a basis as an integer, 1 strongest; how far two values of a fact may lie apart and still agree; and references as compared. */
export const MACROS = `
CREATE OR REPLACE MACRO basis_rank(b) AS CASE b WHEN 'measured' THEN 1 WHEN 'derived' THEN 2 WHEN 'claimed' THEN 3 WHEN 'estimated' THEN 4 ELSE 5 END;
-- Clocks and commit times of one build lie a few seconds apart without contradicting each other; everything else must be equal.
CREATE OR REPLACE MACRO tolerance(fact, value) AS CASE WHEN fact IN ('completed_at', 'started_at') THEN 5000
  WHEN fact IN ('build_time', 'elapsed') THEN greatest(5, 0.05 * abs(value)) ELSE 0 END;
-- "REQ-7", "req_7" and "REQ7" name the same thing; "UC-1-12" and "UC-11-2" do not.
CREATE OR REPLACE MACRO ref_key(t) AS regexp_replace(upper(regexp_replace(t, '[^A-Za-z0-9]+', '-', 'g')), '([A-Z])-([0-9])', '\\1\\2', 'g');
-- "2026-03-28 12:48" on the clock of an offset such as -07:00.
CREATE OR REPLACE MACRO local_minute(ms, zone) AS strftime(make_timestamp(1000 * CAST(ms + (CASE WHEN zone LIKE '-%' THEN -1 ELSE 1 END)
  * (coalesce(try_cast(substr(zone, 2, 2) AS BIGINT), 0) * 60 + coalesce(try_cast(substr(zone, 5, 2) AS BIGINT), 0)) * 60000 AS BIGINT)), '%Y-%m-%d %H:%M');
-- T2 before T10, 9 before 10, and names by letter.
CREATE OR REPLACE MACRO natural_key(t) AS regexp_replace(t, '[0-9]+$', '') || lpad(regexp_extract(t, '[0-9]+$'), 12, '0');
${MODEL_MACROS}`;

/** How the words of several sources about one thing are put in order. */
const FIRST = '(rank, source_id, coalesce(source_line, 0))';

/**
 * What is derived from the tables, in the order in which one rests on the other. `agreeing` and `told` count the observations
 * of one (run, feature, fact), the row itself included.
 */
export const DERIVED = {
  // Where no source says when a run began or ended, its log does. A record without any harness still has one run to ask about.
  runs: `
 WITH spans AS (SELECT run_id, min(at_ms) AS first_ms, max(at_ms) AS last_ms FROM log_events WHERE at_ms IS NOT NULL GROUP BY run_id),
 told AS (SELECT t.run_id, arg_min(harness, ${FIRST}) AS harness, min(ord) AS ord, arg_min(name, ${FIRST}) AS name,
   coalesce(min(started_at_ms), any_value(first_ms)) AS started_at_ms, coalesce(max(ended_at_ms), any_value(last_ms)) AS ended_at_ms,
   arg_min(zone, ${FIRST}) AS zone, arg_min(status, ${FIRST}) AS status, arg_min(end_reason, ${FIRST}) AS end_reason, bool_or(is_current) AS said_current,
   arg_min(source_id, ${FIRST}) AS source_id, arg_min(source_line, ${FIRST}) AS source_line
  FROM runs_told t LEFT JOIN spans USING (run_id) GROUP BY t.run_id
  UNION ALL SELECT 'project', NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
  WHERE NOT EXISTS (FROM runs_told) AND (EXISTS (FROM commits_told) OR EXISTS (FROM test_runs) OR EXISTS (FROM log_events)
   OR EXISTS (FROM sessions_told) OR EXISTS (FROM llm_requests_told))),
 latest AS (SELECT *, coalesce(said_current, NOT coalesce(bool_or(said_current) OVER (PARTITION BY harness), FALSE)
   AND row_number() OVER (PARTITION BY harness ORDER BY coalesce(ended_at_ms, started_at_ms) DESC NULLS LAST, ord DESC NULLS LAST, run_id DESC) = 1) AS candidate FROM told)
 SELECT run_id, (SELECT min(project_id) FROM projects) AS project_id,
  row_number() OVER (ORDER BY harness, started_at_ms NULLS FIRST, ord NULLS LAST, run_id) AS seq,
  coalesce(name, CASE WHEN harness IS NULL THEN 'this project' WHEN started_at_ms IS NOT NULL THEN 'run of ' || local_minute(started_at_ms, coalesce(zone, '+00:00'))
   ELSE 'run ' || row_number() OVER (PARTITION BY harness ORDER BY started_at_ms NULLS FIRST, ord NULLS LAST, run_id) END) AS name,
  harness, started_at_ms, ended_at_ms, coalesce(zone, '+00:00') AS zone, status, end_reason,
  candidate AND row_number() OVER (PARTITION BY candidate ORDER BY coalesce(ended_at_ms, started_at_ms) DESC NULLS LAST, harness, run_id) = 1 AS is_current,
  source_id, source_line FROM latest`,
  features: `
 SELECT feature_id, run_id, ext_id, row_number() OVER (PARTITION BY run_id ORDER BY ord NULLS LAST, natural_key(ext_id)) AS ord,
  coalesce(title, 'Feature ' || ext_id) AS title, description, category, depends_on, source_id, source_line
 FROM (SELECT feature_id, arg_min(run_id, ${FIRST}) AS run_id, arg_min(ext_id, ${FIRST}) AS ext_id, arg_min(ord, ${FIRST}) AS ord,
   arg_min(title, ${FIRST}) AS title, arg_min(description, ${FIRST}) AS description, arg_min(category, ${FIRST}) AS category,
   arg_min(depends_on, ${FIRST}) AS depends_on, arg_min(source_id, ${FIRST}) AS source_id, arg_min(source_line, ${FIRST}) AS source_line
  FROM features_told GROUP BY feature_id)`,
  requirements: `
 SELECT requirement_id, arg_min(run_id, ${FIRST}) AS run_id, arg_min(feature_id, ${FIRST}) AS feature_id, arg_min(ext_id, ${FIRST}) AS ext_id,
  arg_min("text", ${FIRST}) AS "text", arg_min(kind, ${FIRST}) AS kind, bool_or(claimed_pass) AS claimed_pass,
  arg_min(parent_ref, ${FIRST}) AS parent_ref, arg_min(source_id, ${FIRST}) AS source_id, arg_min(source_line, ${FIRST}) AS source_line
 FROM requirements_told GROUP BY requirement_id`,
  // A commit belongs to the run its source says, else to that of the feature it names, else to the run it falls into, else to the only one.
  commits: `
 WITH once AS (SELECT * FROM commits_told QUALIFY row_number() OVER (PARTITION BY sha ORDER BY source_id, source_line) = 1),
 named AS (SELECT c.sha, f.feature_id, f.run_id FROM once c JOIN features f ON ref_key(f.ext_id) = ref_key(c.feature_ref) JOIN runs r ON r.run_id = f.run_id
  WHERE c.feature_id IS NULL AND c.run_id IS NULL
   -- Loops number their stories from one again: a commit from long before a run is about another one's.
   AND (c.at_ms IS NULL OR r.started_at_ms IS NULL OR c.at_ms >= r.started_at_ms - 6 * 3600000)
  QUALIFY row_number() OVER (PARTITION BY c.sha ORDER BY coalesce(c.at_ms BETWEEN r.started_at_ms AND r.ended_at_ms, FALSE) DESC, r.is_current DESC, r.seq DESC) = 1),
 within AS (SELECT c.sha, r.run_id FROM once c JOIN runs r ON c.at_ms BETWEEN r.started_at_ms AND r.ended_at_ms
  WHERE c.run_id IS NULL QUALIFY row_number() OVER (PARTITION BY c.sha ORDER BY r.seq DESC) = 1),
 present AS (SELECT started_at_ms, ended_at_ms FROM runs WHERE is_current)
 SELECT c.sha AS commit_id, c.sha, coalesce(c.run_id, n.run_id, w.run_id, CASE WHEN (SELECT count(*) FROM runs) = 1 THEN (SELECT min(run_id) FROM runs) END) AS run_id,
  coalesce(c.feature_id, n.feature_id) AS feature_id, c.feature_ref, c.link_method, c.at_ms, c.zone, c.author, c.subject, c.kind, c.reverts_sha,
  CASE WHEN c.at_ms IS NULL OR (SELECT started_at_ms FROM present) IS NULL THEN 'unknown' WHEN c.at_ms < (SELECT started_at_ms FROM present) THEN 'before'
   WHEN c.at_ms > (SELECT ended_at_ms FROM present) THEN 'after' ELSE 'during' END AS phase,
  c.files, c.insertions, c.deletions, c.source_id, c.source_line
 FROM once c LEFT JOIN named n USING (sha) LEFT JOIN within w USING (sha)`,
  tool_calls: TOOL_CALLS,
  rollout_counts: ROLLOUT_COUNTS,
  request_rows: REQUEST_ROWS,
  price_names: PRICE_NAMES,
  price_steps: PRICE_STEPS,
  prompt_features: PROMPT_FEATURES,
  session_commits: SESSION_COMMITS,
  session_work: SESSION_WORK,
  attempt_times: ATTEMPT_TIMES,
  feature_attempts: FEATURE_ATTEMPTS,
  run_times: RUN_TIMES,
  request_times: REQUEST_TIMES,
  llm_requests: LLM_REQUESTS,
  sessions: SESSIONS,
  session_time: SESSION_TIME,
  observations: 'SELECT * FROM observations_told',
  v_observation: `
 SELECT o.*, basis_rank(o.basis) AS rank, pair.agreeing, pair.told,
  -- A source may tell a fact twice; its strongest word stands for it.
  row_number() OVER (PARTITION BY o.run_id, o.feature_id, o.fact, o.source_kind ORDER BY o.value IS NULL, basis_rank(o.basis), o.observation_id) = 1 AS first_word
 FROM observations o JOIN (
  SELECT a.observation_id, count(*) AS told,
   count(*) FILTER (WHERE CASE WHEN a.value IS NULL THEN b.text_value IS NOT DISTINCT FROM a.text_value
     ELSE abs(b.value - a.value) <= tolerance(a.fact, greatest(abs(a.value), abs(b.value))) END) AS agreeing
  FROM observations a JOIN observations b
   ON b.run_id = a.run_id AND coalesce(b.feature_id, '') = coalesce(a.feature_id, '') AND b.fact = a.fact
  WHERE (a.value IS NOT NULL OR a.text_value IS NOT NULL) AND (b.value IS NOT NULL OR b.text_value IS NOT NULL)
  GROUP BY a.observation_id) pair USING (observation_id)`,
  // One row a (run, feature, fact): the strongest basis, among equals the value more sources agree on (design 4.3).
  counted: `
 SELECT * EXCLUDE (pick), agreeing < told AS disputed FROM (
  SELECT *, row_number() OVER (PARTITION BY run_id, feature_id, fact ORDER BY rank, agreeing DESC, source_kind DESC, observation_id) AS pick FROM v_observation) WHERE pick = 1`,
  // Evidence with the requirement it is about: named by its own id, by its external id, or by that of its feature.
  requirement_evidence: `
 SELECT e.*, q.requirement_id, q.run_id, q.feature_id, c.at_ms AS commit_at_ms FROM evidence_told e
 JOIN (SELECT q.requirement_id, q.run_id, q.feature_id, ref_key(q.requirement_id) AS key FROM requirements q
  UNION SELECT q.requirement_id, q.run_id, q.feature_id, ref_key(q.ext_id) FROM requirements q
  UNION SELECT q.requirement_id, q.run_id, q.feature_id, ref_key(f.ext_id) FROM requirements q JOIN features f USING (feature_id)) q
  ON q.key = ref_key(e.requirement_ref)
 LEFT JOIN commits c ON length(e.commit_sha) >= 7 AND starts_with(lower(c.sha), lower(e.commit_sha))`,
  /*
   * The state of each requirement. The latest word of proof that is not void decides; proof older than the last commit of
   * the feature is stale; a ledger's own word is a claim.
   */
  v_requirement: `
 WITH word AS (SELECT requirement_id, count(*) AS evidence, count(*) FILTER (polarity = 'supports') AS supporting,
   count(*) FILTER (polarity = 'refutes') AS refuting, count(*) FILTER (polarity = 'void') AS voided,
   arg_max(polarity, (coalesce(at_ms, 0), evidence_id)) FILTER (polarity <> 'void') AS last_polarity,
   bool_or(polarity = 'supports' AND link IN ('explicit', 'tag')) AS tied,
   max(at_ms) FILTER (polarity <> 'void') AS last_evidence_at_ms,
   max(coalesce(commit_at_ms, at_ms)) FILTER (polarity = 'supports') AS proof_at_ms
  FROM requirement_evidence GROUP BY requirement_id),
 work AS (SELECT feature_id, max(at_ms) AS last_commit_at_ms FROM commits WHERE feature_id IS NOT NULL GROUP BY feature_id)
 SELECT q.*, f.ext_id AS feature_ext_id, f.title AS feature_title, r.is_current,
  coalesce(w.evidence, 0) AS evidence, coalesce(w.supporting, 0) AS supporting, coalesce(w.refuting, 0) AS refuting, coalesce(w.voided, 0) AS voided,
  w.last_evidence_at_ms, k.last_commit_at_ms, coalesce(w.last_polarity = 'supports' AND w.proof_at_ms < k.last_commit_at_ms, FALSE) AS stale,
  CASE WHEN w.last_polarity = 'refutes' THEN 'refuted'
   WHEN w.last_polarity = 'supports' AND w.proof_at_ms < k.last_commit_at_ms THEN 'stale'
   WHEN w.last_polarity = 'supports' AND w.tied THEN 'proven' WHEN w.last_polarity = 'supports' THEN 'likely'
   WHEN q.claimed_pass THEN 'claimed_only' ELSE 'open' END AS state
 -- What is divided into others (a use case into its criteria) is proven by them, and is not counted beside them.
 FROM (SELECT q.* FROM requirements q WHERE NOT EXISTS (
   FROM requirements c WHERE c.run_id = q.run_id AND c.parent_ref = q.ext_id AND c.requirement_id <> q.requirement_id)) q JOIN runs r ON r.run_id = q.run_id LEFT JOIN features f ON f.feature_id = q.feature_id
 LEFT JOIN word w ON w.requirement_id = q.requirement_id LEFT JOIN work k ON k.feature_id = q.feature_id`,
  v_feature: `
 SELECT f.*, r.project_id, r.is_current, r.seq AS run_seq, r.name AS run_name,
  coalesce(st.text_value, 'pending') AS status, sc.value AS score, att.value AS attempts, ca.value AS completed_at_ms,
  EXISTS (SELECT 1 FROM findings d WHERE d.feature_id = f.feature_id AND d.rule = 'sources_disagree') AS disputed
 FROM features f JOIN runs r USING (run_id)
 LEFT JOIN counted st ON st.feature_id = f.feature_id AND st.fact = 'status'
 LEFT JOIN counted sc ON sc.feature_id = f.feature_id AND sc.fact = 'score'
 LEFT JOIN counted att ON att.feature_id = f.feature_id AND att.fact = 'attempts'
 LEFT JOIN counted ca ON ca.feature_id = f.feature_id AND ca.fact = 'completed_at'`,
} as const;
export type DerivedName = keyof typeof DERIVED;

/** In the order of making. The audit runs before the last one, which reads its findings. */
export const DERIVED_NAMES = [
  'runs',
  'features',
  'requirements',
  'commits',
  'observations',
  'v_observation',
  'counted',
  'rollout_counts',
  'request_rows',
  'price_names',
  'price_steps',
  'prompt_features',
  'session_commits',
  'session_work',
  'attempt_times',
  'feature_attempts',
  'run_times',
  'tool_calls',
  'request_times',
  'llm_requests',
  'sessions',
  'session_time',
  'requirement_evidence',
  'v_requirement',
  'v_feature',
] as const satisfies readonly DerivedName[];

/** Derived tables that have no row where nothing was told of sessions, model calls and tool calls. */
export const OF_SESSIONS: ReadonlySet<string> = new Set<DerivedName>([
  'rollout_counts',
  'request_rows',
  'prompt_features',
  'session_commits',
  'session_work',
  'tool_calls',
  'request_times',
  'llm_requests',
  'sessions',
  'session_time',
]);
/** Whether anything was told of them. */
export const ANY_SESSIONS = `SELECT 1 AS one WHERE EXISTS (FROM sessions_told) OR EXISTS (FROM llm_requests_told)
 OR EXISTS (FROM tool_calls_told) OR EXISTS (FROM session_spans) OR EXISTS (FROM gate_events WHERE session_id IS NOT NULL)
 OR EXISTS (FROM log_events WHERE session_id IS NOT NULL)`;

/**
 * The same as views, for a database whose rows change. Ingest makes tables of them instead, once a record is written: on a
 * record of thirty features a query over the views takes tens of milliseconds, over the tables two.
 */
export const VIEWS = `${MACROS}${DERIVED_NAMES.map((name) => `CREATE OR REPLACE VIEW ${name} AS${name === 'observations' ? ' ' : ''}${DERIVED[name]};\n`).join('')}`;
