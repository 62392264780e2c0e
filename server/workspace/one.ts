import type { RecordHandle } from '../record/store.ts';
import { createWiring } from '../wiring.ts';
import type { Project } from './project.ts';

/** A record alone as the one project of a server. @param folder what kept answers remember it by */
export const oneProject = (record: RecordHandle, folder = ''): [Project] => [
  {
    id: 'project',
    name: 'project',
    label: '',
    called: [],
    folder,
    record,
    wiring: createWiring(record, { id: 'project', name: 'project' }),
  },
];
