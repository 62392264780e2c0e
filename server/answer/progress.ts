import type { StreamEvent } from '../../shared/wire.ts';
import type { AnswerSink } from './answers.ts';

type Step = Extract<StreamEvent, { event: 'progress' }>['data']['step'];

/** Tells a person what the server is doing: one line a step, replaced when the step is over. */
export interface Progress {
  /** @param says what is going on, in words */
  begin(
    step: Step,
    says: string,
  ): {
    /** @param n how many were made, and `of` how many; null where counting makes no sense */
    end(says: string, n: number | null, of: number | null): void;
  };
  /** A card is ready; more may come. */
  card(title: string, ready: number, known: number): void;
  /** All cards are there. */
  cardsDone(ready: number): void;
}

/** Progress of one answer, as events with the milliseconds each step took. */
export function createProgress(sink: AnswerSink, now: () => number = Date.now): Progress {
  let firstCard: number | null = null;
  return {
    begin(step, says) {
      const started = now();
      sink.emit({ event: 'progress', data: { step, says, done: false, ms: null, n: null, of: null } });
      return {
        end: (over, n, of) =>
          sink.emit({
            event: 'progress',
            data: { step, says: over, done: true, ms: now() - started, n, of },
          }),
      };
    },
    card(title, ready, known) {
      firstCard ??= now();
      const says = `Resolved ${ready} of ${known}: ${title}`;
      sink.emit({
        event: 'progress',
        data: { step: 'cards', says, done: false, ms: null, n: ready, of: known },
      });
    },
    cardsDone(ready) {
      const says = ready === 1 ? '1 card resolved' : `${ready} cards resolved`;
      const ms = firstCard === null ? 0 : now() - firstCard;
      sink.emit({ event: 'progress', data: { step: 'cards', says, done: true, ms, n: ready, of: ready } });
    },
  };
}
