import type { Paragraph } from '../../../shared/cards.ts';
import type {
  ArchivedAnswer,
  Health,
  ProjectInfo,
  ProjectRef,
  Report,
  Stored,
  StreamEvent,
} from '../../../shared/wire.ts';
import { plural } from '../lib/words.ts';
import type { LiveFrame } from '../live/live.ts';
import { choiceOf, type ProjectChoice } from '../projects/choice.ts';

type Data<E extends StreamEvent['event']> = Extract<StreamEvent, { event: E }>['data'];
export type Progress = Data<'progress'>;
export type Ending = Data<'done'>;

/**
 * Where an answer stands. `waiting`: asked, nothing heard yet. `stopping`: stop was asked for.
 * `left`: another question took its place while it ran; it is picked up again when it is opened.
 * `interrupted`: it broke off and can be resumed. `lost`: it cannot be had any more.
 */
export type Phase = 'waiting' | 'streaming' | 'stopping' | 'done' | 'left' | 'interrupted' | 'lost';

export interface AnswerState {
  /** Our own name for it, from before the server gave one. */
  key: string;
  /** The server's id, the `<id>` of its address. */
  id: string | null;
  kind: 'start' | 'question' | 'board';
  question: string | null;
  /** Id of the board it draws, the `<id>` of that board's address; null for anything else. */
  board: string | null;
  /** Project it belongs to on the page; null for the default one. */
  project: ProjectChoice;
  /** Projects it is about: one, or those it compares; empty where that is not told. */
  projects: ProjectRef[];
  /** Set when it was made with a kept plan. */
  stored: Stored | null;
  /** What the pressed button said, when the question came from a card. */
  label: string | null;
  title: string | null;
  /** When it was made, ISO 8601, if it is played from a file; null for one that is made here. */
  replay: string | null;
  /** When it was asked, epoch milliseconds; null for an answer opened by its address. */
  at: number | null;
  phase: Phase;
  progress: Progress[];
  cardsReady: number;
  paragraphs: Paragraph[];
  report: Report | null;
  suggestions: string[];
  ending: Ending | null;
  /** When its cards last changed because the record did, epoch milliseconds; how many did, null when that is not known. */
  updated: { at: number; cards: number | null } | null;
  /** Stable code of why the cards could not follow the record, or null when they do. */
  stale: string | null;
  /** Stable code of why it is interrupted or lost, or null. */
  code: string | null;
}

/** A question of this conversation that the page has no answer in hand for (asked before a reload). */
export interface EarlierTurn {
  id: string;
  question: string;
  at: number;
  /** What was said to it; empty when that is not kept. */
  paragraphs: Paragraph[];
}

export interface State {
  health: Health | null;
  /** The loaded projects, the default one first; empty until they are known. */
  projects: ProjectInfo[];
  /** The project on the page. */
  project: ProjectChoice;
  /** The server could not be reached for the facts in the top bar. */
  offline: boolean;
  answers: Record<string, AnswerState>;
  /** Keys in the order of asking. */
  order: string[];
  /** The answer whose question stands on top. */
  current: string | null;
  /** The answer whose cards are on the canvas: the old one until the first card of the current one is ready. */
  canvas: string | null;
  earlier: EarlierTurn[];
  /** The answers the server keeps, newest first; null where it keeps none or has not said. */
  archive: ArchivedAnswer[] | null;
  /** What the live region says, each time something new. */
  said: string;
}

export type Action =
  | { type: 'health'; health: Health | null }
  | {
      type: 'opened';
      key: string;
      kind: AnswerState['kind'];
      id: string | null;
      question: string | null;
      board?: string;
      label: string | null;
      at: number | null;
    }
  | { type: 'live'; key: string; frame: Omit<LiveFrame, 'messages'>; say: boolean }
  | { type: 'projects'; projects: ProjectInfo[] }
  /** Another project is on the page; `earlier` was asked in it before. */
  | { type: 'project'; project: ProjectChoice; earlier: EarlierTurn[] }
  /** An answer belongs to this project. */
  | { type: 'belongs'; key: string; project: ProjectChoice }
  | { type: 'archive'; answers: ArchivedAnswer[] | null }
  | { type: 'deleted'; id: string }
  | { type: 'deletedAll' }
  /** A newer drawing of the same board has begun; the cards of this one stay until that one has some. */
  | { type: 'replaced'; key: string }
  | { type: 'shown'; key: string }
  | { type: 'event'; key: string; event: StreamEvent }
  | { type: 'card'; key: string; title: string | null; n: number }
  | { type: 'phase'; key: string; phase: Phase; code?: string | null }
  | { type: 'restarted'; key: string }
  | { type: 'forgotten'; key: string };

export const initialState: State = {
  health: null,
  projects: [],
  project: null,
  offline: false,
  answers: {},
  order: [],
  current: null,
  canvas: null,
  earlier: [],
  archive: null,
  said: '',
};

/** Phases in which events may still come. */
export const isLive = (answer: AnswerState | null): boolean =>
  answer !== null && ['waiting', 'streaming', 'stopping'].includes(answer.phase);

export const answerOf = (state: State, key: string | null): AnswerState | null =>
  key === null ? null : (state.answers[key] ?? null);

export const currentAnswer = (state: State): AnswerState | null => answerOf(state, state.current);

/** The answer an address names, if the page has it. */
export const answerById = (state: State, id: string): AnswerState | null =>
  Object.values(state.answers).find((answer) => answer.id === id && answer.kind === 'question') ?? null;

/** The starting view of the project on the page, if the page has it. */
export const startOf = (state: State): AnswerState | null =>
  Object.values(state.answers).find(({ kind, project }) => kind === 'start' && project === state.project) ??
  null;

/** The drawing of a board, if the page has it. */
export const answerByBoard = (state: State, board: string): AnswerState | null =>
  Object.values(state.answers).find((answer) => answer.board === board) ?? null;

const blank = {
  replay: null,
  projects: [],
  progress: [],
  cardsReady: 0,
  paragraphs: [],
  report: null,
  stored: null,
  suggestions: [],
  ending: null,
  updated: null,
  stale: null,
  code: null,
};

/**
 * The page's state after one thing that happened. Pure: the same state and action give the same result.
 */
export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case 'health':
      return { ...state, health: action.health ?? state.health, offline: action.health === null };
    case 'opened': {
      const { type: _type, ...given } = action;
      const answer: AnswerState = {
        ...blank,
        board: null,
        project: state.project,
        ...given,
        title: null,
        phase: 'waiting',
      };
      return {
        ...state,
        answers: { ...state.answers, [action.key]: answer },
        order: [...state.order.filter((key) => key !== action.key), action.key],
        earlier: state.earlier.filter((turn) => turn.id !== action.id),
        current: action.key,
        canvas: answerOf(state, state.canvas) === null ? action.key : state.canvas,
      };
    }
    case 'projects':
      return { ...state, projects: action.projects, project: choiceOf(state.project, action.projects) };
    case 'project':
      return {
        ...state,
        project: action.project,
        // What the page still has in hand is shown as it is.
        earlier: action.earlier.filter(({ id }) => answerById(state, id) === null),
        health: state.health && { ...state.health, record: null },
      };
    case 'archive':
      return { ...state, archive: action.answers };
    case 'deleted': {
      const gone = state.archive?.find(({ id }) => id === action.id);
      return {
        ...state,
        archive: state.archive?.filter((one) => one !== gone) ?? null,
        earlier: state.earlier.filter(({ id }) => id !== action.id),
        said: gone === undefined ? state.said : `Deleted: ${gone.question}`,
      };
    }
    case 'deletedAll':
      return {
        ...state,
        archive: state.archive && [],
        earlier: [],
        said: 'All kept answers are deleted.',
      };
    case 'replaced': {
      const old = state.answers[action.key];
      return old === undefined
        ? state
        : { ...state, answers: { ...state.answers, [action.key]: { ...old, board: null } } };
    }
    case 'shown':
      return state.answers[action.key] === undefined
        ? state
        : { ...state, current: action.key, canvas: action.key };
    case 'forgotten': {
      const { [action.key]: _gone, ...answers } = state.answers;
      return {
        ...state,
        answers,
        order: state.order.filter((key) => key !== action.key),
        current: state.current === action.key ? null : state.current,
        canvas: state.canvas === action.key ? null : state.canvas,
      };
    }
    default:
      return reduceAnswer(state, action);
  }
}

type AnswerAction = Extract<Action, { type: 'belongs' | 'event' | 'card' | 'phase' | 'restarted' | 'live' }>;

function reduceAnswer(state: State, action: AnswerAction): State {
  const answer = state.answers[action.key];
  if (answer === undefined) return state;
  const put = (change: Partial<AnswerState>, more: Partial<State> = {}): State => ({
    ...state,
    answers: { ...state.answers, [answer.key]: { ...answer, ...change } },
    ...more,
  });
  /** The current answer takes the canvas over. */
  const takeOver = state.current === answer.key ? { canvas: answer.key } : {};

  switch (action.type) {
    case 'belongs':
      return put({ project: action.project });
    case 'restarted':
      return put({ ...blank, phase: 'waiting' });
    case 'card':
      return put(
        { cardsReady: Math.max(answer.cardsReady, action.n) },
        state.current === answer.key
          ? { ...takeOver, said: answer.kind !== 'question' ? state.said : cardSaid(action.title, action.n) }
          : {},
      );
    case 'phase': {
      const over = action.phase === 'done' || action.phase === 'interrupted' || action.phase === 'lost';
      return put({ phase: action.phase, code: action.code ?? null }, over ? takeOver : {});
    }
    case 'event':
      return reduceEvent(answer, action.event, put, takeOver);
    case 'live':
      return reduceLive(answer, action.frame, put, action.say);
  }
}

function reduceEvent(
  answer: AnswerState,
  event: StreamEvent,
  put: (change: Partial<AnswerState>, more?: Partial<State>) => State,
  takeOver: Partial<State>,
): State {
  switch (event.event) {
    case 'open':
      return put({
        id: event.data.answerId,
        question: event.data.question ?? answer.question,
        stored: event.data.stored,
        title: event.data.title,
        projects: event.data.projects ?? [],
        replay: event.data.replay ?? null,
        phase: answer.phase === 'waiting' ? 'streaming' : answer.phase,
      });
    case 'progress':
      return put({ progress: withProgress(answer.progress, event.data) });
    case 'chat':
      return put({ paragraphs: event.data.paragraphs });
    case 'report':
      return put({ report: event.data });
    case 'suggestions':
      return put({ suggestions: event.data.items });
    case 'done': {
      const { cards, code } = event.data;
      const said =
        answer.kind !== 'question'
          ? {}
          : { said: code === 'stopped' ? 'Stopped.' : `The answer is complete: ${plural(cards, 'card')}.` };
      return put({ phase: 'done', ending: event.data, code }, { ...takeOver, ...said });
    }
    case 'a2ui':
      return put({});
  }
}

/** What the change feed told of an answer that is complete. */
function reduceLive(
  answer: AnswerState,
  { chat, state: news }: Omit<LiveFrame, 'messages'>,
  put: (change: Partial<AnswerState>, more?: Partial<State>) => State,
  say: boolean,
): State {
  const change: Partial<AnswerState> = chat === null ? {} : { paragraphs: chat.paragraphs };
  if (news === null) return put(change);
  if (news.event === 'stale')
    return put(
      { ...change, stale: news.data.code },
      say ? { said: 'The record changed, and this could not be checked again.' } : {},
    );
  const { title, cards, changed, all, report, at } = news.data;
  const seen = changed.length > 0 || all;
  return put(
    {
      ...change,
      title: title ?? answer.title,
      report: report ?? answer.report,
      ending: answer.ending && { ...answer.ending, cards },
      stale: null,
      updated: seen ? { at, cards: all ? null : changed.length } : answer.updated,
    },
    seen && say
      ? { said: all ? 'Updated.' : `Updated: ${plural(changed.length, 'card')} changed with the record.` }
      : {},
  );
}

const cardSaid = (title: string | null, n: number): string =>
  title === null ? `Card ${n} is ready.` : `${title}: ready.`;

/** One entry a step: the newest word on it, keeping the order in which steps began. */
function withProgress(progress: readonly Progress[], next: Progress): Progress[] {
  const at = progress.findIndex((entry) => entry.step === next.step);
  return at === -1 ? [...progress, next] : progress.with(at, next);
}
