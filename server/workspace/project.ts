import type { ProjectInfo, ProjectRef } from '../../shared/wire.ts';
import { isEmptyRecord } from '../record/empty.ts';
import type { RecordHandle } from '../record/store.ts';
import type { Wiring } from '../wiring.ts';

/** One loaded project: its record, and the steps of an answer around it. */
export interface Project extends ProjectRef {
  /** What a question may call it by. */
  called: readonly string[];
  /** Folder of the project, absolute: what kept answers remember it by. */
  folder: string;
  /** The folder as people are shown it. */
  label: string;
  record: RecordHandle;
  wiring: Wiring;
}

/** Most harnesses named of one project. */
const HARNESSES = 12;

/** A harness as it calls itself; one that is not listed here is shown by its id. */
const NAMES: Readonly<Record<string, string>> = {
  agentforge: 'AgentForge',
  guardiankane: 'GuardianKane',
  ralph: 'Ralph',
};

export const refOf = ({ id, name }: ProjectRef): ProjectRef => ({ id, name });

/** What people are told of a project. Never rejects: one that cannot be asked is told as unreadable. */
export async function describeProject(project: Project): Promise<ProjectInfo> {
  const known = { ...refOf(project), path: project.label };
  try {
    const [profile, harnesses] = await Promise.all([
      project.record.profile(),
      project.record.store.query(
        'SELECT DISTINCT harness FROM runs WHERE harness IS NOT NULL ORDER BY 1',
        [],
        {
          rows: HARNESSES,
        },
      ),
    ]);
    return {
      ...known,
      harnesses: harnesses.rows.flatMap(({ harness }) =>
        typeof harness === 'string' ? [NAMES[harness] ?? harness] : [],
      ),
      state: isEmptyRecord(profile) ? 'empty' : 'ready',
      features: profile.features.length,
      findings: profile.findings,
    };
  } catch {
    return { ...known, harnesses: [], state: 'unreadable', features: 0, findings: 0 };
  }
}
