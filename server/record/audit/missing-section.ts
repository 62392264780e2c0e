import { SECTIONS, sectionKey } from '../ingest/agent-loop/contract.ts';
import type { ArtifactData } from '../ingest/agent-loop/event-data.ts';
import { about, loopRuns, projectArtifacts, type Told } from './loop-runs.ts';
import type { FindingRow, Rule } from './rule.ts';
import { listText } from './words.ts';

const RULE = 'missing_section';

/** What is not there or holds nothing, and the lines that show it. */
function lacking(
  { data, place }: Told<ArtifactData>,
  when: { plan: boolean; failed: boolean },
): { words: string[]; rows: FindingRow[] } {
  const words: string[] = [];
  const rows = [place];
  for (const { name, when: needed } of SECTIONS[data.artifact] ?? []) {
    if ((needed === 'with_plan' && !when.plan) || (needed === 'on_fail' && !when.failed)) continue;
    const same = data.sections.filter(({ key }) => key === sectionKey(name));
    const [section] = same;
    if (!section) words.push(`no "${name}"`);
    else if (!same.some(({ filled }) => filled)) {
      words.push(`nothing under "${name}"`);
      rows.push({ ...place, line: section.line });
    }
  }
  return { words, rows };
}

/** Sections are what the next stage reads: one that is missing is a question nobody answered. */
export const missingSection: Rule = {
  id: RULE,
  sentence: 'An artifact of agent-loop lacks a section it must have, or the section is empty.',
  find: async (query) => {
    const findings = (await loopRuns(query)).flatMap((run) =>
      [...run.artifacts.values()].flatMap((artifact) => {
        const { words, rows } = lacking(artifact, {
          plan: run.artifacts.has('plan.md'),
          failed: run.verdict?.data.exact === 'FAIL',
        });
        const name = artifact.data.artifact;
        return words.length === 0
          ? []
          : [about(run, RULE, 'warning', `${name} of ${run.folder} has ${listText(words)}`, rows, name)];
      }),
    );
    for (const artifact of await projectArtifacts(query)) {
      const { words, rows } = lacking(artifact, { plan: false, failed: false });
      if (words.length > 0)
        findings.push({
          id: `${RULE}.${artifact.data.artifact}`,
          runId: null,
          featureId: null,
          severity: 'info',
          fact: null,
          says: `${artifact.data.artifact} has ${listText(words)}`,
          rows,
        });
    }
    return findings;
  },
};
