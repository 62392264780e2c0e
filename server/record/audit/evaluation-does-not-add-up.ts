import { numberAt, textAt } from '../cells.ts';
import type { AuditQuery, Finding, Rule } from './rule.ts';
import { numberText } from './words.ts';

/** An evaluator rounds; what is further away than that is not its own sum. */
const ROUNDING = 0.5;
const EPSILON = 1e-6;

/**
 * Overall scores with the weighted sum of the scores beside them: those of the same report, where every weighted dimension is
 * scored and the weights make a whole.
 */
const SUMS = `
 SELECT o.evaluation_id, o.run_id, o.feature_id, f.ext_id, o.attempt_n, o.score, o.source_id, o.source_line, s.label, sum(d.score * d.weight) AS weighted,
  string_agg(format('{:g}', d.score) || ' × ' || round(d.weight * 100)::BIGINT::VARCHAR || ' %', ' + ' ORDER BY d.source_line, d.evaluation_id) AS how
 FROM evaluations o JOIN evaluations d ON d.source_id = o.source_id AND d.weight IS NOT NULL
  AND d.feature_id IS NOT DISTINCT FROM o.feature_id AND d.attempt_n IS NOT DISTINCT FROM o.attempt_n
 JOIN sources s ON s.source_id = o.source_id LEFT JOIN features f ON f.feature_id = o.feature_id
 WHERE o.dimension = 'overall' AND o.score IS NOT NULL
 GROUP BY ALL
 HAVING count(*) = count(d.score) AND count(DISTINCT d.dimension) = count(*) AND abs(sum(d.weight) - 1) < 0.001
  AND abs(sum(d.score * d.weight) - o.score) > ${ROUNDING + EPSILON}
 ORDER BY o.evaluation_id`;

const PARTS = `
 SELECT evaluation_id, source_id, source_line FROM evaluations
 WHERE source_id = $1 AND feature_id IS NOT DISTINCT FROM $2 AND attempt_n IS NOT DISTINCT FROM $3 AND weight IS NOT NULL ORDER BY evaluation_id`;

async function find(query: AuditQuery): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const row of await query(SUMS)) {
    const attempt = numberAt(row, 'attempt_n');
    const parts = await query(PARTS, [textAt(row, 'source_id'), textAt(row, 'feature_id'), attempt]);
    const where = attempt === null ? '' : `, attempt ${attempt}`;
    findings.push({
      id: `evaluation_does_not_add_up.${textAt(row, 'evaluation_id')}`,
      runId: textAt(row, 'run_id'),
      featureId: textAt(row, 'feature_id'),
      severity: 'warning',
      fact: 'score',
      says: `${textAt(row, 'label')} scores feature ${textAt(row, 'ext_id') ?? '?'}${where} ${numberText(numberAt(row, 'score') ?? 0)}/10 overall, its own scores make ${numberText(numberAt(row, 'weighted') ?? 0)} (${textAt(row, 'how')})`,
      rows: [row, ...parts].map((one) => ({
        sourceId: textAt(one, 'source_id') ?? '',
        line: numberAt(one, 'source_line'),
        ref: textAt(one, 'evaluation_id'),
      })),
    });
  }
  return findings;
}

/** A total score that its own parts do not give: it was not computed the way it is said to be. */
export const evaluationDoesNotAddUp: Rule = {
  id: 'evaluation_does_not_add_up',
  sentence: "An evaluator's overall score is not the weighted sum of its own scores.",
  find,
};
