import { open } from 'node:fs/promises';
import { z } from 'zod/v4';
import { LIMITS } from '../../shared/limits.ts';
import { SAVED_FORMAT, SAVED_VERSION } from '../../shared/saved.ts';
import type { SavedAnswer, StreamEvent } from '../../shared/wire.ts';
import { createGuard } from '../a2ui/check.ts';
import { unsafeJson } from '../a2ui/json-safe.ts';
import { Envelope, isEvent, Ms } from './events.ts';
import { TraceShape } from './trace-shape.ts';

/** A file cannot be played; the message is for the person at the terminal and repeats nothing of the file. */
export class ReplayError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ReplayError';
  }
}

/** A saved answer of which every part has been checked. */
export interface PlayableAnswer {
  id: string;
  /** When it was made, ISO 8601. */
  madeAt: string;
  question: string | null;
  saved: SavedAnswer;
  events: { ms: number; event: StreamEvent }[];
}

const File = z.strictObject({
  format: z.literal(SAVED_FORMAT),
  version: z.literal(SAVED_VERSION),
  trace: TraceShape,
  frames: z
    .array(z.strictObject({ id: z.int(), ms: Ms, event: z.string().max(20), data: z.unknown() }))
    .min(2)
    .max(LIMITS.eventsKept),
});
type Frame = z.infer<typeof File>['frames'][number];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ReplayError('The file is no JSON document.');
  }
}

/** The events of a file in order, each as it may be sent. Throws ReplayError at the first that may not. */
function checkedEvents(frames: readonly Frame[]): PlayableAnswer['events'] {
  let guard: ReturnType<typeof createGuard> | null = null;
  let before = 0;
  return frames.map((given, index) => {
    const no = (why: string): ReplayError => new ReplayError(`Event ${index + 1} of the file ${why}.`);
    if (given.id !== index + 1) throw no('has another number, so one is missing');
    if (given.ms < before) throw no('comes before the one above it');
    before = given.ms;
    if (unsafeJson(given.data) !== null) throw no('holds data that is not sent');
    const event: unknown = { event: given.event, data: given.data };
    if (!isEvent(event)) throw no('is not one of an answer');
    const first = index === 0;
    const last = index === frames.length - 1;
    if (first !== (event.event === 'open') || last !== (event.event === 'done'))
      throw no('stands where it cannot: an answer goes from "open" to "done"');
    if (event.event === 'open') guard = createGuard(event.data.surfaceId);
    if (event.event === 'done' && event.data.events !== frames.length) throw no('counts other events');
    if (event.event === 'a2ui' && guard?.check(Envelope.parse(event.data)).ok !== true)
      throw no('is a message that does not pass the check before sending');
    return { ms: given.ms, event };
  });
}

/** Reads the text of a saved answer. Throws ReplayError with a sentence for a person. */
export function readSaved(text: string): PlayableAnswer {
  const document = parsed(text);
  const read = File.safeParse(document);
  if (!read.success) {
    const at = read.error.issues[0]?.path.slice(0, 3).map(String).join('.') ?? '';
    const where = /^[\w.]{1,60}$/.test(at) ? ` (at ${at})` : '';
    throw new ReplayError(`The file is no answer that this version of Looplight has saved${where}.`);
  }
  const { trace, frames } = read.data;
  const events = checkedEvents(frames);
  const opening = events[0]?.event;
  if (opening?.event !== 'open' || opening.data.answerId !== trace.answerId)
    throw new ReplayError('The file mixes two answers.');
  const { answerId: id, question } = opening.data;
  const saved: SavedAnswer = {
    format: SAVED_FORMAT,
    version: SAVED_VERSION,
    trace,
    frames: events.map(({ ms, event }, index) => ({
      id: index + 1,
      ms,
      event: event.event,
      data: event.data,
    })),
  };
  return { id, madeAt: trace.startedAt, question, saved, events };
}

/** Reads a saved answer from a file, of which at most LIMITS.savedBytes are looked at. Throws ReplayError. */
export async function openSaved(path: string): Promise<PlayableAnswer> {
  let text: string;
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      if (size > LIMITS.savedBytes)
        throw new ReplayError(`${path} is larger than ${LIMITS.savedBytes / 1024 / 1024} MB.`);
      const buffer = Buffer.alloc(size);
      const { bytesRead } = await file.read(buffer, 0, size, 0);
      text = buffer.subarray(0, bytesRead).toString('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof ReplayError ? error : new ReplayError(`${path} cannot be read.`);
  }
  return readSaved(text);
}
