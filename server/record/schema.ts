/**
 * The record's tables and views (a star schema: facts point at runs and features, every fact at a line of a source).
 * Units: `*_ms` integer milliseconds (timestamps are UTC epoch ms); seconds, points and counts as the measure says.
 * NULL is "not recorded", 0 is a measured zero; neither ever stands for the other.
 */
export const SCHEMA_VERSION = 2;

export const TABLES = `
CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS projects(project_id TEXT PRIMARY KEY, name TEXT NOT NULL, root_path TEXT);
CREATE TABLE IF NOT EXISTS sources(source_id TEXT PRIMARY KEY, project_id TEXT NOT NULL, kind TEXT NOT NULL, label TEXT NOT NULL, path TEXT NOT NULL,
  content_sha TEXT, bytes BIGINT, lines_ok BIGINT, lines_bad BIGINT, parser TEXT NOT NULL, parser_version INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS ingest_issues(issue_id TEXT PRIMARY KEY, source_id TEXT NOT NULL, line_no BIGINT, code TEXT NOT NULL, severity TEXT NOT NULL, detail TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS runs(run_id TEXT PRIMARY KEY, project_id TEXT NOT NULL, seq INTEGER NOT NULL, name TEXT NOT NULL, harness TEXT,
  started_at_ms BIGINT, ended_at_ms BIGINT, zone TEXT, is_current BOOLEAN NOT NULL, source_id TEXT, source_line BIGINT);
CREATE TABLE IF NOT EXISTS features(feature_id TEXT PRIMARY KEY, run_id TEXT NOT NULL, ext_id TEXT NOT NULL, ord INTEGER NOT NULL, title TEXT NOT NULL,
  description TEXT, category TEXT, source_id TEXT, source_line BIGINT);
-- One word of one source about one feature (or about the run: feature_id NULL). value: number; text_value: a state. how: how it was read ("as written", "120 + 140 + 159").
CREATE TABLE IF NOT EXISTS observations(observation_id TEXT PRIMARY KEY, run_id TEXT NOT NULL, feature_id TEXT, fact TEXT NOT NULL,
  value DOUBLE, text_value TEXT, basis TEXT NOT NULL, source_id TEXT NOT NULL, source_kind TEXT NOT NULL, source_line BIGINT, how TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS attempts(attempt_id TEXT PRIMARY KEY, run_id TEXT NOT NULL, feature_id TEXT NOT NULL, n INTEGER NOT NULL,
  score DOUBLE, duration_s DOUBLE, feedback TEXT, tokens_coder BIGINT, tokens_evaluator BIGINT, passed BOOLEAN, attribution TEXT NOT NULL,
  basis TEXT NOT NULL, source_id TEXT NOT NULL, source_kind TEXT NOT NULL, source_line BIGINT);
CREATE TABLE IF NOT EXISTS commits(commit_id TEXT PRIMARY KEY, project_id TEXT NOT NULL, run_id TEXT, feature_id TEXT, sha TEXT NOT NULL, at_ms BIGINT, zone TEXT, subject TEXT NOT NULL,
  kind TEXT NOT NULL /* accept|skip|other */, phase TEXT NOT NULL /* before|during|after the run */, files INTEGER, insertions BIGINT, deletions BIGINT, source_id TEXT NOT NULL, source_line BIGINT);
CREATE TABLE IF NOT EXISTS log_events(event_id TEXT PRIMARY KEY, run_id TEXT, feature_id TEXT, at_ms BIGINT, zone TEXT, kind TEXT NOT NULL, message TEXT NOT NULL,
  source_id TEXT NOT NULL, source_kind TEXT NOT NULL, source_line BIGINT, last_line BIGINT);
CREATE TABLE IF NOT EXISTS findings(finding_id TEXT PRIMARY KEY, run_id TEXT, feature_id TEXT, rule TEXT NOT NULL, severity TEXT NOT NULL, fact TEXT, says TEXT NOT NULL);
-- What a finding rests on: a line of a source, and the observation or attempt (its id) where there is one.
CREATE TABLE IF NOT EXISTS finding_rows(finding_id TEXT NOT NULL, source_id TEXT NOT NULL, source_line BIGINT, observation_id TEXT);
`;

/** Strength of a basis as an integer, 1 strongest; and how far two values of a fact may lie apart and still agree. */
export const MACROS = `
CREATE OR REPLACE MACRO basis_rank(b) AS CASE b WHEN 'measured' THEN 1 WHEN 'derived' THEN 2 WHEN 'claimed' THEN 3 WHEN 'estimated' THEN 4 ELSE 5 END;
-- Clocks and commit times of one build lie a few seconds apart without contradicting each other; everything else must be equal.
CREATE OR REPLACE MACRO tolerance(fact, value) AS CASE WHEN fact = 'completed_at' THEN 5000
  WHEN fact IN ('build_time', 'elapsed') THEN greatest(5, 0.05 * abs(value)) ELSE 0 END;
`;

/**
 * What is derived from the tables, in the order in which one rests on the other. `agreeing` and `told` count the observations
 * of one (run, feature, fact), the row itself included.
 */
export const DERIVED = {
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
export const DERIVED_NAMES = [
  'v_observation',
  'counted',
  'v_feature',
] as const satisfies readonly DerivedName[];

/**
 * The same as views, for a database whose rows change. Ingest makes tables of them instead, once a record is written: on a
 * record of thirty features a query over the views takes tens of milliseconds, over the tables two.
 */
export const VIEWS = `${MACROS}${DERIVED_NAMES.map((name) => `CREATE OR REPLACE VIEW ${name} AS${DERIVED[name]};\n`).join('')}`;

/** All base tables, in the order of writing. */
export const TABLE_NAMES = [
  'meta',
  'projects',
  'sources',
  'ingest_issues',
  'runs',
  'features',
  'observations',
  'attempts',
  'commits',
  'log_events',
  'findings',
  'finding_rows',
] as const;
export type TableName = (typeof TABLE_NAMES)[number];
