import type { SqlValue } from '../store.ts';
import { archiveOfAnotherBranch } from './archive-of-another-branch.ts';
import { circuitOpened } from './circuit-opened.ts';
import { crashLoop } from './crash-loop.ts';
import { equallySpacedTimes } from './equally-spaced-times.ts';
import { passedThenRetried } from './passed-then-retried.ts';
import { passesRevoked } from './passes-revoked.ts';
import { reading } from './reading.ts';
import type { AuditQuery, Rule } from './rule.ts';
import { sourcesDisagree } from './sources-disagree.ts';
import { storiesInOneTurn } from './stories-in-one-turn.ts';
import { storyWithoutTurn } from './story-without-turn.ts';
import { totalsDiffer } from './totals-differ.ts';

/** Every rule, in the order of reading. */
export const RULES: readonly Rule[] = [
  sourcesDisagree,
  passedThenRetried,
  totalsDiffer,
  crashLoop,
  circuitOpened,
  equallySpacedTimes,
  passesRevoked,
  storyWithoutTurn,
  storiesInOneTurn,
  archiveOfAnotherBranch,
  reading,
];

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
