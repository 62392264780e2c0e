import { LIMITS } from '../../shared/limits.ts';
import type { Placed } from '../record/ingest/otlp/kept.ts';
import type { RecordHandle } from '../record/store.ts';

/** A project telemetry may belong to. */
export interface PlacedProject {
  id: string;
  folder: string;
  /** What it may be called. */
  called: readonly string[];
  record: Pick<RecordHandle, 'store' | 'reload'>;
}

export interface Place<P extends PlacedProject> {
  project: P;
  placed: Placed;
}

/** Time for which a session that no project knows is not asked for again, and how many may be asked for in that time. */
const UNKNOWN_MS = 1_000;
const ASKED = 100;

/** Sessions that transcripts or rollouts tell of; what telemetry itself told does not count. */
const KNOWN = `SELECT 1 AS one FROM sessions_told s JOIN sources o USING (source_id)
 WHERE s.session_id = $1 AND o.kind <> 'otlp_events' LIMIT 1`;

const same = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/**
 * Finds the project of telemetry, which carries no folder: the one whose transcripts know the session; else the one the sender names;
 * else the first. How it was found is kept with every record.
 */
export class Placing<P extends PlacedProject> {
  readonly #projects: readonly [P, ...P[]];
  readonly #now: () => number;
  readonly #known = new Map<string, P>();
  readonly #unknown = new Map<string, number>();
  #window = { from: Number.NEGATIVE_INFINITY, asked: 0 };

  constructor(projects: readonly [P, ...P[]], now: () => number = Date.now) {
    this.#projects = projects;
    this.#now = now;
  }

  async #knows(session: string): Promise<P | null> {
    const known = this.#known.get(session);
    if (known !== undefined) return known;
    const asked = this.#unknown.get(session);
    if (asked !== undefined && this.#now() - asked < UNKNOWN_MS) return null;
    if (!this.#mayAsk()) return null;
    for (const project of this.#projects) {
      try {
        const { rows } = await project.record.store.query(KNOWN, [session]);
        if (rows.length === 0) continue;
        this.#remember(this.#known, session, project);
        return project;
      } catch {
        // A record that cannot be asked now knows nothing now.
      }
    }
    this.#remember(this.#unknown, session, this.#now());
    return null;
  }

  /** A sender may name thousands of sessions; asking for all of them would hold up everything else. */
  #mayAsk(): boolean {
    const now = this.#now();
    if (now - this.#window.from >= UNKNOWN_MS || now < this.#window.from)
      this.#window = { from: now, asked: 0 };
    this.#window.asked += 1;
    return this.#window.asked <= ASKED;
  }

  #remember<T>(map: Map<string, T>, session: string, value: T): void {
    map.delete(session);
    map.set(session, value);
    const oldest = map.size > LIMITS.otlpSessions ? map.keys().next().value : undefined;
    if (oldest !== undefined) map.delete(oldest);
  }

  /**
   * @param session the session a record is of, if it is of one
   * @param name what the sender calls its project, if anything
   */
  async of(session: string | null, name: string | null): Promise<Place<P>> {
    const known = session === null ? null : await this.#knows(session);
    if (known !== null) return { project: known, placed: 'session' };
    const named =
      name === null
        ? undefined
        : this.#projects.find(({ id, called }) => [id, ...called].some((way) => same(way, name)));
    if (named !== undefined) return { project: named, placed: 'named' };
    return { project: this.#projects[0], placed: 'first' };
  }
}
