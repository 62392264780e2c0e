import type { VerdictData } from '../ingest/agent-loop/event-data.ts';
import { about, loopRuns } from './loop-runs.ts';
import { countText } from './place.ts';
import type { Rule } from './rule.ts';
import { listText } from './words.ts';

const RULE = 'verdict_against_evidence';

/** What in the same report speaks against its verdict. */
function against({ exact, failed, passed, exitCode, findings }: VerdictData): string[] {
  if (exact === 'PASS')
    return [
      ...(failed !== null && failed > 0 ? [`shows ${countText(failed, 'failed case', 'failed cases')}`] : []),
      ...(exitCode !== null && exitCode !== 0 ? [`shows exit code ${exitCode}`] : []),
      ...(findings > 0 ? [`lists ${countText(findings, 'finding', 'findings')}`] : []),
    ];
  const clean = failed === 0 && passed !== null && passed > 0 && findings === 0 && (exitCode ?? 0) === 0;
  return exact === 'FAIL' && clean
    ? [`shows ${countText(passed ?? 0, 'case', 'cases')} that passed, none that failed, and no finding`]
    : [];
}

/** A report that contradicts itself proves neither. */
export const verdictAgainstEvidence: Rule = {
  id: RULE,
  sentence: 'The verdict of a test report is not what its own evidence and findings show.',
  find: async (query) =>
    (await loopRuns(query)).flatMap((run) => {
      if (!run.verdict) return [];
      const { data, place } = run.verdict;
      const words = against(data);
      const line = data.outputLine ?? data.evidenceLine;
      return words.length === 0
        ? []
        : [
            about(
              run,
              RULE,
              'error',
              `The verdict of ${run.folder} is ${data.exact}, yet the report ${listText(words)}`,
              line === null ? [place] : [place, { ...place, line, ref: null }],
            ),
          ];
    }),
};
