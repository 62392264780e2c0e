import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { LIMITS } from '../../shared/limits.ts';
import { createThrottle, type Throttle } from '../live/throttle.ts';
import type { Received } from './flatten.ts';
import { flatten, sessionIn } from './flatten.ts';
import { createKeeper, type Keeper, type KeeperLimits, telemetryFolder } from './keeper.ts';
import { type PlacedProject, Placing } from './placing.ts';
import type { Signal } from './wire.ts';

/** What became of a request. `rejected` records are not kept and need not be sent again. */
export type Outcome =
  | { type: 'kept'; rejected: number; why: string | null }
  /** Too much in this minute: nothing is kept, and it may be sent again in so many seconds. */
  | { type: 'later'; seconds: number }
  /** It cannot be written. */
  | { type: 'failed'; error: unknown };

export interface Receiver {
  /**
   * Keeps the records of one request. What is told as kept is in a file. Throws Refused for what is no OTLP.
   * @param bytes the request as it was sent, to know one that is sent again
   */
  take(
    body: { [name: string]: unknown },
    signal: Signal,
    bytes: Uint8Array,
    project: string | null,
  ): Promise<Outcome>;
  close(): Promise<void>;
}

export interface ReceiverLimits extends KeeperLimits {
  otlpRecordsPerMinute: number;
  otlpBytesPerMinute: number;
}

export interface ReceiverOptions {
  projects: readonly [PlacedProject, ...PlacedProject[]];
  /** Folder under which each project has its own. */
  folder: string;
  log: { warn(message: string): void };
  now?: () => number;
  limits?: ReceiverLimits;
}

const Line = z.object({ attrs: z.record(z.string(), z.unknown()) });

/** The session of a line that was kept. */
function sessionOf(line: string): string | null {
  try {
    const read = Line.safeParse(JSON.parse(line));
    return read.success ? sessionIn(read.data.attrs) : null;
  } catch {
    return null;
  }
}

const MINUTE = 60_000;
/** Shortest time between two readings that telemetry asks for. */
const RELOAD_MS = 400;

/** Folder of all telemetry in the state folder. */
export const telemetryBase = (state: string): string => join(state, 'telemetry');

export function createReceiver({
  projects,
  folder,
  log,
  now = Date.now,
  limits = LIMITS,
}: ReceiverOptions): Receiver {
  const placing = new Placing(projects, now);
  const keepers = new Map<PlacedProject, { keeper: Keeper; reading: Throttle }>();
  const seen = new Map<string, number>();
  /** Sessions with the first project because nothing placed them. */
  const unplaced = new Set<string>();
  let minute = { from: 0, records: 0, bytes: 0 };

  const keeperOf = (project: PlacedProject, base: string): { keeper: Keeper; reading: Throttle } => {
    const known = keepers.get(project);
    if (known !== undefined) return known;
    const made = {
      keeper: createKeeper(telemetryFolder(base, project.folder), limits),
      reading: createThrottle(async () => {
        await project.record.reload().catch(() => log.warn('Received telemetry could not be read yet.'));
      }, RELOAD_MS),
    };
    keepers.set(project, made);
    return made;
  };

  /** Exporters send a request again when its answer was lost; its records are there already. */
  const again = (digest: string): boolean => {
    const at = seen.get(digest);
    return at !== undefined && now() - at < LIMITS.otlpSeenMs;
  };
  const remember = (digest: string): void => {
    seen.delete(digest);
    seen.set(digest, now());
    const oldest = seen.size > LIMITS.otlpSeen ? seen.keys().next().value : undefined;
    if (oldest !== undefined) seen.delete(oldest);
  };

  /** Seconds until there is room again; null when there is room now. */
  const full = (records: number, bytes: number): number | null => {
    const at = now();
    if (at - minute.from >= MINUTE || at < minute.from) minute = { from: at, records: 0, bytes: 0 };
    const fits =
      minute.records + records <= limits.otlpRecordsPerMinute &&
      minute.bytes + bytes <= limits.otlpBytesPerMinute;
    // What is too much for an empty minute would never fit; it is taken, and the minute is over.
    if (!fits && minute.records > 0) return Math.max(1, Math.ceil((minute.from + MINUTE - at) / 1000));
    minute.records += records;
    minute.bytes += bytes;
    return null;
  };

  const lineOf = ({ record }: Received): string | null => {
    const line = JSON.stringify(record);
    return Buffer.byteLength(line) <= LIMITS.otlpLineBytes ? line : null;
  };

  /** A session that is known now: what came before stands with the first project, and is moved. */
  const moveTo = async (session: string, project: PlacedProject): Promise<void> => {
    unplaced.delete(session);
    if (project === projects[0]) return;
    const from = keeperOf(projects[0], folder);
    const name = JSON.stringify(session);
    const ofSession = (line: string): boolean => line.includes(name) && sessionOf(line) === session;
    try {
      if ((await from.keeper.move(ofSession, keeperOf(project, folder).keeper)) > 0) from.reading.trigger();
    } catch {
      log.warn('Telemetry that came before its project was known could not be moved to it.');
    }
  };

  return {
    async take(body, signal, bytes, named) {
      const { records, rejected, why } = flatten(body, signal, now());
      const digest = createHash('sha256')
        .update(signal)
        .update(named ?? '')
        .update(bytes)
        .digest('base64');
      if (records.length > 0 && again(digest)) return { type: 'kept', rejected, why };
      const lines = new Map<PlacedProject, string[]>();
      let large = 0;
      let size = 0;
      for (const one of records) {
        const { project, placed } = await placing.of(one.session, one.project ?? named);
        one.record.placed = placed;
        if (one.session !== null) {
          if (placed === 'session' && unplaced.has(one.session)) await moveTo(one.session, project);
          else if (placed === 'first' && unplaced.size < LIMITS.otlpSessions) unplaced.add(one.session);
        }
        const line = lineOf(one);
        if (line === null) {
          large += 1;
          continue;
        }
        size += line.length;
        const mine = lines.get(project);
        if (mine === undefined) lines.set(project, [line]);
        else mine.push(line);
      }
      const wait = full(records.length - large, size);
      if (wait !== null) return { type: 'later', seconds: wait };
      try {
        for (const [project, mine] of lines) await keeperOf(project, folder).keeper.append(mine);
      } catch (error) {
        return { type: 'failed', error };
      }
      if (records.length > 0) remember(digest);
      for (const project of lines.keys()) keeperOf(project, folder).reading.trigger();
      return {
        type: 'kept',
        rejected: rejected + large,
        why: large > 0 ? `Records over ${LIMITS.otlpLineBytes} bytes are not kept.` : why,
      };
    },
    async close() {
      for (const { keeper, reading } of keepers.values()) {
        reading.stop();
        await keeper.close();
      }
    },
  };
}
