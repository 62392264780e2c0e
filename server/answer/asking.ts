import { LIMITS } from '../../shared/limits.ts';
import type { Answer, AnswerSink, Answers } from './answers.ts';
import { codeCard } from './code-card.ts';
import type { Conversations } from './conversation.ts';
import { within } from './deadline.ts';
import { type Keeping, overheard } from './keeping.ts';
import { runAnswer } from './pipeline.ts';
import { END_ID } from './placing.ts';
import type { AnswerPorts, AnswerRequest, StoredPlan } from './ports.ts';
import { contextOf } from './refers.ts';
import type { NamedPlanner } from './types.ts';

/** Begins answers: what the routes call. */
export interface Asking {
  /**
   * @param conversation id under which turns are remembered, if there is one
   * @param anew asks the planner even if there is a plan of the same question
   */
  ask(question: string, conversation: string | undefined, anew?: boolean): Answer;
  /** The starting view. */
  start(): Answer;
  /**
   * An archived answer, made again with its plan on the record of today under its own id. One that is still in memory is
   * given as it is, unless the record has changed since and nobody is in the middle of it.
   * @param after id of the last event the reader has seen
   * @param allowed asked before anything is made again
   * @returns `begin_again` when the reader has seen a part of an answer that is gone from memory: its parts do not fit a new one
   */
  reopen(
    id: string,
    after: number,
    allowed: () => Promise<boolean>,
  ): Promise<Answer | 'not_found' | 'begin_again' | 'rate_limited'>;
}

export interface AskingParts {
  ports: AnswerPorts;
  answers: Answers;
  conversations: Conversations;
  planner: NamedPlanner;
  /** Writes the plan of the starting view. */
  starting: { planner: NamedPlanner; title: NonNullable<AnswerRequest['title']> };
  /** Null where answers are not archived. */
  keeping: Keeping | null;
}

/** What a request holds beside its question and planner, where nothing is remembered or kept. */
const ALONE = {
  title: null,
  turns: [],
  remember: () => {},
  stored: null,
  recall: null,
  keep: () => {},
} satisfies Partial<AnswerRequest>;

export function createAsking(parts: AskingParts): Asking {
  const { ports, answers, conversations, planner, starting, keeping } = parts;
  /** A defect of our own ends in a card and `done` as well; what it was is in the log. */
  const broken =
    (question: string | null) =>
    (sink: AnswerSink, error: unknown): void => {
      ports.log.warn({ err: error, answer: sink.id }, 'an answer broke');
      const cards = sink.count() === 0 ? instead(question, sink) : 0;
      sink.emit({
        event: 'done',
        data: { events: sink.count() + 1, cards, ok: false, code: 'query_failed', ms: 0 },
      });
    };

  /** A whole small answer for one that never began; where one had begun, its cards stay as they are. */
  const instead = (question: string | null, sink: AnswerSink): number => {
    sink.emit({
      event: 'open',
      data: {
        answerId: sink.id,
        surfaceId: sink.id,
        question,
        planner: planner.name,
        stored: null,
        title: null,
      },
    });
    try {
      const surface = ports.surface(sink.id);
      for (const data of [...surface.open(), ...surface.final([codeCard(END_ID, 'query_failed')])])
        sink.emit({ event: 'a2ui', data });
      return 1;
    } catch (error) {
      ports.log.warn({ err: error, answer: sink.id }, 'the card for it broke as well');
      return 0;
    }
  };

  const begin = (
    question: string | null,
    request: (sink: AnswerSink) => AnswerRequest,
    id?: string,
  ): Answer => answers.start((sink) => runAnswer(request(sink), ports, sink), broken(question), id);

  /** The request of a question: with its conversation, the archive to look in, and what is kept of it at the end. */
  function requestOf(question: string, conversation: string | undefined, anew: boolean, sink: AnswerSink) {
    const askedAt = Date.now();
    const turns = conversations.turns(conversation);
    const heard = overheard(planner);
    const context = contextOf(question, turns);
    const asked = { question, conversation: conversation ?? null, context, planner };
    const request: AnswerRequest = {
      ...ALONE,
      question,
      planner: heard.planner,
      turns,
      remember: (turn) => conversations.add(conversation, turn),
      recall: anew ? null : (keeping?.recall(asked) ?? null),
      keep(outcome, from) {
        // One that was deleted meanwhile stays deleted.
        if (answers.get(sink.id) === null) return;
        const plan = outcome.plan === '' ? heard.text() : outcome.plan;
        keeping?.keep(sink.id, asked, askedAt, { ...outcome, plan }, from);
      },
    };
    return request;
  }

  /** Whether the record is another one than the answer was given on. In doubt it is not. */
  async function hasMoved(fingerprint: string): Promise<boolean> {
    try {
      await within(ports.refresh(), LIMITS.resolveMs, 'refresh');
      const profile = await within(ports.profile(), LIMITS.resolveMs, 'profile');
      return profile.fingerprint !== fingerprint;
    } catch (error) {
      ports.log.warn({ err: error }, 'the record could not be read again');
      return false;
    }
  }

  return {
    ask: (question, conversation, anew = false) =>
      begin(question, (sink) => requestOf(question, conversation, anew, sink)),
    start: () =>
      begin(null, () => ({ ...ALONE, question: null, title: starting.title, planner: starting.planner })),
    async reopen(id, after, allowed) {
      const there = answers.get(id);
      const settled = there === null || (there.ended && there.readers === 0 && after === 0);
      const entry = settled ? ((await keeping?.archive.get(id)) ?? null) : null;
      if (entry === null || keeping === null) return there ?? 'not_found';
      if (there !== null && !(await hasMoved(entry.record.fingerprint))) return there;
      if (there === null && after > 0) return 'begin_again';
      if (!(await allowed())) return there ?? 'rate_limited';
      // Someone else may have opened it meanwhile.
      const now = answers.get(id);
      if (now !== null && now !== there) return now;
      const stored: StoredPlan = keeping.stored(entry);
      const { question } = entry;
      return begin(question, () => ({ ...ALONE, question, planner: stored.planner, stored }), id);
    },
  };
}
