import { readParagraphs } from '../lib/figures.ts';
import { isRecord, list, number, parseJson, text } from '../lib/unknown.ts';
import type { EarlierTurn } from './state.ts';

/** Turns remembered over a reload, and the most characters of one answer's words; longer ones are left to its address. */
const TURNS = 20;
const WORDS = 12_000;
const NAME = 'looplight-conversation';

/** What outlives a reload in this tab: which conversation it is, and what was asked in it. */
export interface Memory {
  /** The memory of another project; null for that of the default one. Each has a conversation of its own. */
  of(project: string | null): Memory;
  conversation(): string;
  turns(): EarlierTurn[];
  keep(turn: EarlierTurn): void;
  /** Forgets a turn. */
  drop(id: string): void;
}

function readTurn(value: unknown): EarlierTurn | null {
  if (!isRecord(value)) return null;
  const id = text(value.id);
  const question = text(value.question);
  const at = number(value.at);
  return id === null || question === null || at === null || !/^[\w-]{1,100}$/.test(id)
    ? null
    : { id, question, at, paragraphs: readParagraphs(value.paragraphs) };
}

function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Memory in a tab's storage; where that is closed (private windows, blocked storage) it lasts as long as the page.
 * @param storage the tab's `sessionStorage`, or null
 */
export function createMemory(storage: TabStorage | null): Memory {
  const known = new Map<string | null, Memory>();
  const of = (project: string | null): Memory => {
    const made = known.get(project) ?? memoryOf(storage, project, of);
    known.set(project, made);
    return made;
  };
  return of(null);
}

type TabStorage = Pick<Storage, 'getItem' | 'setItem'>;

function memoryOf(storage: TabStorage | null, project: string | null, of: Memory['of']): Memory {
  const name = project === null ? NAME : `${NAME}.${project}`;
  const load = (): { id: string; turns: EarlierTurn[] } => {
    const kept = parseJson(attempt(() => storage?.getItem(name)) ?? '');
    const id = isRecord(kept) ? text(kept.id) : null;
    if (!isRecord(kept) || id === null || !/^[\w-]{1,64}$/.test(id)) return { id: randomId(), turns: [] };
    return { id, turns: list(kept.turns, readTurn, TURNS) };
  };
  const kept = load();
  const save = () => attempt(() => storage?.setItem(name, JSON.stringify(kept)));
  save();
  return {
    of,
    conversation: () => kept.id,
    turns: () => kept.turns,
    keep(turn) {
      const known = kept.turns.findIndex((other) => other.id === turn.id);
      // An answer that is fetched again has no words at first; those that are known stay until then.
      const paragraphs = turn.paragraphs.length > 0 ? turn.paragraphs : (kept.turns[known]?.paragraphs ?? []);
      const fits = JSON.stringify(paragraphs).length <= WORDS;
      const bounded = { ...turn, paragraphs: fits ? paragraphs : [] };
      kept.turns = (known === -1 ? [...kept.turns, bounded] : kept.turns.with(known, bounded)).slice(-TURNS);
      save();
    },
    drop(id) {
      kept.turns = kept.turns.filter((turn) => turn.id !== id);
      save();
    },
  };
}

function attempt<T>(action: () => T): T | null {
  try {
    return action();
  } catch {
    return null;
  }
}

/** The tab's storage, or null where even asking for it is refused. */
export const tabStorage = (view: Window): Storage | null => attempt(() => view.sessionStorage);
