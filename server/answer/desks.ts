import type { ProjectRef } from '../../shared/wire.ts';
import type { Keeping } from './keeping.ts';
import type { AnswerPorts, AnswerRequest } from './ports.ts';
import type { NamedPlanner } from './types.ts';

/** The starting view: who writes its plan, and its heading. */
export interface StartingView {
  planner: NamedPlanner;
  title: NonNullable<AnswerRequest['title']>;
}

/** Where answers about one project, or about several that are compared, are made. */
export interface Desk {
  /** The projects its answers are about; one, or those compared. */
  projects: readonly ProjectRef[];
  ports: AnswerPorts;
  planner: NamedPlanner;
  starting: StartingView;
  /** Null where answers are not archived. */
  keeping: Keeping | null;
}

/** All desks of a server. */
export interface Desks {
  /**
   * The desk for a question: the project it is asked in, unless its words name another one or compare several.
   * @param project id of the project it is asked in; the default one when left out
   * @returns null when there is no such project
   */
  ask(question: string, project: string | undefined): Desk | null;
  /** The desk of a project's starting view; null when there is no such project. */
  start(project: string | undefined): Desk | null;
  /** The desk of a kept answer, by what it remembers of its record; null when that is not loaded. */
  kept(folder: string): Desk | null;
  /** The desk of the default project. */
  first: Desk;
}

/** The desks of a server with one project: whatever is asked, it is asked there. */
export const oneDesk = (desk: Desk): Desks => {
  const [project] = desk.projects;
  const named = (id: string | undefined): Desk | null =>
    id === undefined || id === project?.id ? desk : null;
  return { ask: (_question, id) => named(id), start: named, kept: () => desk, first: desk };
};
