import { LIMITS } from '../../shared/limits.ts';
import type { ArchivedAnswer } from '../../shared/wire.ts';
import { Entry, ID, readEntry, writeEntry } from './entry.ts';
import { createFiles } from './files.ts';

export interface ArchiveLog {
  warn(message: string): void;
}

export interface ArchiveOptions {
  /** Folder of the answers' files; made if need be. */
  folder: string;
  /** Days an answer is kept; 0 keeps none. */
  keepDays: number;
  log: ArchiveLog;
  /** Most answers kept; the oldest go first. */
  most?: number;
  now?: () => number;
}

/** What makes two answers answers to the same question: what was asked, of whom (and which program), about which record, after what. */
export interface SameQuestion {
  question: string;
  context: string;
  planner: Entry['planner'];
  /** The program that plans. */
  program: string;
  fingerprint: string;
  folder: string;
}

/**
 * Answers that outlive the process. Without a folder that can be written it keeps nothing and says so once; nothing here
 * ever throws or rejects because of a file.
 */
export interface Archive {
  /** False where nothing is kept. */
  readonly keeps: boolean;
  /** Known at once; on disk after a while. One that does not fit is left out, with a word in the log. */
  put(entry: Entry): void;
  /** Null when there is none, or its file was damaged meanwhile. */
  get(id: string): Promise<Entry | null>;
  /** Whether there may be a plan for this question: cheap, and without the record. */
  mayHave(same: Omit<SameQuestion, 'fingerprint'>): boolean;
  /** The newest answer to the same question that ended well and was verified. */
  find(same: SameQuestion): Promise<Entry | null>;
  /** Newest first, at most LIMITS.archiveListed. */
  list(): ListedAnswer[];
  has(id: string): boolean;
  /** True when it was there. Its file is gone when this settles. */
  remove(id: string): Promise<boolean>;
  /** The ids of those that are gone. */
  removeAll(): Promise<string[]>;
  /** Settles when everything put so far is on disk. */
  written(): Promise<void>;
  /** Waits for what is still being written. */
  close(): Promise<void>;
}

/** An answer in the list, and the folder its record was read from. */
export interface ListedAnswer extends ArchivedAnswer {
  folder: string;
}

/** What is held in memory of an entry. */
interface Held extends ListedAnswer {
  same: string;
  fingerprint: string;
  /** Its plan may be used again. */
  usable: boolean;
}

/** Case, spacing and closing marks do not make another question. */
export const normalised = (question: string): string =>
  question
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[\s?.!]+$/u, '');

const sameKey = ({
  question,
  context,
  planner,
  program,
  folder,
}: Omit<SameQuestion, 'fingerprint'>): string =>
  JSON.stringify([normalised(question), context, planner.kind, planner.name, planner.model, program, folder]);

const DAY = 86_400_000;

const held = (entry: Entry): Held => ({
  id: entry.id,
  question: entry.question,
  askedAt: entry.askedAt,
  planner: entry.planner.name,
  code: entry.code,
  cards: entry.cards,
  folder: entry.record.folder,
  same: sameKey({ ...entry, folder: entry.record.folder }),
  fingerprint: entry.record.fingerprint,
  usable: entry.code === null && entry.report?.ok === true,
});

/** Text of an entry within LIMITS.archiveBytes, without its figures if need be; null when even that does not fit. */
function textOf(entry: Entry): string | null {
  for (const one of [entry, { ...entry, figures: [] }]) {
    const text = writeEntry(one);
    if (Buffer.byteLength(text) <= LIMITS.archiveBytes) return text;
  }
  return null;
}

/** Opens the archive of a folder and lets go of what is past its time. Never rejects. */
export async function openArchive(options: ArchiveOptions): Promise<Archive> {
  const { folder, keepDays, log, most = LIMITS.archiveAnswers, now = Date.now } = options;
  const files = createFiles(folder);
  /** By time of asking, the oldest first. */
  const known = new Map<string, Held>();
  let keeps = keepDays > 0;
  let turn: Promise<unknown> = Promise.resolve();

  const off = (): void => {
    if (!keeps) return;
    keeps = false;
    known.clear();
    log.warn(`Answers cannot be kept in ${folder}; they last as long as this process.`);
  };
  /** One after the other, so that an answer is never written after it was removed. */
  const queue = (work: () => Promise<unknown>): Promise<unknown> => {
    const mine = turn.then(() => (keeps ? work() : undefined)).catch(off);
    turn = mine;
    return mine;
  };
  const add = (one: Held): void => {
    known.delete(one.id);
    known.set(one.id, one);
  };
  const letGo = (id: string): void => {
    known.delete(id);
    void queue(() => files.remove(id));
  };
  const retain = (): void => {
    const oldest = now() - keepDays * DAY;
    for (const one of [...known.values()].sort((a, b) => a.askedAt - b.askedAt))
      if (one.askedAt < oldest || known.size > most) letGo(one.id);
  };
  const read = async (id: string): Promise<Entry | null> => {
    try {
      const entry = readEntry(await files.read(id));
      if (entry.id !== id) throw new Error('another answer');
      return entry;
    } catch {
      log.warn(`The kept answer ${id} cannot be read; it is passed over.`);
      return null;
    }
  };

  if (keeps) {
    try {
      await files.prepare();
      const { ids, rest } = await files.list(most);
      const entries: Held[] = [];
      for (const id of ids) {
        const entry = await read(id);
        if (entry !== null) entries.push(held(entry));
      }
      for (const one of entries.sort((a, b) => a.askedAt - b.askedAt)) add(one);
      for (const id of rest) letGo(id);
      retain();
      await turn;
    } catch {
      off();
    }
  }

  const get = async (id: string): Promise<Entry | null> => {
    if (!ID.test(id) || !known.has(id)) return null;
    await turn;
    const entry = known.has(id) ? await read(id) : null;
    if (entry === null) known.delete(id);
    return entry;
  };
  const newest = (fits: (one: Held) => boolean): Held | undefined => [...known.values()].findLast(fits);

  return {
    get keeps() {
      return keeps;
    },
    put(given) {
      if (!keeps) return;
      const read = Entry.safeParse(given);
      const text = read.success ? textOf(read.data) : null;
      if (!read.success || text === null) {
        log.warn(`The answer ${given.id} does not fit into a file; it is not kept.`);
        return;
      }
      add(held(read.data));
      void queue(() => files.write(given.id, text));
      retain();
    },
    get,
    mayHave: (same) => {
      const key = sameKey(same);
      return newest((one) => one.usable && one.same === key) !== undefined;
    },
    async find(same) {
      const key = sameKey(same);
      const one = newest(
        ({ usable, same: its, fingerprint }) => usable && its === key && fingerprint === same.fingerprint,
      );
      return one === undefined ? null : get(one.id);
    },
    list: () =>
      [...known.values()]
        .slice(-LIMITS.archiveListed)
        .reverse()
        .map(({ id, question, askedAt, planner, code, cards, folder }) => ({
          id,
          question,
          askedAt,
          planner,
          code,
          cards,
          folder,
        })),
    has: (id) => known.has(id),
    async remove(id) {
      if (!known.delete(id)) return false;
      await queue(() => files.remove(id));
      return true;
    },
    async removeAll() {
      const ids = [...known.keys()];
      known.clear();
      await queue(async () => {
        // Damaged ones too: what a person deletes is gone.
        const { ids: there, rest } = await files.list(most);
        for (const id of new Set([...ids, ...there, ...rest])) await files.remove(id);
      });
      return ids;
    },
    async written() {
      await turn;
    },
    async close() {
      await turn;
    },
  };
}
