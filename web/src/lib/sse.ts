import { createParser } from 'eventsource-parser';
import { LIMITS } from '../../../shared/limits.ts';

/** One event as text: an envelope with its field names. */
const EVENT_CHARS = LIMITS.envelopeBytes * 2;

export interface SseReader {
  /** One event: its name, its id if it has one, its data as text. */
  onMessage(name: string, id: string | undefined, data: string): void;
  /** An event is longer than any of ours. */
  onTooLong(): void;
  /** Whether to read on. */
  more(): boolean;
}

/** Reads the events of a response's body until it ends, breaks off, or nobody wants more. Never rejects. */
export async function readSse(body: NonNullable<Response['body']>, to: SseReader): Promise<void> {
  const parser = createParser({
    maxBufferSize: EVENT_CHARS,
    onEvent: (message) => to.onMessage(message.event ?? 'message', message.id, message.data),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') to.onTooLong();
    },
  });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    while (to.more()) {
      const { done, value } = await reader.read();
      if (done) break;
      parser.feed(value);
    }
  } catch {
    // What was read stands; whoever reads tells whether it is complete.
  }
  void reader.cancel().catch(() => undefined);
}
