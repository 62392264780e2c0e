import { SAVED_FORMAT, SAVED_VERSION } from '../../shared/saved.ts';
import type { SavedAnswer, Trace } from '../../shared/wire.ts';
import type { Redact } from '../redact.ts';
import type { Answer } from './answers.ts';

const DATA = '\ndata: ';

/**
 * An answer as a file: its events with their times, and its way. The data of every event is what was sent, without the
 * configured secrets.
 * @param hide takes secrets out of a text and leaves everything else as it is
 */
export function savedAnswer(answer: Answer, trace: Trace, hide: Redact): SavedAnswer {
  const frames = trace.frames.flatMap(({ id, ms, event }) => {
    const text = answer.frames[id - 1];
    if (text === undefined) return [];
    const data: unknown = JSON.parse(text.slice(text.indexOf(DATA) + DATA.length), (_key, value: unknown) =>
      typeof value === 'string' ? hide(value) : value,
    );
    return [{ id, ms, event, data }];
  });
  return { format: SAVED_FORMAT, version: SAVED_VERSION, trace, frames };
}
