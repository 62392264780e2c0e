import { ARTIFACTS, type ArtifactName, needsArtifact, PROFILE } from '../ingest/agent-loop/contract.ts';
import { about, type LoopRun, loopRuns, projectArtifacts } from './loop-runs.ts';
import type { Finding, Rule } from './rule.ts';

const RULE = 'missing_artifact';
const dateOf = (run: LoopRun): string => run.folder.slice(0, 10);

/**
 * An artifact that its tier needs and that is not there. The last stages of a run may only not have come yet, so what is
 * missing at its end counts when a run of a later day has begun.
 */
function missing(run: LoopRun, lastDay: string): Finding[] {
  const tier = run.tier?.data ?? null;
  const there = (name: ArtifactName): boolean => run.artifacts.has(name);
  const place = run.tier?.place ?? [...run.artifacts.values()][0]?.place;
  return ARTIFACTS.flatMap((name, i) => {
    if (!needsArtifact(tier, name) || there(name)) return [];
    const after = ARTIFACTS.slice(i + 1).find(there);
    if (!after && !(dateOf(run) < lastDay)) return [];
    const why = after ? `although ${after} is there` : 'and a later run has begun';
    const size = tier === null ? '' : ` (tier ${tier})`;
    return [
      about(run, RULE, 'warning', `${run.folder}${size} has no ${name}, ${why}`, place ? [place] : [], name),
    ];
  });
}

/** A stage that was skipped leaves nothing that could be checked. */
export const missingArtifact: Rule = {
  id: RULE,
  sentence: 'A run of agent-loop lacks an artifact that its tier needs.',
  find: async (query) => {
    const runs = await loopRuns(query);
    const lastDay = runs.map(dateOf).sort().at(-1) ?? '';
    const findings = runs.flatMap((run) => missing(run, lastDay));
    const [first] = runs;
    const profile = (await projectArtifacts(query)).some(({ data }) => data.artifact === PROFILE);
    if (!first || profile) return findings;
    const place = [...first.artifacts.values()][0]?.place;
    return [
      ...findings,
      {
        id: `${RULE}.${first.runId}.${PROFILE}`,
        runId: first.runId,
        featureId: null,
        severity: 'warning',
        fact: null,
        says: `There is no ${PROFILE}, although ${runs.length === 1 ? 'a run was' : `${runs.length} runs were`} made`,
        rows: place ? [place] : [],
      },
    ];
  },
};
