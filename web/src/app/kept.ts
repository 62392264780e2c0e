import { deleteAnswer, deleteAnswers, getArchive } from '../lib/archive.ts';
import type { Memory } from './memory.ts';
import type { Store } from './store.ts';

/** The answers the server keeps, as the page lists them. */
export interface KeptAnswers {
  read(): void;
  /** Deletes a kept answer, at the server and in this tab. */
  forget(id: string): Promise<void>;
  /** Deletes every kept answer, at the server and in this tab. */
  forgetAll(): Promise<void>;
}

export function createKeptAnswers(store: Store, memory: Memory): KeptAnswers {
  const read = (): void => void getArchive().then((answers) => store.dispatch({ type: 'archive', answers }));

  return {
    read,
    async forget(id) {
      if (!(await deleteAnswer(id))) return;
      memory.of(store.state().project).drop(id);
      store.dispatch({ type: 'deleted', id });
      read();
    },
    async forgetAll() {
      if (!(await deleteAnswers())) return;
      for (const choice of [null, ...store.state().projects.map(({ id }) => id)]) {
        const own = memory.of(choice);
        for (const { id } of own.turns()) own.drop(id);
      }
      store.dispatch({ type: 'deletedAll' });
      read();
    },
  };
}
