import type { Plan } from '../../../shared/plan.ts';
import type { NamedPlanner, PlannerRequest } from '../../answer/types.ts';
import { composeCommits } from './compose/commits.ts';
import { composeCompare } from './compose/compare.ts';
import type { Compose } from './compose/context.ts';
import { composeDefinition } from './compose/definition.ts';
import { composeDistribution } from './compose/distribution.ts';
import { composeFailed } from './compose/failed.ts';
import { composeFeature } from './compose/feature.ts';
import { composeFigure } from './compose/figure.ts';
import { composeList } from './compose/list.ts';
import { composeNotUnderstood } from './compose/not-understood.ts';
import { composeOverview } from './compose/overview.ts';
import { composeRanking } from './compose/ranking.ts';
import { composeSources } from './compose/sources.ts';
import { composeTrend } from './compose/trend.ts';
import { composeUnrecorded } from './compose/unrecorded.ts';
import { understand } from './conversation.ts';
import type { Intent } from './intent.ts';

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
  definition: composeDefinition,
  unrecorded: composeUnrecorded,
  not_understood: composeNotUnderstood,
};

/** Characters of one piece of text: small enough that cards reach the page one after another. */
const PIECE = 512;

/** The plan for a request, and the family it was read as. Pure: equal requests give equal plans. */
export function planFor(request: PlannerRequest): { family: Intent['family']; plan: Plan } {
  const { reading, intent } = understand(request.question, request.turns, request.profile);
  const builder = COMPOSERS[intent.family]({ reading, request, profile: request.profile });
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
