import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { LIMITS } from '../../../shared/limits.ts';
import { Belonging } from './session-belonging.ts';
import { SessionCwds } from './session-cwd.ts';
import type { SessionHomes } from './session-homes.ts';
import { keptOf, type SessionFile, SessionLister } from './session-listing.ts';

/** Files of homes that belong to a project. The same object is given again while nothing has changed. */
export interface FoundSessions {
  files: readonly SessionFile[];
  /** What was seen and left out, in words. */
  left: readonly string[];
}

export const NO_SESSIONS: FoundSessions = { files: [], left: [] };

const ARCHIVED = '/archived_sessions/';

/** The transcript of the session a subagent's file belongs to, and that of which a file tells more (`x.meta.json` of `x.jsonl`). */
const sessionOf = (real: string): string | null => {
  const at = real.lastIndexOf('/subagents/');
  return at === -1 ? null : `${real.slice(0, at)}.jsonl`;
};
const told = (real: string): string => real.replace(/\.meta\.json$/, '.jsonl');

/** Finds the sessions of one project in the homes of harnesses, again and again. */
export class SessionLook {
  readonly #homes: SessionHomes;
  readonly #lister = new SessionLister();
  readonly #cwds = new SessionCwds();
  readonly #belonging: Belonging;
  #last: FoundSessions = NO_SESSIONS;

  /** @param root the project's folder without links */
  constructor(homes: SessionHomes, root: string) {
    this.#homes = homes;
    this.#belonging = new Belonging(root, homes.scope);
  }

  /** Whether a session belongs. @param again whether it is looked at once more though it was begun elsewhere */
  async #belongs(file: string, again: boolean): Promise<boolean> {
    const before = this.#cwds.known(file);
    // Of thousands of sessions elsewhere nothing but the state of their folders is looked at: where one was begun does not change.
    if (before !== null && !again && !(await this.#belonging.of(before))) return false;
    return this.#belonging.of(await this.#cwds.of(file));
  }

  async #mine(files: readonly SessionFile[]): Promise<SessionFile[]> {
    if (this.#homes.scope === 'all') return [...files];
    const there = new Set(files.map(({ real }) => real));
    return keptOf(files, ({ real, home, relisted }) => {
      const own = told(real);
      // A subagent may work in a worktree of its own; it belongs where its session does.
      const session = home.harness === 'claude' ? sessionOf(own) : null;
      return this.#belongs(session !== null && there.has(session) ? session : own, relisted);
    });
  }

  /** Whether the folder of a session is worth looking into: not if the session was begun elsewhere. */
  async #wanted(transcript: string): Promise<boolean> {
    if (this.#homes.scope === 'all') return true;
    const cwd = this.#cwds.known(transcript) ?? (await this.#cwds.of(transcript));
    return cwd === null || this.#belonging.of(cwd);
  }

  /** The most recently written of too many. */
  async #newest(files: readonly SessionFile[]): Promise<SessionFile[]> {
    const times = await Promise.all(
      files.map(async ({ real }) => (await stat(real).catch(() => null))?.mtimeMs ?? 0),
    );
    const kept = new Set(
      files
        .map((file, at) => ({ file, at: times[at] ?? 0 }))
        .sort((a, b) => b.at - a.at)
        .slice(0, LIMITS.sessionFiles)
        .map(({ file }) => file),
    );
    return files.filter((file) => kept.has(file));
  }

  /** What the homes hold of the project now. Never throws for what stands there. */
  async look(): Promise<FoundSessions> {
    const { files, left } = await this.#lister.list(this.#homes.homes, (transcript) =>
      this.#wanted(transcript),
    );
    this.#cwds.keep(new Set(files.map(({ real }) => real)));
    const belonging = await this.#mine(files);
    // A rollout that was archived and is back stands in both places; the one at work counts.
    const active = new Set(
      belonging
        .filter(({ path }) => !path.includes(ARCHIVED))
        .map(({ home, path }) => `${home.dir}\n${basename(path)}`),
    );
    const once = belonging.filter(
      ({ home, path }) => !path.includes(ARCHIVED) || !active.has(`${home.dir}\n${basename(path)}`),
    );
    const kept = once.length > LIMITS.sessionFiles ? await this.#newest(once) : once;
    const words = [...left];
    const others = files.length - belonging.length;
    if (others > 0) words.push(`${others} ${others === 1 ? 'file' : 'files'} of sessions in other folders.`);
    const copies = belonging.length - once.length;
    if (copies > 0)
      words.push(
        copies === 1
          ? 'An archived session that is also among the active ones.'
          : `${copies} archived sessions that are also among the active ones.`,
      );
    if (once.length > kept.length)
      words.push(`${once.length - kept.length} older files of sessions: ${kept.length} are read.`);
    const same =
      this.#last.files.length === kept.length &&
      this.#last.left.join('\n') === words.join('\n') &&
      this.#last.files.every(({ path, real }, at) => path === kept[at]?.path && real === kept[at]?.real);
    if (!same) this.#last = { files: kept, left: words };
    return this.#last;
  }
}
