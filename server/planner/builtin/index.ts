import type { Plan } from '../../../shared/plan.ts';
import type { NamedPlanner, PlannerRequest } from '../../answer/types.ts';
import { composeCommits } from './compose/commits.ts';
import { composeCompare } from './compose/compare.ts';
import type { Compose, Context } from './compose/context.ts';
import { composeDefinition } from './compose/definition.ts';
import { composeDistribution } from './compose/distribution.ts';
import { composeFailed } from './compose/failed.ts';
import { composeFeature } from './compose/feature.ts';
import { composeFigure } from './compose/figure.ts';
import { composeGatedFeature, composeGatedRun } from './compose/gated-run.ts';
import { composeGates } from './compose/gates.ts';
import { composeList } from './compose/list.ts';
import { composeLog } from './compose/log.ts';
import { composeNoFeature } from './compose/no-feature.ts';
import { composeNotUnderstood } from './compose/not-understood.ts';
import { composeOpenStarts } from './compose/open-starts.ts';
import { composeOverview } from './compose/overview.ts';
import { composeProof } from './compose/proof.ts';
import { composeRanking } from './compose/ranking.ts';
import { composeSources } from './compose/sources.ts';
import { composeTests } from './compose/tests.ts';
import { composeTimeline } from './compose/timeline.ts';
import { composeTrend } from './compose/trend.ts';
import { composeUnrecorded } from './compose/unrecorded.ts';
import { composeUsage } from './compose/usage.ts';
import { composeWaiting } from './compose/waiting.ts';
import { understand } from './conversation.ts';
import type { Intent } from './intent.ts';
import { otherQuestion } from './other-reading.ts';
import { tells } from './questions.ts';

const COMPOSERS: Readonly<Record<Intent['family'], Compose>> = {
  overview: composeOverview,
  feature: composeFeature,
  figure: composeFigure,
  ranking: composeRanking,
  distribution: composeDistribution,
  trend: composeTrend,
  failed: composeFailed,
  compare: composeCompare,
  sources: composeSources,
  commits: composeCommits,
  list: composeList,
  proof: composeProof,
  timeline: composeTimeline,
  log: composeLog,
  gates: composeGates,
  open_starts: composeOpenStarts,
  tests: composeTests,
  usage: composeUsage,
  waiting: composeWaiting,
  definition: composeDefinition,
  unrecorded: composeUnrecorded,
  not_understood: composeNotUnderstood,
};

/** Families that speak of reasons themselves, or of nothing that has one. */
const WITH_REASON = new Set<Intent['family']>([
  'feature',
  'failed',
  'definition',
  'unrecorded',
  'not_understood',
]);

/** Families whose usual cards are about build times have others for a record that tells none. */
const WITHOUT_TIMES: Partial<Record<Intent['family'], Compose>> = {
  overview: composeGatedRun,
  feature: composeGatedFeature,
};
const composerFor = (family: Intent['family'], { profile }: Context): Compose =>
  (tells(profile, 'build_time') ? undefined : WITHOUT_TIMES[family]) ?? COMPOSERS[family];

/** Characters of one piece of text: small enough that cards reach the page one after another. */
const PIECE = 512;

/** The plan for a request, and the family it was read as. Pure: equal requests give equal plans. */
export function planFor(request: PlannerRequest): { family: Intent['family']; plan: Plan } {
  const { reading, intent } = understand(request.question, request.turns, request.profile);
  const context = { reading, request, profile: request.profile };
  // A feature that is not there cannot be answered about; others beside it can.
  if (reading.missing.length > 0 && reading.features.length === 0)
    return { family: 'list', plan: composeNoFeature(context).build() };
  const builder = composerFor(intent.family, context)(context);
  if (reading.cues.has('why') && !WITH_REASON.has(intent.family))
    builder.explain('No source of this record gives a reason; it says what happened, not why.');
  const other = intent.other === undefined ? null : otherQuestion(intent.other, reading);
  if (other !== null) builder.askFirst(other);
  return { family: intent.family, plan: builder.build() };
}

async function* write(request: PlannerRequest): AsyncGenerator<string> {
  const text = JSON.stringify(planFor(request).plan);
  for (let at = 0; at < text.length; at += PIECE) {
    if (request.signal.aborted) return;
    yield text.slice(at, at + PIECE);
    // Lets what was yielded be resolved and sent before the next piece.
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/**
 * The planner that needs no key and no network: reads the question with the semantic layer's vocabulary and writes
 * the JSON text of a plan, in pieces. Never throws for any question; stops between pieces when aborted.
 */
export const builtinPlanner = (): NamedPlanner => ({
  kind: 'builtin',
  name: 'Built-in planner',
  model: null,
  plan: write,
});
