import type { ProjectRef } from '../../../shared/wire.ts';
import type { Memory } from '../app/memory.ts';
import { answerOf } from '../app/state.ts';
import type { Store } from '../app/store.ts';
import { getHealth } from '../lib/api.ts';
import { choiceOf, type ProjectChoice } from './choice.ts';
import { getProjects } from './read.ts';

/** Which project is on the page: its facts and its conversation come and go with it. */
export interface ProjectOnPage {
  /** Reads the list of projects. */
  readList(): void;
  /** Reads the facts of the project on the page. */
  readFacts(): void;
  /** Puts another project on the page. */
  enter(project: ProjectChoice): void;
  /** The page follows an answer to the project it is about; a comparison is about none alone. */
  goWith(key: string, about: readonly ProjectRef[]): void;
}

export function createProjectOnPage(store: Store, memory: Memory): ProjectOnPage {
  /** Settles when the list of projects is there, or will not be. */
  let listKnown: Promise<void> = Promise.resolve();

  function readFacts(): void {
    const { project } = store.state();
    void getHealth(project).then((health) => {
      if (store.state().project === project) store.dispatch({ type: 'health', health });
    });
  }

  function enter(project: ProjectChoice): void {
    store.dispatch({ type: 'project', project, earlier: memory.of(project).turns() });
    readFacts();
  }

  function goWith(key: string, about: readonly ProjectRef[]): void {
    const [one] = about;
    if (one === undefined || about.length > 1) return;
    const { projects } = store.state();
    if (projects.length === 0) {
      void listKnown.then(() => store.state().projects.length > 0 && goWith(key, about));
      return;
    }
    const project = choiceOf(one.id, projects);
    if (answerOf(store.state(), key)?.project !== project) store.dispatch({ type: 'belongs', key, project });
    const { current, project: onPage } = store.state();
    if (current === key && project !== onPage) enter(project);
  }

  return {
    readList() {
      listKnown = getProjects().then((projects) => {
        const before = store.state().project;
        store.dispatch({ type: 'projects', projects });
        // The address may have called the default project by its name.
        const { project } = store.state();
        if (project !== before) enter(project);
      });
    },
    readFacts,
    enter,
    goWith,
  };
}
