import { openRecord } from '../record/index.ts';
import type { RecordLog } from '../record/log.ts';
import { createWiring } from '../wiring.ts';
import type { Project } from '../workspace/project.ts';
import { OWN_ANSWERS } from './adapter.ts';
import { ownStart, ownTitle } from './planner.ts';
import { OWN_QUESTIONS } from './questions.ts';

const ID = 'own-answers';
const NAME = "Looplight's own answers";

export interface OwnOptions {
  /** Folder of the kept answers. */
  folder: string;
  /** Where its record is kept: `:memory:`, or the path of a database file. */
  database: string;
  /** Settles when every answer given so far is in the folder. */
  written(): Promise<void>;
  log: RecordLog;
}

/**
 * The record of Looplight's own answers: a project beside those of runs, with a database of its own, so that neither can
 * ever enter the figures of the other. Throws only when the database cannot start.
 */
export async function openOwn({ folder, database, written, log }: OwnOptions): Promise<Project> {
  const record = await openRecord({
    root: folder,
    database,
    log,
    project: { id: ID, name: NAME },
    adapters: [OWN_ANSWERS],
  });
  const ref = { id: ID, name: NAME };
  const called = [NAME, ID];
  const wiring = createWiring(record, { ...ref, called });
  return {
    ...ref,
    called,
    label: 'answers',
    folder,
    record,
    wiring: {
      ...wiring,
      starting: { planner: ownStart, title: ownTitle },
      ports: (given) => ({
        ...wiring.ports(given),
        suggestions: () => [...OWN_QUESTIONS],
        async refresh() {
          await written();
          await record.reload();
        },
      }),
    },
  };
}
