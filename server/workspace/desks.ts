import type { Desk, Desks } from '../answer/desks.ts';
import type { Keeping } from '../answer/keeping.ts';
import type { StepLog } from '../answer/ports.ts';
import type { NamedPlanner } from '../answer/types.ts';
import { ownPlanner } from '../own/planner.ts';
import { asksOwn } from '../own/questions.ts';
import { comparisonDesk } from './comparison/desk.ts';
import { type Project, refOf } from './project.ts';
import { whichProjects } from './which.ts';

export interface DesksParts {
  projects: readonly [Project, ...Project[]];
  planner: NamedPlanner;
  /** The record of Looplight's own answers; null where none are kept. */
  own: Project | null;
  /** Keeps answers about a folder, or about several under one name; null where none are kept. */
  keeping: ((folder: string) => Keeping) | null;
  log: StepLog;
}

/** Parts a comparison's folders in what its kept answers remember; no path holds it. */
const BETWEEN = '\u0000';
/** What answers of before there were folders remember: whichever is loaded. */
const ANY = '';

/** What the kept answers of a desk remember its record by. */
const folderOf = (projects: readonly Project[]): string => projects.map(({ folder }) => folder).join(BETWEEN);

/** One desk a project, and one for each set of projects that is compared. */
export function createDesks({ projects, planner, own, keeping, log }: DesksParts): Desks {
  const [first] = projects;
  const desks = new Map<string, Desk>();
  const make = (some: readonly [Project, ...Project[]]): Desk => {
    const [one] = some;
    const kept = keeping?.(folderOf(some)) ?? null;
    if (some.length > 1) return comparisonDesk({ projects: some, keeping: kept, log });
    const { starting, ports } = one.wiring;
    return { projects: [refOf(one)], ports: ports(log), planner, starting, keeping: kept };
  };
  const deskOf = (some: readonly [Project, ...Project[]]): Desk => {
    const key = some.map(({ id }) => id).join(' ');
    const known = desks.get(key);
    if (known) return known;
    const made = make(some);
    desks.set(key, made);
    return made;
  };
  /** Questions about answers are answered beside the projects, and are part of none. */
  const ownDesk: Desk | null = own && {
    projects: [],
    ports: own.wiring.ports(log),
    planner: ownPlanner,
    starting: own.wiring.starting,
    keeping: keeping?.(own.folder) ?? null,
  };
  const byId = (id: string | undefined): Project | null =>
    id === undefined ? first : (projects.find((project) => project.id === id) ?? null);
  const start = (id: string | undefined): Desk | null => {
    if (ownDesk !== null && id === own?.id) return ownDesk;
    const project = byId(id);
    return project === null ? null : deskOf([project]);
  };

  return {
    first: deskOf([first]),
    start,
    ask(question, id) {
      if (ownDesk !== null && (id === own?.id || asksOwn(question))) return ownDesk;
      const current = byId(id);
      if (current === null) return null;
      const chosen = whichProjects(question, projects, current);
      const [one = current, ...others] = projects.filter(({ id: its }) => chosen.includes(its));
      return deskOf([one, ...others]);
    },
    kept(folder) {
      if (folder === ANY) return deskOf([first]);
      if (ownDesk !== null && folder === own?.folder) return ownDesk;
      const parts = folder.split(BETWEEN);
      const [one, ...others] = projects.filter((project) => parts.includes(project.folder));
      return one !== undefined && others.length + 1 === parts.length ? deskOf([one, ...others]) : null;
    },
  };
}
