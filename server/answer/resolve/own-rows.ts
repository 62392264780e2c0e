import type { Unit } from '../../../shared/cards.ts';
import { basisName, kindRank } from '../../metrics/event-frames.ts';
import { oneRow } from '../../metrics/event-rows.ts';
import type { RowTable } from './descriptor.ts';

/** A row of the record by itself: how it is read, and what is said of it. The id is the parameter. */
interface OwnRow {
  sql: string;
  title: string;
  words: string;
  /** Unit of the number it has, or null when it has none. */
  unit: Unit | null;
}

const BASIS = basisName(kindRank('t.source_kind'));

/** Proofs as rows; columns as \`evidenceRow\` reads them. */
const proofs = (where: string): string => `SELECT NULL AS ref,
  concat_ws(' ', t.kind, CASE t.polarity WHEN 'supports' THEN 'for' WHEN 'refutes' THEN 'against' ELSE t.polarity END, t.says) AS label,
  CAST(NULL AS DOUBLE) AS value, ${BASIS} AS basis, t.source_id, t.source_kind, x.label AS source, t.source_line AS line,
  t.polarity <> 'void' AS counted, replace(t.link, '_', ' ') || coalesce(', at commit ' || substr(t.commit_sha, 1, 7), '') AS how
  FROM requirement_evidence t LEFT JOIN sources x ON x.source_id = t.source_id WHERE ${where}`;

export const ROWS: Readonly<Record<RowTable, OwnRow>> = {
  gate_event: {
    sql: oneRow('gate_event'),
    title: 'One run of a gate',
    words:
      'How long one run of a gate took, and what it came to, as its source tells it. Whose doing a failure was needs positive evidence.',
    unit: 's',
  },
  attempt: {
    sql: oneRow('attempt'),
    title: 'One attempt',
    words: 'How long one attempt took, and what it came to, as its source lists it.',
    unit: 's',
  },
  log_event: {
    sql: oneRow('log_event'),
    title: 'One entry of a log',
    words: 'One entry of a log as it was written; its kind is what the format of the log makes of it.',
    unit: null,
  },
  requirement: {
    sql: `${oneRow('requirement')} UNION ALL (${proofs('t.requirement_id = $1')} ORDER BY t.at_ms DESC NULLS LAST, t.evidence_id)`,
    title: 'One requirement, with what bears it out',
    words:
      'The requirement as its ledger lists it, and every piece of evidence about it, the latest first. The latest that is not void decides; proof older than the last commit of the feature is stale.',
    unit: null,
  },
  proof: {
    sql: `${proofs('t.evidence_id = $1')} LIMIT 1`,
    title: 'One piece of evidence',
    words: 'One piece of evidence about a requirement, as its source gives it.',
    unit: null,
  },
  told: {
    sql: `SELECT f.ext_id AS ref, replace(t.fact, '_', ' ') AS label, t.value / 100 AS value, t.basis, t.source_id, t.source_kind,
      x.label AS source, t.source_line AS line, FALSE AS counted, t.how
      FROM observations t LEFT JOIN features f ON f.feature_id = t.feature_id LEFT JOIN sources x ON x.source_id = t.source_id
      WHERE t.observation_id = $1`,
    title: 'A share as a source shows it',
    words:
      'A percentage that a source shows itself. It is set beside what is computed here, and not counted.',
    unit: 'ratio',
  },
};
