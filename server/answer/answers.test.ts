import { afterEach, describe, expect, it, vi } from 'vitest';
import type { StreamEvent } from '../../shared/wire.ts';
import { type AnswerLimits, type AnswerSink, createAnswers, endedBy } from './answers.ts';
import { AnswerStream, frame, HEARTBEAT, lastSeen } from './sse.ts';

const LIMITS: AnswerLimits = {
  answersKept: 3,
  eventsKept: 20,
  answerChars: 10_000,
  answersChars: 20_000,
  orphanMs: 1_000,
};
const TIMES = { heartbeatMs: 100, stallMs: 300 };

const note = (text: string): StreamEvent => ({ event: 'suggestions', data: { items: [text] } });
const done = (): StreamEvent => ({
  event: 'done',
  data: { events: 0, cards: 0, ok: true, code: null, ms: 1 },
});

/** An answer whose work the test does by hand. */
function byHand(limits: AnswerLimits = LIMITS) {
  const answers = createAnswers(limits);
  let sink: AnswerSink | undefined;
  let end = (): void => undefined;
  const answer = answers.start(
    (given) => {
      sink = given;
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    },
    (given) => given.emit(done()),
  );
  if (sink === undefined) throw new Error('the work did not begin');
  return { answers, answer, sink, end: () => end() };
}

async function readAll(stream: AnswerStream): Promise<string> {
  let text = '';
  for await (const part of stream) text += String(part);
  return text;
}

afterEach(() => vi.useRealTimers());

describe('one event on the wire', () => {
  it('is one line of data whatever is in it', () => {
    const text = frame(7, note('a\r\nb\u2028\n\ndata: forged\n\nid: 9'));
    expect(text.split('\n')).toHaveLength(5);
    expect(text.startsWith('id: 7\nevent: suggestions\ndata: {')).toBe(true);
    expect(text.slice(0, -2)).not.toMatch(/\r|\n\n/);
  });

  it('is asked for after the last one seen, by header or by address', () => {
    expect(lastSeen('5', '3')).toBe(5);
    expect(lastSeen(undefined, '3')).toBe(3);
    for (const odd of ['-1', '1e3', 'x', '', ' 5', '99999999999', ['5'], null]) expect(lastSeen(odd)).toBe(0);
  });
});

describe('a kept answer', () => {
  it('numbers its events without gaps and writes the count into done', async () => {
    const { answer, sink, end } = byHand();
    sink.emit(note('a'));
    sink.emit(note('b'));
    sink.emit(done());
    end();
    await answer.finished;
    expect(answer.frames.map((text) => text.split('\n')[0])).toEqual(['id: 1', 'id: 2', 'id: 3']);
    expect(answer.frames[2]).toContain('"events":3');
    sink.emit(note('late'));
    expect(answer.frames).toHaveLength(3);
  });

  it('gives the same bytes to whoever comes late or comes back', async () => {
    const { answer, sink, end } = byHand();
    sink.emit(note('a'));
    const first = readAll(new AnswerStream(answer, 0, TIMES));
    sink.emit(note('b'));
    const second = readAll(new AnswerStream(answer, 1, TIMES));
    sink.emit(done());
    end();
    const late = await readAll(new AnswerStream(answer, 0, TIMES));
    expect(await first).toBe(late);
    expect(await second).toBe(answer.frames.slice(1).join(''));
    expect(await readAll(new AnswerStream(answer, 99, TIMES))).toBe('');
  });

  it('keeps an idle connection alive', async () => {
    vi.useFakeTimers();
    const { answer } = byHand();
    const stream = new AnswerStream(answer, 0, TIMES);
    let text = '';
    stream.on('data', (part) => {
      text += String(part);
    });
    await vi.advanceTimersByTimeAsync(250);
    expect(text).toBe(HEARTBEAT.repeat(2));
    stream.destroy();
  });

  it('lets a reader go that takes nothing, and holds nothing for it meanwhile', async () => {
    vi.useFakeTimers();
    const { answer, sink } = byHand({ ...LIMITS, answerChars: 1_000_000 });
    const stream = new AnswerStream(answer, 0, TIMES);
    const gone = vi.fn();
    stream.on('close', gone);
    stream.read(0);
    sink.emit(note('x'.repeat(200_000)));
    sink.emit(note('y'.repeat(200_000)));
    expect(stream.readableLength).toBe(answer.frames[0]?.length);
    await vi.advanceTimersByTimeAsync(250);
    expect(answer.readers).toBe(1);
    await vi.advanceTimersByTimeAsync(250);
    expect(answer.readers).toBe(0);
    expect(gone).toHaveBeenCalledOnce();
  });

  it('goes on for a while without a reader, then is abandoned', async () => {
    vi.useFakeTimers();
    const { answer, sink } = byHand();
    const leave = answer.subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(5_000);
    leave();
    await vi.advanceTimersByTimeAsync(900);
    const back = answer.subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(endedBy(sink.signal)).toBeNull();
    back();
    await vi.advanceTimersByTimeAsync(1_001);
    expect(endedBy(sink.signal)).toBe('abandoned');
  });

  it('is stopped at once when someone says so', () => {
    const { answer, sink } = byHand();
    answer.stop();
    expect(endedBy(sink.signal)).toBe('stopped');
  });

  it('takes only its end when it is full', () => {
    const { answer, sink } = byHand();
    for (let n = 0; n < 50; n += 1) sink.emit(note(String(n)));
    sink.emit(done());
    expect(answer.frames).toHaveLength(20);
    expect(answer.frames.at(-1)).toContain('event: done');
  });

  it('ends with done even when its work fails or forgets to', async () => {
    const answers = createAnswers(LIMITS);
    const seen: unknown[] = [];
    const broken = (sink: AnswerSink, error: unknown): void => {
      seen.push(error);
      sink.emit(done());
    };
    const failing = answers.start(async () => {
      throw new Error('defect');
    }, broken);
    const forgetful = answers.start(async () => undefined, broken);
    const hopeless = answers.start(
      async () => undefined,
      () => {
        throw new Error('worse');
      },
    );
    await Promise.all([failing.finished, forgetful.finished, hopeless.finished]);
    expect(seen).toHaveLength(2);
    expect([failing.ended, forgetful.ended, hopeless.ended]).toEqual([true, true, true]);
  });
});

describe('all kept answers', () => {
  it('are bounded: the oldest finished one goes first, and a running one that must go is stopped', () => {
    const answers = createAnswers(LIMITS);
    const sinks: AnswerSink[] = [];
    const start = () =>
      answers.start(
        (sink) => {
          sinks.push(sink);
          return new Promise<void>(() => undefined);
        },
        () => undefined,
      );
    const [a, b, c] = [start(), start(), start()];
    sinks[1]?.emit(done());
    const d = start();
    expect(answers.get(b.id)).toBeNull();
    expect([a, c, d].map(({ id }) => answers.get(id)?.id)).toEqual([a.id, c.id, d.id]);
    start();
    expect(answers.get(a.id)).toBeNull();
    expect(sinks[0] && endedBy(sinks[0].signal)).toBe('stopped');
  });

  it('are bounded in size as well', () => {
    const answers = createAnswers({ ...LIMITS, answersKept: 50, answersChars: 3_000 });
    const big = () => {
      const answer = answers.start(
        async (sink) => {
          sink.emit(note('x'.repeat(1_500)));
          sink.emit(done());
        },
        () => undefined,
      );
      return answer.id;
    };
    const ids = [big(), big(), big(), big()];
    expect(ids.filter((id) => answers.get(id) !== null)).toEqual(ids.slice(2));
  });

  it('end when the server does', async () => {
    const answers = createAnswers(LIMITS);
    const answer = answers.start(
      (sink) =>
        new Promise<void>((resolve) => {
          sink.signal.addEventListener('abort', () => {
            sink.emit(done());
            resolve();
          });
        }),
      () => undefined,
    );
    await answers.close();
    expect(answer.ended).toBe(true);
  });
});
