import { acceptedButRefuted } from './accepted-but-refuted.ts';
import { acceptedThenReverted } from './accepted-then-reverted.ts';
import { acceptedWithoutCommit } from './accepted-without-commit.ts';
import { archiveOfAnotherBranch } from './archive-of-another-branch.ts';
import { callsSetAside } from './calls-set-aside.ts';
import { callsWithoutPrice } from './calls-without-price.ts';
import { circuitOpened } from './circuit-opened.ts';
import { completeBeforeEnd } from './complete-before-end.ts';
import { counterGoesBack } from './counter-goes-back.ts';
import { crashLoop } from './crash-loop.ts';
import { debugCapExceeded } from './debug-cap-exceeded.ts';
import { equallySpacedTimes } from './equally-spaced-times.ts';
import { escalationMissing } from './escalation-missing.ts';
import { evaluationDoesNotAddUp } from './evaluation-does-not-add-up.ts';
import { evidenceAfterDecision } from './evidence-after-decision.ts';
import { fileNotLoaded } from './file-not-loaded.ts';
import { graphCountsGoBack } from './graph-counts-go-back.ts';
import { graphStatusDiffers } from './graph-status-differs.ts';
import { hookDidNotGate } from './hook-did-not-gate.ts';
import { logLineContradictsItself } from './log-line-contradicts-itself.ts';
import { madeUpTimes } from './made-up-times.ts';
import { missingArtifact } from './missing-artifact.ts';
import { missingSection } from './missing-section.ts';
import { notChecked } from './not-checked.ts';
import { oscillation } from './oscillation.ts';
import { passedOnRetry } from './passed-on-retry.ts';
import { passedThenRetried } from './passed-then-retried.ts';
import { passesRevoked } from './passes-revoked.ts';
import { pathSpelledTwice } from './path-spelled-twice.ts';
import { percentNotItsCounts } from './percent-not-its-counts.ts';
import { percentagesDiffer } from './percentages-differ.ts';
import { planWithoutCheck } from './plan-without-check.ts';
import { priceNotChecked } from './price-not-checked.ts';
import { reading } from './reading.ts';
import { replayUnsure } from './replay-unsure.ts';
import { reportWithoutCases } from './report-without-cases.ts';
import { reportedCostDiffers, zeroCostNotTrusted } from './reported-cost-differs.ts';
import { rewrittenAfterRun } from './rewritten-after-run.ts';
import type { Rule } from './rule.ts';
import { sessionTotalDiffers } from './session-total-differs.ts';
import { sessionWithoutResult } from './session-without-result.ts';
import { sourcesDisagree } from './sources-disagree.ts';
import { startWithoutOutcome } from './start-without-outcome.ts';
import { stopCapReached } from './stop-cap-reached.ts';
import { storiesInOneTurn } from './stories-in-one-turn.ts';
import { storyWithoutTurn } from './story-without-turn.ts';
import { telemetryDiffers } from './telemetry-differs.ts';
import { telemetryPlaced } from './telemetry-placed.ts';
import { timeWithoutEnd } from './time-without-end.ts';
import { tokensLowerBound } from './tokens-lower-bound.ts';
import { toolCallRepeated } from './tool-call-repeated.ts';
import { totalsDiffer } from './totals-differ.ts';
import { unplannedChange } from './unplanned-change.ts';
import { useCaseRenumbered } from './use-case-renumbered.ts';
import { verdictAgainstEvidence } from './verdict-against-evidence.ts';
import { verdictNotExact } from './verdict-not-exact.ts';
import { verdictTooFast } from './verdict-too-fast.ts';
import { verifierInputs } from './verifier-inputs.ts';

/** The rules over what was read, in the order of reading. */
export const CHECKS: readonly Rule[] = [
  sourcesDisagree,
  passedThenRetried,
  totalsDiffer,
  evaluationDoesNotAddUp,
  rewrittenAfterRun,
  acceptedThenReverted,
  acceptedWithoutCommit,
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
  timeWithoutEnd,
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
  missingArtifact,
  missingSection,
  planWithoutCheck,
  verdictNotExact,
  verdictAgainstEvidence,
  verifierInputs,
  debugCapExceeded,
  escalationMissing,
  oscillation,
  unplannedChange,
  reportWithoutCases,
  fileNotLoaded,
  passedOnRetry,
  reading,
  replayUnsure,
  callsWithoutPrice,
  reportedCostDiffers,
  zeroCostNotTrusted,
  tokensLowerBound,
  callsSetAside,
  sessionTotalDiffers,
  priceNotChecked,
  hookDidNotGate,
  stopCapReached,
  sessionWithoutResult,
  toolCallRepeated,
  telemetryPlaced,
  telemetryDiffers,
];

/** Every rule there is; the last one looks at how checking itself went. */
export const RULES: readonly Rule[] = [...CHECKS, notChecked];
