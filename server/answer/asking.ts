import type { Code } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { Answer, AnswerSink, Answers } from './answers.ts';
import { codeCard } from './code-card.ts';
import type { Conversations } from './conversation.ts';
import { within } from './deadline.ts';
import type { Desk, Desks } from './desks.ts';
import { overheard } from './keeping.ts';
import { runAnswer } from './pipeline.ts';
import { END_ID } from './placing.ts';
import type { AnswerRequest, StepLog, StoredPlan } from './ports.ts';
import { contextOf } from './refers.ts';

/** Begins answers: what the routes call. */
export interface Asking {
  ask(question: string, how?: AskedHow): Answer;
  /** The starting view of a project, the default one when left out. */
  start(project?: string): Answer;
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

/** How a question is asked, beside its words. */
export interface AskedHow {
  /** Id under which turns are remembered, if there is one. Each project has its own turns under it. */
  conversation?: string | undefined;
  /** Asks the planner even if there is a plan of the same question. */
  anew?: boolean | undefined;
  /** Id of the project it is asked in; the default one when left out. */
  project?: string | undefined;
}

export interface AskingParts {
  desks: Desks;
  answers: Answers;
  conversations: Conversations;
  log: StepLog;
}

/** What a request holds beside its question and planner, where nothing is remembered or kept. */
const ALONE = {
  title: null,
  projects: [],
  turns: [],
  remember: () => {},
  stored: null,
  recall: null,
  keep: () => {},
} satisfies Partial<AnswerRequest>;

/** Under which name a desk's turns of a conversation are kept. */
const turnsOf = ({ projects }: Desk, conversation: string | undefined): string | undefined =>
  conversation === undefined ? undefined : `${conversation} ${projects.map(({ id }) => id).join(' ')}`;

export function createAsking(parts: AskingParts): Asking {
  const { desks, answers, conversations, log } = parts;
  /** A defect of our own ends in a card and `done` as well; what it was is in the log. */
  const broken =
    (desk: Desk, question: string | null) =>
    (sink: AnswerSink, error: unknown): void => {
      log.warn({ err: error, answer: sink.id }, 'an answer broke');
      end(desk, question, sink, 'query_failed', true);
    };

  /** Ends an answer with a code, and with a card for it where nothing has been sent yet. */
  const end = (desk: Desk, question: string | null, sink: AnswerSink, code: Code, about: boolean): void => {
    const cards = sink.count() === 0 ? instead(desk, question, sink, code, about) : 0;
    sink.emit({ event: 'done', data: { events: sink.count() + 1, cards, ok: false, code, ms: 0 } });
  };

  /** A whole small answer for one that never began; where one had begun, its cards stay as they are. */
  const instead = (
    desk: Desk,
    question: string | null,
    sink: AnswerSink,
    code: Code,
    about: boolean,
  ): number => {
    sink.emit({
      event: 'open',
      data: {
        answerId: sink.id,
        surfaceId: sink.id,
        question,
        planner: desk.planner.name,
        stored: null,
        title: null,
        projects: about ? [...desk.projects] : [],
      },
    });
    try {
      const surface = desk.ports.surface(sink.id);
      for (const data of [...surface.open(), ...surface.final([codeCard(END_ID, code)])])
        sink.emit({ event: 'a2ui', data });
      return 1;
    } catch (error) {
      log.warn({ err: error, answer: sink.id }, 'the card for it broke as well');
      return 0;
    }
  };

  const begin = (
    desk: Desk,
    question: string | null,
    request: (sink: AnswerSink) => AnswerRequest,
    id?: string,
  ): Answer =>
    answers.start((sink) => runAnswer(request(sink), desk.ports, sink), broken(desk, question), id);

  /** An answer that only says that there is no such project. */
  const nowhere = (question: string | null): Answer =>
    answers.start(
      async (sink) => end(desks.first, question, sink, 'project_gone', false),
      broken(desks.first, question),
    );

  /** The request of a question: with its conversation, the archive to look in, and what is kept of it at the end. */
  function requestOf(desk: Desk, question: string, how: AskedHow, sink: AnswerSink): AnswerRequest {
    const { planner, keeping, projects } = desk;
    const { conversation, anew = false } = how;
    const askedAt = Date.now();
    const talk = turnsOf(desk, conversation);
    const turns = conversations.turns(talk);
    const heard = overheard(planner);
    const context = contextOf(question, turns);
    const asked = { question, conversation: conversation ?? null, context, planner };
    return {
      ...ALONE,
      projects,
      question,
      folder: keeping?.folder ?? '',
      planner: heard.planner,
      turns,
      remember: (turn) => conversations.add(talk, turn),
      recall: anew ? null : (keeping?.recall(asked) ?? null),
      keep(outcome, from) {
        // One that was deleted meanwhile stays deleted.
        if (answers.get(sink.id) === null) return;
        const plan = outcome.plan === '' ? heard.text() : outcome.plan;
        keeping?.keep(sink.id, asked, askedAt, { ...outcome, plan }, from);
      },
    };
  }

  /** Whether the record is another one than the answer was given on. In doubt it is not. */
  async function hasMoved({ ports }: Desk, fingerprint: string): Promise<boolean> {
    try {
      await within(ports.refresh(), LIMITS.resolveMs, 'refresh');
      const profile = await within(ports.profile(), LIMITS.resolveMs, 'profile');
      return profile.fingerprint !== fingerprint;
    } catch (error) {
      log.warn({ err: error }, 'the record could not be read again');
      return false;
    }
  }

  return {
    ask(question, how = {}) {
      const desk = desks.ask(question, how.project);
      if (desk === null) return nowhere(question);
      return begin(desk, question, (sink) => requestOf(desk, question, how, sink));
    },
    start(project) {
      const desk = desks.start(project);
      if (desk === null) return nowhere(null);
      const { planner, title } = desk.starting;
      return begin(desk, null, () => ({ ...ALONE, projects: desk.projects, question: null, title, planner }));
    },
    async reopen(id, after, allowed) {
      const there = answers.get(id);
      const settled = there === null || (there.ended && there.readers === 0 && after === 0);
      const entry = settled ? ((await desks.first.keeping?.archive.get(id)) ?? null) : null;
      // Where its own record is not loaded, the default desk says so.
      const own = entry === null ? null : desks.kept(entry.record.folder);
      const desk = own ?? desks.first;
      if (entry === null || desk.keeping === null) return there ?? 'not_found';
      if (there !== null && !(await hasMoved(desk, entry.record.fingerprint))) return there;
      if (there === null && after > 0) return 'begin_again';
      if (!(await allowed())) return there ?? 'rate_limited';
      // Someone else may have opened it meanwhile.
      const now = answers.get(id);
      if (now !== null && now !== there) return now;
      const stored: StoredPlan = desk.keeping.stored(entry);
      const { question } = entry;
      const projects = own?.projects ?? [];
      return begin(
        desk,
        question,
        () => ({
          ...ALONE,
          projects,
          question,
          folder: entry.record.folder,
          planner: stored.planner,
          stored,
        }),
        id,
      );
    },
  };
}
