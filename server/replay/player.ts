import type { Code } from '../../shared/codes.ts';
import { createCompiler } from '../a2ui/compiler.ts';
import { type Answer, type AnswerSink, type Answers, endedBy } from '../answer/answers.ts';
import { codeCard } from '../answer/code-card.ts';
import { within } from '../answer/deadline.ts';
import { END_ID } from '../answer/placing.ts';
import type { PlayableAnswer } from './saved-file.ts';

/** What a replay says in the place of a planner. */
const PLANNER = 'Replay';

/** Plays one saved answer as a stream, and answers everything else with a note that says so. */
export interface Player {
  /**
   * The answer being played. It begins anew for a reader that has seen nothing, unless another one still listens.
   * @param after id of the last event the reader has seen
   */
  play(after: number): Answer;
  /** What is being played or was played last; null when nobody has asked for it yet. */
  current(): Answer | null;
  /** An answer with the one card that says what this is. */
  note(question: string | null): Answer;
}

/**
 * @param speed 1 for the answer's own pace, 0.5 for half as fast
 */
export function createPlayer(saved: PlayableAnswer, speed: number, answers: Answers): Player {
  let playing: Answer | null = null;

  async function run(sink: AnswerSink): Promise<void> {
    const started = performance.now();
    for (const { ms, event } of saved.events) {
      await wait(started + ms / speed - performance.now(), sink.signal);
      const ended = endedBy(sink.signal);
      if (ended !== null) return broken(sink, ended);
      if (event.event === 'open') sink.emit({ event: 'open', data: { ...event.data, replay: saved.madeAt } });
      else sink.emit(event);
    }
  }

  return {
    play(after) {
      if (playing === null || (after === 0 && (playing.ended || playing.readers === 0))) {
        playing?.stop();
        playing = answers.start(run, (sink) => broken(sink, 'query_failed'));
      }
      return playing;
    },
    current: () => playing,
    note: (question) =>
      answers.start(
        async (sink) => tellReplay(sink, question, saved.madeAt),
        (sink) => broken(sink, 'query_failed'),
      ),
  };
}

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  ms <= 0
    ? Promise.resolve()
    : within(new Promise<void>(() => undefined), ms, 'replay', signal).catch(() => undefined);

function broken(sink: AnswerSink, code: Code): void {
  sink.emit({ event: 'done', data: { events: sink.count() + 1, cards: 0, ok: false, code, ms: 0 } });
}

function tellReplay(sink: AnswerSink, question: string | null, madeAt: string): void {
  sink.trace.begin(question, { kind: 'builtin', name: PLANNER, model: null, plan: async function* () {} });
  sink.emit({
    event: 'open',
    data: {
      answerId: sink.id,
      surfaceId: sink.id,
      question,
      planner: PLANNER,
      stored: null,
      title: question === null ? 'A saved answer is played here' : null,
      replay: madeAt,
    },
  });
  const surface = createCompiler(sink.id);
  for (const message of [...surface.open(), ...surface.final([codeCard(END_ID, 'replay')])])
    sink.emit({ event: 'a2ui', data: message });
  sink.emit({
    event: 'done',
    data: { events: sink.count() + 1, cards: 1, ok: false, code: 'replay', ms: 0 },
  });
}
