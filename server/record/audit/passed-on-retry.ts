import { textAt } from '../cells.ts';
import { placeOf } from './place.ts';
import type { Rule } from './rule.ts';

/** Requirements all of whose supporting tests passed only when they were run again. */
const SHAKY = `
 SELECT e.requirement_id, q.run_id, q.feature_id, q.ext_id, t.name, e.evidence_id AS ref, e.source_id, e.source_line
 FROM requirement_evidence e JOIN requirements q USING (requirement_id) JOIN test_results t ON t.test_result_id = e.ref_id
 WHERE e.polarity = 'supports' AND t.status = 'flaky' AND NOT EXISTS (SELECT 1 FROM requirement_evidence o LEFT JOIN test_results p ON p.test_result_id = o.ref_id
  WHERE o.requirement_id = e.requirement_id AND o.polarity = 'supports' AND coalesce(p.status, 'passed') = 'passed')
 QUALIFY row_number() OVER (PARTITION BY e.requirement_id ORDER BY e.at_ms DESC NULLS LAST, e.evidence_id) = 1 ORDER BY e.requirement_id`;

/** Proof that holds only at the second try holds only sometimes. */
export const passedOnRetry: Rule = {
  id: 'passed_on_retry',
  sentence: 'A requirement is proven only by a test that failed first and passed when it was run again.',
  find: async (query) =>
    (await query(SHAKY)).map((row) => ({
      id: `passed_on_retry.${textAt(row, 'requirement_id')}`,
      runId: textAt(row, 'run_id'),
      featureId: textAt(row, 'feature_id'),
      severity: 'info' as const,
      fact: null,
      says: `${textAt(row, 'ext_id')} rests on "${(textAt(row, 'name') ?? '').slice(0, 80)}", which passed only on a retry`,
      rows: [placeOf(row)],
    })),
};
