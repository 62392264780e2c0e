import type { ReactComponentImplementation } from '@a2ui/react/v0_9';
import type { A2uiClientAction, Catalog } from '@a2ui/web_core/v0_9';
import { PROTOCOL, REFINE } from '../../../shared/catalog.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { StreamEvent } from '../../../shared/wire.ts';
import type { Host } from '../a2ui/host.ts';
import { createReporter } from '../lib/api.ts';
import { text } from '../lib/unknown.ts';
import { createLive, type LiveFrame, type Visibility } from '../live/live.ts';
import { choiceOf, type ProjectChoice } from '../projects/choice.ts';
import { createProjectOnPage } from '../projects/on-page.ts';
import { createHosts } from './hosts.ts';
import { createKeptAnswers } from './kept.ts';
import { createListening, eventsUrl } from './listening.ts';
import type { Memory } from './memory.ts';
import { type Address, parseRoute, type Route, routePath } from './route.ts';
import {
  type AnswerState,
  answerByBoard,
  answerById,
  answerOf,
  currentAnswer,
  initialState,
  isLive,
  type State,
  startOf,
} from './state.ts';
import { createStore } from './store.ts';

/** Answers whose words are kept in the chat. */
const ANSWERS = 60;
/** Shortest time between two words of the live region about updates, in milliseconds. */
const SAY_EVERY = 15_000;

export interface SessionOptions {
  catalog: Catalog<ReactComponentImplementation>;
  address: Address;
  memory: Memory;
  visibility: Visibility;
  /** Boards may have been changed by another page. */
  onBoards?: () => void;
  now?: () => number;
}

/** The way between the page and the server: asks, listens, stops, resumes, walks through answers. */
export interface Session {
  state(): State;
  subscribe(listener: () => void): () => void;
  host(key: string | null): Host | null;
  /** Reads the facts of the record and opens what the address names. Returns the way to let go of everything. */
  start(): () => void;
  ask(question: string): void;
  /** Asks the planner again, though there is a plan of the same question. */
  askAnew(question: string): void;
  /** Deletes a kept answer, at the server and in this tab. */
  forget(id: string): void;
  /** Opens an answer by its id, or the starting view. */
  open(id: string | null): void;
  /** Puts another project on the page, at its starting view. */
  choose(project: string): void;
  openBoard(id: string): void;
  /** Whether this board is on the page. */
  isOpenBoard(id: string): boolean;
  /** A board was changed: it is drawn anew if it is on the page. */
  redrawBoard(id: string): void;
  /** Deletes every kept answer, at the server and in this tab. */
  forgetAll(): void;
  stop(): void;
  resume(): void;
  /** A card could not be drawn. */
  report(surfaceId: string, cardId: string, error: unknown): void;
}

export function createSession(options: SessionOptions): Session {
  const { catalog, address, memory, visibility, onBoards, now = Date.now } = options;
  const report = createReporter();
  const store = createStore({ ...initialState, earlier: memory.turns() });
  const { dispatch } = store;
  const hosts = createHosts({ store, catalog, report, onAction: act });
  const listening = createListening(store, hosts);
  const projects = createProjectOnPage(store, memory);
  const kept = createKeptAnswers(store, memory);
  const live = createLive({ onFrame: takeFrame, onGone: reopenView, visibility });
  store.subscribe(follow);
  let serial = 0;
  let saidAt = Number.NEGATIVE_INFINITY;

  /** The answer on the page follows the record once it is complete; a replay has none. */
  function follow(): void {
    const { key, id, phase, replay, report } = currentAnswer(store.state()) ?? {};
    if (key === undefined || id == null || phase !== 'done' || replay != null) live.follow(null);
    else live.follow({ key, id, record: report?.record ?? '' });
  }

  function takeFrame(key: string, { messages, ...frame }: LiveFrame): void {
    const host = hosts.get(key)?.host;
    if (host !== undefined && messages.length > 0) {
      for (const message of messages) host.push(message);
      // Gathered for a frame already.
      host.flush();
    }
    if (frame.record) projects.readFacts();
    if (frame.boards) onBoards?.();
    if (frame.chat === null && frame.state === null) return;
    const say = now() - saidAt >= SAY_EVERY;
    if (say && frame.state !== null) saidAt = now();
    dispatch({ type: 'live', key, frame, say });
  }

  /** The server has begun anew and does not know a view of its own any more: it is made again. */
  function reopenView(key: string): void {
    const answer = answerOf(store.state(), key);
    if (store.state().current !== key || answer === null || answer.kind === 'question') return;
    drop(key);
    if (answer.board === null) showStart();
    else showBoard(answer.board);
  }

  /** Lets an answer go, with its cards. */
  function drop(key: string): void {
    hosts.release(key);
    dispatch({ type: 'forgotten', key });
  }

  /** The memory of the project on the page. */
  const remembered = (): Memory => memory.of(store.state().project);

  /** Remembers a turn over a reload, with the words said to it as far as they are there. */
  function keep({ id, question, at, paragraphs, project }: AnswerState): void {
    if (id !== null && at !== null) memory.of(project).keep({ id, question: question ?? '', at, paragraphs });
  }

  const pathOf = (route: Route): string => routePath({ ...route, project: store.state().project });

  function begin(
    kind: AnswerState['kind'],
    id: string | null,
    question: string | null,
    label: string | null,
    board: string | null = null,
  ): string {
    serial += 1;
    const key = `answer-${serial}`;
    const { order, canvas, current, health } = store.state();
    for (const old of order.slice(0, Math.max(0, order.length - ANSWERS)))
      if (old !== canvas && old !== current) drop(old);
    if (health === null) projects.readFacts();
    const asked = kind === 'question' && id === null;
    const before = remembered()
      .turns()
      .find((turn) => turn.id === id);
    dispatch({
      type: 'opened',
      key,
      kind,
      id,
      question: question ?? before?.question ?? null,
      ...(board === null ? {} : { board }),
      label,
      at: asked ? now() : (before?.at ?? null),
    });
    return key;
  }

  /** Reads the answer to a question. @param asked now, so that it gets an address when it has an id */
  function listen(key: string, request: { url: string; body?: unknown }, asked: boolean): void {
    listening.run(key, request, (event: StreamEvent) => {
      if (event.event === 'open') {
        projects.goWith(key, event.data.projects ?? []);
        if (asked && store.state().current === key)
          address.push(pathOf({ view: 'answer', id: event.data.answerId }));
      }
      const answer = answerOf(store.state(), key);
      if (answer !== null && (event.event === 'open' || event.event === 'done')) keep(answer);
    });
  }

  function ask(question: string, anew = false): void {
    const asked = question.trim().slice(0, LIMITS.question);
    if (asked === '') return;
    listening.leave();
    const key = begin('question', null, asked, null);
    const body = {
      question: asked,
      conversation: remembered().conversation(),
      ...inProject(store.state().project),
      ...(anew ? { anew } : {}),
    };
    listen(key, { url: '/api/ask', body }, true);
  }

  function act(action: A2uiClientAction): void {
    const request = text(action.context.request);
    if (action.name !== REFINE || request === null) return;
    listening.leave();
    const key = begin('question', null, request, text(action.context.label));
    const context = {
      ...action.context,
      conversation: remembered().conversation(),
      ...inProject(store.state().project),
    };
    listen(key, { url: '/api/action', body: { version: PROTOCOL, action: { ...action, context } } }, true);
  }

  /** Whether an answer can be shown as it is: it is read now, or complete with its cards. */
  const isThere = ({ key, phase }: AnswerState): boolean =>
    listening.key() === key || (hosts.get(key) !== undefined && phase === 'done');

  /** Shows an answer that is there; another one that is read meanwhile is left. */
  function show(key: string): void {
    if (listening.key() !== key) listening.leave();
    dispatch({ type: 'shown', key });
  }

  /** @param anew even if the board is there as it was */
  function showBoard(id: string, anew = false): void {
    const known = answerByBoard(store.state(), id);
    if (known !== null && !anew && isThere(known)) {
      show(known.key);
      return;
    }
    listening.leave();
    // The drawing that is on the page stays until the first card of the new one is there.
    const key = begin('board', null, null, null, id);
    if (known !== null) dispatch({ type: 'replaced', key: known.key });
    listening.run(key, { url: `/api/boards/${encodeURIComponent(id)}/events` });
  }

  function showStart(): void {
    kept.read();
    const known = startOf(store.state());
    if (known !== null && isThere(known)) {
      show(known.key);
      return;
    }
    listening.leave();
    if (known !== null) drop(known.key);
    const { project } = store.state();
    const url = project === null ? '/api/start' : `/api/start?project=${project}`;
    listening.run(begin('start', null, null, null), { url });
  }

  function showAnswer(id: string): void {
    const known = answerById(store.state(), id);
    if (known === null) {
      listening.leave();
      listen(begin('question', id, null, null), { url: eventsUrl(id) }, false);
      return;
    }
    show(known.key);
    if (listening.key() === known.key) return;
    if (hosts.get(known.key) === undefined) {
      dispatch({ type: 'restarted', key: known.key });
      listen(known.key, { url: eventsUrl(id) }, false);
    } else if (answerOf(store.state(), known.key)?.phase === 'left') {
      resumeKey(known);
    }
  }

  function resumeKey({ key, id }: AnswerState): void {
    if (id === null) return;
    dispatch({ type: 'phase', key, phase: 'streaming' });
    listen(key, { url: eventsUrl(id) }, false);
  }

  function followAddress(): void {
    const route = parseRoute(address.path());
    const state = store.state();
    const project = choiceOf(route.project ?? null, state.projects);
    // An answer or a board without a project in its address says itself where it belongs.
    if (project !== state.project && (project !== null || route.view === 'start')) projects.enter(project);
    if (route.view === 'start') showStart();
    else if (route.view === 'board') showBoard(route.id);
    else showAnswer(route.id);
  }

  return {
    state: store.state,
    subscribe: store.subscribe,
    host: (key) => (key === null ? null : (hosts.get(key)?.host ?? null)),
    start() {
      projects.readList();
      followAddress();
      const unlisten = address.onChange(followAddress);
      return () => {
        unlisten();
        listening.leave();
        live.follow(null);
      };
    },
    ask: (question) => ask(question),
    askAnew: (question) => ask(question, true),
    forget: (id) => void kept.forget(id),
    forgetAll: () => void kept.forgetAll(),
    open(id) {
      address.push(pathOf(id === null ? { view: 'start' } : { view: 'answer', id }));
      followAddress();
    },
    choose(id) {
      address.push(routePath({ view: 'start', project: choiceOf(id, store.state().projects) }));
      followAddress();
    },
    openBoard(id) {
      address.push(pathOf({ view: 'board', id }));
      followAddress();
    },
    isOpenBoard: (id) => currentAnswer(store.state())?.board === id,
    redrawBoard(id) {
      const known = answerByBoard(store.state(), id);
      if (known === null) return;
      if (known.key === store.state().current) showBoard(id, true);
      else drop(known.key);
    },
    stop() {
      if (listening.key() === store.state().current) listening.stop();
    },
    resume() {
      const answer = currentAnswer(store.state());
      if (answer === null) return;
      if (answer.kind === 'start') showStart();
      else if (answer.board !== null) showBoard(answer.board, true);
      else if (answer.id !== null && answer.phase === 'interrupted') resumeKey(answer);
      else if (answer.question !== null && !isLive(answer)) ask(answer.question);
    },
    report(surfaceId, cardId, error) {
      const message = error instanceof Error ? error.message : 'not an error object';
      report({ code: 'CARD_FAILED', surfaceId, path: cardId === '' ? '/' : `/cards/${cardId}`, message });
    },
  };
}

/** The project of a request; the default one goes without saying. */
const inProject = (project: ProjectChoice): { project?: string } => (project === null ? {} : { project });
