import type { SqlValue } from '../store.ts';
import { passedThenRetried } from './passed-then-retried.ts';
import { reading } from './reading.ts';
import type { AuditQuery, Rule } from './rule.ts';
import { sourcesDisagree } from './sources-disagree.ts';
import { totalsDiffer } from './totals-differ.ts';

/** Every rule, in the order of reading. */
export const RULES: readonly Rule[] = [sourcesDisagree, passedThenRetried, totalsDiffer, reading];

/** Runs all rules and gives the rows of `findings` and `finding_rows`. */
export async function audit(query: AuditQuery): Promise<{ findings: SqlValue[][]; rows: SqlValue[][] }> {
  const findings: SqlValue[][] = [];
  const rows: SqlValue[][] = [];
  for (const rule of RULES) {
    for (const found of await rule.find(query)) {
      findings.push([
        found.id,
        found.runId,
        found.featureId,
        rule.id,
        found.severity,
        found.fact,
        found.says,
      ]);
      for (const row of found.rows) rows.push([found.id, row.sourceId, row.line, row.ref]);
    }
  }
  return { findings, rows };
}
