import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '../../../shared/limits.ts';
import { TELEMETRY_PATH } from './otlp/index.ts';
import type { SessionFile } from './session-listing.ts';
import type { FoundSessions } from './session-look.ts';

/** Files of telemetry that was received for a project: kept in Looplight's own data folder, numbered as they were begun. */
const FILE = /^\d{6}\.jsonl$/;

/** Puts the files of telemetry beside what homes of harnesses hold, again and again; the same object while nothing has changed. */
export class TelemetryLook {
  readonly #folder: string;
  #names = '';
  #of: FoundSessions | null = null;
  #last: FoundSessions | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Never throws: a folder that is not there has no files. */
  async with(sessions: FoundSessions): Promise<FoundSessions> {
    const there = await readdir(this.#folder).catch(() => []);
    const files = there
      .filter((name) => FILE.test(name))
      .sort()
      .slice(-LIMITS.otlpFiles);
    const names = files.join('\n');
    if (this.#last !== null && this.#of === sessions && this.#names === names) return this.#last;
    const real = files.length === 0 ? this.#folder : await realpath(this.#folder).catch(() => this.#folder);
    const found = files.map(
      (name): SessionFile => ({
        home: { harness: 'telemetry', dir: real, shown: TELEMETRY_PATH },
        path: `${TELEMETRY_PATH}/${name}`,
        real: join(real, name),
        relisted: false,
      }),
    );
    this.#of = sessions;
    this.#names = names;
    this.#last = found.length === 0 ? sessions : { ...sessions, files: [...sessions.files, ...found] };
    return this.#last;
  }
}
