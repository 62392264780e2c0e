import type { SqlValue } from '../store.ts';
import { acceptedButRefuted } from './accepted-but-refuted.ts';
import { archiveOfAnotherBranch } from './archive-of-another-branch.ts';
import { circuitOpened } from './circuit-opened.ts';
import { completeBeforeEnd } from './complete-before-end.ts';
import { counterGoesBack } from './counter-goes-back.ts';
import { crashLoop } from './crash-loop.ts';
import { equallySpacedTimes } from './equally-spaced-times.ts';
import { evidenceAfterDecision } from './evidence-after-decision.ts';
import { graphCountsGoBack } from './graph-counts-go-back.ts';
import { graphStatusDiffers } from './graph-status-differs.ts';
import { logLineContradictsItself } from './log-line-contradicts-itself.ts';
import { madeUpTimes } from './made-up-times.ts';
import { passedThenRetried } from './passed-then-retried.ts';
import { passesRevoked } from './passes-revoked.ts';
import { pathSpelledTwice } from './path-spelled-twice.ts';
import { percentNotItsCounts } from './percent-not-its-counts.ts';
import { percentagesDiffer } from './percentages-differ.ts';
import { reading } from './reading.ts';
import type { AuditQuery, Rule } from './rule.ts';
import { sourcesDisagree } from './sources-disagree.ts';
import { startWithoutOutcome } from './start-without-outcome.ts';
import { storiesInOneTurn } from './stories-in-one-turn.ts';
import { storyWithoutTurn } from './story-without-turn.ts';
import { totalsDiffer } from './totals-differ.ts';
import { useCaseRenumbered } from './use-case-renumbered.ts';
import { verdictTooFast } from './verdict-too-fast.ts';

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
  logLineContradictsItself,
  completeBeforeEnd,
  counterGoesBack,
  startWithoutOutcome,
  verdictTooFast,
  evidenceAfterDecision,
  acceptedButRefuted,
  percentagesDiffer,
  percentNotItsCounts,
  useCaseRenumbered,
  pathSpelledTwice,
  madeUpTimes,
  graphCountsGoBack,
  graphStatusDiffers,
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
