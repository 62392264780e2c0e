import type { SourceKind } from '../../source-kinds.ts';
import type { Adapter, SourceInput } from '../adapter.ts';
import type { ArtifactName } from './contract.ts';
import { readProfile } from './profile.ts';
import { readRun } from './read-run.ts';

/** The artifacts of a run, in the order of its stages. */
const KINDS = [
  ['task.md', 'loop_task'],
  ['analysis.md', 'loop_analysis'],
  ['plan.md', 'loop_plan'],
  ['implementation.md', 'loop_implementation'],
  ['test-report.md', 'loop_test_report'],
] as const satisfies readonly (readonly [ArtifactName, SourceKind])[];

const PROFILE_UNIT = 'profile';
/** Folder of a run in the path of one of its files; null for a file of the project. */
const folderOf = (path: string): string | null => /^\.agent-loop\/runs\/([^/]+)\//.exec(path)?.[1] ?? null;

/**
 * agent-loop: a project profile, and for each task a folder of artifacts in Markdown that the stages (analyse, plan, implement,
 * verify, debug) write one after the other. No JSON and no times; the date is in the folder's name.
 */
const agentLoop: Adapter = {
  id: 'agent-loop',
  version: 1,
  label: 'agent-loop',
  sources: [
    { kind: 'loop_profile', paths: ['.agent-loop/profile.md'], single: true },
    ...KINDS.map(([name, kind]) => ({ kind, paths: [`.agent-loop/runs/*/${name}`] })),
  ],
  unit: (path) => folderOf(path) ?? PROFILE_UNIT,
  async read(unit, out) {
    const [profile] = unit.of('loop_profile');
    if (profile) await readProfile(profile, out);
    const run: [ArtifactName, SourceInput][] = [];
    for (const [name, kind] of KINDS) for (const source of unit.of(kind)) run.push([name, source]);
    const folder = folderOf(run[0]?.[1].path ?? '');
    if (folder !== null) await readRun(folder, run, out);
  },
};

export const AGENT_LOOP: readonly Adapter[] = [agentLoop];
