import type { VerdictData } from '../ingest/agent-loop/event-data.ts';
import { about, loopRuns } from './loop-runs.ts';
import type { Rule } from './rule.ts';

const RULE = 'verifier_inputs';

/** Why a PASS does not rest on what the verifier itself ran. */
function restsOn(folder: string, { check, checkShown, commands, secondHand }: VerdictData): string | null {
  if (secondHand)
    return `The verdict of ${folder} rests on what the implementer says: "${secondHand.value.slice(0, 80)}"`;
  if (check !== null && !checkShown)
    return `The verdict of ${folder} is PASS, and its evidence does not show that the plan's check was run: ${(check.split('\n')[0] ?? '').slice(0, 80)}`;
  return check === null && commands === 0
    ? `The verdict of ${folder} is PASS, and its evidence shows no command that was run`
    : null;
}

/** The verifier may see the task, the plan, the code and what its own commands print, and nothing else. */
export const verifierInputs: Rule = {
  id: RULE,
  sentence: "A PASS rests on something else than the verifier's own run of the check.",
  find: async (query) =>
    (await loopRuns(query)).flatMap((run) => {
      if (run.verdict?.data.exact !== 'PASS') return [];
      const { data, place } = run.verdict;
      const says = restsOn(run.folder, data);
      if (says === null) return [];
      const line = data.secondHand?.line ?? data.evidenceLine;
      const rows = line === null ? [place] : [place, { ...place, line, ref: null }];
      const named = data.check !== null && run.check && !data.secondHand ? [run.check.place] : [];
      return [about(run, RULE, 'warning', says, [...rows, ...named])];
    }),
};
