/**
 * The record's tables and views (a star schema: facts point at runs and features, every fact at a line of a source).
 * Units: `*_ms` integer milliseconds (timestamps are UTC epoch ms); seconds, points and counts as the measure says.
 * NULL is "not recorded", 0 is a measured zero; neither ever stands for the other.
 */
export const SCHEMA_VERSION = 1;

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
CREATE TABLE IF NOT EXISTS finding_rows(finding_id TEXT NOT NULL, source_id TEXT NOT NULL, source_line BIGINT, observation_id TEXT, PRIMARY KEY(finding_id, source_id, source_line));
`;

/** Strength of a basis as an integer, 1 strongest; and how far two values of a fact may lie apart and still agree. */
export const VIEWS = `
CREATE OR REPLACE MACRO basis_rank(b) AS CASE b WHEN 'measured' THEN 1 WHEN 'derived' THEN 2 WHEN 'claimed' THEN 3 WHEN 'estimated' THEN 4 ELSE 5 END;
-- Clocks and commit times of one build lie a few seconds apart without contradicting each other; everything else must be equal.
CREATE OR REPLACE MACRO tolerance(fact, value) AS CASE WHEN fact IN ('build_time', 'completed_at') THEN
  (CASE WHEN fact = 'completed_at' THEN 5000 ELSE greatest(5, 0.05 * abs(value)) END) ELSE 0 END;
CREATE OR REPLACE VIEW v_observation AS
 SELECT o.*, basis_rank(o.basis) AS rank,
  (SELECT count(*) FROM observations p WHERE p.run_id = o.run_id AND p.feature_id IS NOT DISTINCT FROM o.feature_id AND p.fact = o.fact
     AND CASE WHEN o.value IS NULL THEN p.text_value IS NOT DISTINCT FROM o.text_value ELSE abs(p.value - o.value) <= tolerance(o.fact, greatest(abs(o.value), abs(p.value))) END) AS agreeing,
  (SELECT count(*) FROM observations p WHERE p.run_id = o.run_id AND p.feature_id IS NOT DISTINCT FROM o.feature_id AND p.fact = o.fact) AS told
 FROM observations o WHERE o.value IS NOT NULL OR o.text_value IS NOT NULL;
-- One row a (run, feature, fact): the strongest basis, among equals the value more sources agree on (design 4.3).
CREATE OR REPLACE VIEW counted AS
 SELECT * EXCLUDE (pick), agreeing < told AS disputed FROM (
  SELECT *, row_number() OVER (PARTITION BY run_id, feature_id, fact ORDER BY rank, agreeing DESC, source_kind DESC, observation_id) AS pick FROM v_observation) WHERE pick = 1;
CREATE OR REPLACE VIEW v_feature AS
 SELECT f.*, r.project_id, r.is_current, r.seq AS run_seq, r.name AS run_name,
  coalesce(st.text_value, 'pending') AS status, sc.value AS score, att.value AS attempts, ca.value AS completed_at_ms,
  EXISTS (SELECT 1 FROM findings d WHERE d.feature_id = f.feature_id AND d.rule = 'sources_disagree') AS disputed
 FROM features f JOIN runs r USING (run_id)
 LEFT JOIN counted st ON st.feature_id = f.feature_id AND st.fact = 'status'
 LEFT JOIN counted sc ON sc.feature_id = f.feature_id AND sc.fact = 'score'
 LEFT JOIN counted att ON att.feature_id = f.feature_id AND att.fact = 'attempts'
 LEFT JOIN counted ca ON ca.feature_id = f.feature_id AND ca.fact = 'completed_at';
`;
