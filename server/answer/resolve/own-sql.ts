import type { AttemptField, CommitField } from './descriptor.ts';

/** Statements that are no query of the semantic layer: lists a source keeps by itself. Columns as `evidenceRow` reads them. */

/** One property of one listed attempt. Parameters: feature, source kind, number of the attempt. */
export const attemptSql = (field: AttemptField): string => `SELECT f.ext_id AS ref, f.title AS label,
  ${field === 'score' ? 'a.score' : 'a.duration_s'} AS value, a.basis, a.source_id, a.source_kind, x.label AS source,
  a.source_line AS line, FALSE AS counted, 'as listed' AS how,
  a.basis = 'claimed' AND EXISTS (SELECT 1 FROM v_observation o WHERE o.feature_id = a.feature_id AND o.source_kind = a.source_kind
    AND o.fact = 'attempts' AND o.agreeing < o.told) AS disputed
  FROM attempts a JOIN features f ON f.feature_id = a.feature_id JOIN runs r ON r.run_id = f.run_id
  LEFT JOIN sources x ON x.source_id = a.source_id
  WHERE r.is_current AND f.ext_id = $1 AND a.source_kind = $2 AND a.n = $3 ORDER BY a.attempt_id`;

const commit = (
  column: string,
): string => `SELECT substr(c.sha, 1, 7) AS ref, c.subject AS label, ${column} AS value,
  'measured' AS basis, c.source_id, 'git' AS source_kind, x.label AS source, c.source_line AS line, TRUE AS counted, 'as written' AS how
  FROM commits c LEFT JOIN sources x ON x.source_id = c.source_id WHERE c.commit_id = $1`;

/** One property of one commit. Parameter: the commit's id. */
export const COMMIT_SQL: Readonly<Record<CommitField, string>> = {
  files: commit('c.files'),
  insertions: commit('c.insertions'),
  deletions: commit('c.deletions'),
};

/** Statements about several features of the current run; each row names its feature as `ref`. */
export interface FeatureStatements {
  /** Every source's word on every fact. */
  told: string;
  /** The attempts each source lists. */
  attempts: string;
  /** Findings with the rows they rest on. */
  findings: string;
  /** Commits that accepted or skipped them. */
  commits: string;
}

/**
 * @param count how many features; their ids are the parameters
 */
export function featureStatements(count: number): FeatureStatements {
  const slots = Array.from({ length: count }, (_, at) => `$${at + 1}`).join(', ');
  const these = `r.is_current AND f.ext_id IN (${slots})`;
  return {
    told: `SELECT f.ext_id AS ref, o.fact, o.value, o.text_value, o.basis, o.source_id, o.source_kind, x.label AS source,
      o.source_line AS line, o.how, o.agreeing, o.told, coalesce(c.observation_id = o.observation_id, FALSE) AS counted
      FROM v_observation o JOIN features f ON f.feature_id = o.feature_id JOIN runs r ON r.run_id = f.run_id
      LEFT JOIN counted c ON c.feature_id = o.feature_id AND c.fact = o.fact
      LEFT JOIN sources x ON x.source_id = o.source_id
      WHERE ${these} ORDER BY f.ord, o.source_kind, o.fact, o.rank, o.observation_id`,
    attempts: `SELECT f.ext_id AS ref, a.attempt_id, a.n, a.score, a.duration_s, a.feedback, a.passed, a.attribution, a.basis,
      a.source_id, a.source_kind, x.label AS source, a.source_line AS line
      FROM attempts a JOIN features f ON f.feature_id = a.feature_id JOIN runs r ON r.run_id = f.run_id
      LEFT JOIN sources x ON x.source_id = a.source_id
      WHERE ${these} ORDER BY f.ord, a.source_kind, a.n, a.attempt_id`,
    findings: `SELECT f.ext_id AS ref, d.finding_id, d.rule, d.fact, d.says, w.source_id, w.source_line AS line, w.observation_id
      FROM findings d JOIN features f ON f.feature_id = d.feature_id JOIN runs r ON r.run_id = f.run_id
      LEFT JOIN finding_rows w ON w.finding_id = d.finding_id
      WHERE ${these} ORDER BY d.finding_id, w.source_id, w.source_line`,
    commits: `SELECT f.ext_id AS ref, c.sha FROM commits c JOIN features f ON f.feature_id = c.feature_id
      JOIN runs r ON r.run_id = f.run_id
      WHERE ${these} AND c.kind <> 'other' ORDER BY f.ord, c.kind, c.at_ms DESC`,
  };
}
