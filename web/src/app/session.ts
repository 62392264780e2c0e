import type { ReactComponentImplementation } from '@a2ui/react/v0_9';
import type { A2uiClientAction, Catalog } from '@a2ui/web_core/v0_9';
import { PROTOCOL, REFINE } from '../../../shared/catalog.ts';
import { isCode } from '../../../shared/codes.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { ProjectRef } from '../../../shared/wire.ts';
import { createHost, type Host } from '../a2ui/host.ts';
import { createReporter, getHealth, postStop } from '../lib/api.ts';
import { deleteAnswer, deleteAnswers, getArchive } from '../lib/archive.ts';
import { readStream, type StreamEnd } from '../lib/stream.ts';
import { text } from '../lib/unknown.ts';
import { createLive, type LiveFrame, type Visibility } from '../live/live.ts';
import { choiceOf, type ProjectChoice } from '../projects/choice.ts';
import { getProjects } from '../projects/read.ts';
import type { Memory } from './memory.ts';
import { type Address, parseRoute, type Route, routePath } from './route.ts';
import {
  type Action,
  type AnswerState,
  answerByBoard,
  answerById,
  answerOf,
  currentAnswer,
  initialState,
  isLive,
  reduce,
  type State,
  startOf,
} from './state.ts';

/** Answers whose cards are kept in the tab; older ones are fetched again when they are opened. */
const HOSTS = 12;
/** Answers whose words are kept in the chat. */
const ANSWERS = 60;
/** Pause before a broken stream is taken up again by itself, and the wait for a stop to be heard, in milliseconds. */
const RESUME_AFTER = 400;
const STOP_WAIT = 3_000;
/** Shortest time between two words of the live region about updates, in milliseconds. */
const SAY_EVERY = 15_000;
/** Status with which a server refuses to go on in the middle of an answer that it would have to make again. */
const BEGIN_AGAIN = 410;

/** The running stream: one at most. */
interface Running {
  key: string;
  controller: AbortController;
}
/** What the page holds of an answer beside its state. */
interface Held {
  host: Host;
  /** Id of the last event seen. */
  last: number;
}

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
  const listeners = new Set<() => void>();
  const held = new Map<string, Held>();
  const report = createReporter();
  let state: State = { ...initialState, earlier: memory.turns() };
  let running: Running | null = null;
  let serial = 0;
  /** Settles when the list of projects is there, or will not be. */
  let projectsKnown: Promise<void> = Promise.resolve();

  const dispatch = (action: Action): void => {
    const next = reduce(state, action);
    if (next === state) return;
    state = next;
    follow();
    for (const notify of [...listeners]) notify();
  };
  const live = createLive({ onFrame: takeFrame, onGone: reopenView, visibility });
  let saidAt = Number.NEGATIVE_INFINITY;

  /** The answer on the page follows the record once it is complete; a replay has none. */
  function follow(): void {
    const answer = currentAnswer(state);
    const { key, id, phase, replay, report } = answer ?? {};
    if (key === undefined || id == null || phase !== 'done' || replay != null) live.follow(null);
    else live.follow({ key, id, record: report?.record ?? '' });
  }

  function takeFrame(key: string, { messages, ...frame }: LiveFrame): void {
    const host = held.get(key)?.host;
    if (host !== undefined && messages.length > 0) {
      for (const message of messages) host.push(message);
      // Gathered for a frame already.
      host.flush();
    }
    if (frame.record) readFacts();
    if (frame.boards) onBoards?.();
    if (frame.chat === null && frame.state === null) return;
    const say = now() - saidAt >= SAY_EVERY;
    if (say && frame.state !== null) saidAt = now();
    dispatch({ type: 'live', key, frame, say });
  }

  /** The server has begun anew and does not know a view of its own any more: it is made again. */
  function reopenView(key: string): void {
    const answer = answerOf(state, key);
    if (state.current !== key || answer === null || answer.kind === 'question') return;
    release(key);
    dispatch({ type: 'forgotten', key });
    if (answer.board === null) showStart();
    else showBoard(answer.board);
  }

  function hold(key: string): Held {
    const host = createHost(catalog, {
      onAction: act,
      onRefusal: (surfaceId, refusal) => report({ surfaceId, ...refusal }),
      onCard: (card) => dispatch({ type: 'card', key, title: card.title, n: card.n }),
    });
    const made = { host, last: 0 };
    held.get(key)?.host.dispose();
    held.set(key, made);
    for (const old of [...held.keys()].slice(0, Math.max(0, held.size - HOSTS))) {
      if (old !== state.current && old !== state.canvas && old !== key) release(old);
    }
    return made;
  }

  function release(key: string): void {
    held.get(key)?.host.dispose();
    held.delete(key);
    const answer = answerOf(state, key);
    // What has an address can be fetched again; the turn in the chat keeps its words.
    if (answer !== null && answer.id === null) dispatch({ type: 'forgotten', key });
  }

  /** Ends the reading of the running stream; the answer goes on at the server for a while. */
  function leave(): void {
    if (running === null) return;
    const { key, controller } = running;
    running = null;
    controller.abort();
    if (isLive(answerOf(state, key))) dispatch({ type: 'phase', key, phase: 'left' });
  }

  async function run(key: string, first: { url: string; body?: unknown }, push: boolean): Promise<void> {
    leave();
    const controller = new AbortController();
    running = { key, controller };
    let request = first;
    for (let attempt = 0; ; attempt += 1) {
      const end = await read(key, request, controller.signal, push);
      if (running?.controller !== controller) return;
      const answer = answerOf(state, key);
      const id = answer?.phase === 'stopping' ? null : (answer?.id ?? null);
      if (end.how === 'refused' && end.status === BEGIN_AGAIN && id !== null && held.get(key)?.last !== 0) {
        // The server has made itself anew since: its answer is another stream, and has to be read from its beginning.
        hold(key);
        dispatch({ type: 'restarted', key });
        request = { url: eventsUrl(id) };
        continue;
      }
      if (end.how !== 'broken' || attempt > 0 || id === null) {
        running = null;
        finish(key, end);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, RESUME_AFTER));
      if (controller.signal.aborted) return;
      request = { url: eventsUrl(id) };
    }
  }

  function read(
    key: string,
    request: { url: string; body?: unknown },
    signal: AbortSignal,
    push: boolean,
  ): Promise<StreamEnd> {
    const mine = held.get(key) ?? hold(key);
    return readStream({
      ...request,
      after: mine.last,
      signal,
      onEvent(event, id) {
        if (signal.aborted) return;
        mine.last = id;
        if (event.event === 'a2ui') {
          mine.host.push(event.data);
          return;
        }
        // The last words come after the cards they speak of.
        if (event.event === 'done' || event.event === 'report') mine.host.flush();
        dispatch({ type: 'event', key, event });
        const answer = answerOf(state, key);
        if (answer === null || answer.kind !== 'question') return;
        if (event.event === 'open') goWith(key, event.data.projects ?? []);
        if (event.event === 'open' && push && state.current === key)
          address.push(pathOf({ view: 'answer', id: event.data.answerId }));
        if (event.event === 'open' || event.event === 'done') keep(answer);
      },
    });
  }

  /** Remembers a turn over a reload, with the words said to it as far as they are there. */
  function keep({ key, id, question, at, paragraphs }: AnswerState): void {
    const own = memory.of(answerOf(state, key)?.project ?? null);
    if (id !== null && at !== null) own.keep({ id, question: question ?? '', at, paragraphs });
  }

  function finish(key: string, end: StreamEnd): void {
    held.get(key)?.host.flush();
    if (end.how === 'done' || end.how === 'aborted') return;
    const answer = answerOf(state, key);
    if (answer === null) return;
    if (answer.phase === 'stopping') {
      dispatch({ type: 'phase', key, phase: 'interrupted', code: 'stopped' });
    } else if (end.how === 'refused') {
      const gone = end.status === 404 || end.status === 410;
      const code = isCode(end.code) ? end.code : gone ? 'not_found' : 'bad_request';
      dispatch({ type: 'phase', key, phase: 'lost', code });
    } else {
      dispatch({ type: 'phase', key, phase: answer.id === null ? 'lost' : 'interrupted', code: null });
    }
  }

  function readFacts(): void {
    const { project } = state;
    void getHealth(project).then((health) => {
      if (state.project === project) dispatch({ type: 'health', health });
    });
  }

  /** The memory of the project on the page. */
  const remembered = (): Memory => memory.of(state.project);

  function readProjects(): void {
    projectsKnown = getProjects().then((projects) => {
      const before = state.project;
      dispatch({ type: 'projects', projects });
      // The address may have called the default project by its name.
      if (state.project !== before) enter(state.project);
    });
  }

  /** Puts another project on the page: its facts, its conversation. */
  function enter(project: ProjectChoice): void {
    dispatch({ type: 'project', project, earlier: memory.of(project).turns() });
    readFacts();
  }

  /** The page follows an answer to the project it is about; a comparison is about none alone. */
  function goWith(key: string, about: readonly ProjectRef[]): void {
    const [one] = about;
    if (one === undefined || about.length > 1) return;
    if (state.projects.length === 0) {
      void projectsKnown.then(() => state.projects.length > 0 && goWith(key, about));
      return;
    }
    const project = choiceOf(one.id, state.projects);
    const isNew = answerOf(state, key)?.project !== project;
    if (isNew) dispatch({ type: 'belongs', key, project });
    if (state.current === key && project !== state.project) enter(project);
  }

  const pathOf = (route: Route): string => routePath({ ...route, project: state.project });

  function begin(
    kind: AnswerState['kind'],
    id: string | null,
    question: string | null,
    label: string | null,
    board: string | null = null,
  ): string {
    serial += 1;
    const key = `answer-${serial}`;
    for (const old of state.order.slice(0, Math.max(0, state.order.length - ANSWERS))) {
      if (old === state.canvas || old === state.current) continue;
      release(old);
      dispatch({ type: 'forgotten', key: old });
    }
    if (state.health === null) readFacts();
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

  function ask(question: string, anew = false): void {
    const asked = question.trim().slice(0, LIMITS.question);
    if (asked === '') return;
    leave();
    const key = begin('question', null, asked, null);
    const body = {
      question: asked,
      conversation: remembered().conversation(),
      ...inProject(state.project),
      ...(anew ? { anew } : {}),
    };
    void run(key, { url: '/api/ask', body }, true);
  }

  function act(action: A2uiClientAction): void {
    const request = text(action.context.request);
    if (action.name !== REFINE || request === null) return;
    leave();
    const key = begin('question', null, request, text(action.context.label));
    const context = {
      ...action.context,
      conversation: remembered().conversation(),
      ...inProject(state.project),
    };
    void run(key, { url: '/api/action', body: { version: PROTOCOL, action: { ...action, context } } }, true);
  }

  function readKept(): void {
    void getArchive().then((answers) => dispatch({ type: 'archive', answers }));
  }

  async function forget(id: string): Promise<void> {
    if (!(await deleteAnswer(id))) return;
    remembered().drop(id);
    dispatch({ type: 'deleted', id });
    readKept();
  }

  async function forgetAll(): Promise<void> {
    if (!(await deleteAnswers())) return;
    for (const choice of [null, ...state.projects.map(({ id }) => id)])
      for (const { id } of memory.of(choice).turns()) memory.of(choice).drop(id);
    dispatch({ type: 'deletedAll' });
    readKept();
  }

  /** @param anew even if the board is there as it was */
  function showBoard(id: string, anew = false): void {
    const known = answerByBoard(state, id);
    if (
      known !== null &&
      !anew &&
      (running?.key === known.key || (held.has(known.key) && known.phase === 'done'))
    ) {
      if (running !== null && running.key !== known.key) leave();
      dispatch({ type: 'shown', key: known.key });
      return;
    }
    leave();
    // The drawing that is on the page stays until the first card of the new one is there.
    const key = begin('board', null, null, null, id);
    if (known !== null) dispatch({ type: 'replaced', key: known.key });
    void run(key, { url: `/api/boards/${encodeURIComponent(id)}/events` }, false);
  }

  function showStart(): void {
    readKept();
    const known = startOf(state);
    if (known !== null && running?.key === known.key) {
      dispatch({ type: 'shown', key: known.key });
      return;
    }
    leave();
    if (known !== null && held.has(known.key) && known.phase === 'done') {
      dispatch({ type: 'shown', key: known.key });
      return;
    }
    if (known !== null) {
      release(known.key);
      dispatch({ type: 'forgotten', key: known.key });
    }
    const url = state.project === null ? '/api/start' : `/api/start?project=${state.project}`;
    void run(begin('start', null, null, null), { url }, false);
  }

  function showAnswer(id: string): void {
    const known = answerById(state, id);
    if (known !== null && running?.key === known.key) {
      dispatch({ type: 'shown', key: known.key });
      return;
    }
    leave();
    if (known === null) {
      void run(begin('question', id, null, null), { url: eventsUrl(id) }, false);
      return;
    }
    dispatch({ type: 'shown', key: known.key });
    if (!held.has(known.key)) {
      dispatch({ type: 'restarted', key: known.key });
      void run(known.key, { url: eventsUrl(id) }, false);
    } else if (known.phase === 'left') {
      resumeKey(known);
    }
  }

  function resumeKey(answer: AnswerState): void {
    if (answer.id === null) return;
    dispatch({ type: 'phase', key: answer.key, phase: 'streaming' });
    void run(answer.key, { url: eventsUrl(answer.id) }, false);
  }

  function followAddress(): void {
    const route = parseRoute(address.path());
    const project = choiceOf(route.project ?? null, state.projects);
    // An answer or a board without a project in its address says itself where it belongs.
    if (project !== state.project && (project !== null || route.view === 'start')) enter(project);
    if (route.view === 'start') showStart();
    else if (route.view === 'board') showBoard(route.id);
    else showAnswer(route.id);
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    host: (key) => (key === null ? null : (held.get(key)?.host ?? null)),
    start() {
      readProjects();
      followAddress();
      const unlisten = address.onChange(followAddress);
      return () => {
        unlisten();
        leave();
        live.follow(null);
      };
    },
    ask: (question) => ask(question),
    askAnew: (question) => ask(question, true),
    forget: (id) => void forget(id),
    open(id) {
      address.push(pathOf(id === null ? { view: 'start' } : { view: 'answer', id }));
      followAddress();
    },
    choose(id) {
      address.push(routePath({ view: 'start', project: choiceOf(id, state.projects) }));
      followAddress();
    },
    openBoard(id) {
      address.push(pathOf({ view: 'board', id }));
      followAddress();
    },
    isOpenBoard: (id) => currentAnswer(state)?.board === id,
    redrawBoard(id) {
      const known = answerByBoard(state, id);
      if (known === null) return;
      if (known.key === state.current) showBoard(id, true);
      else {
        release(known.key);
        dispatch({ type: 'forgotten', key: known.key });
      }
    },
    forgetAll: () => void forgetAll(),
    stop() {
      const answer = currentAnswer(state);
      if (answer === null || running?.key !== answer.key || answer.phase === 'stopping') return;
      const { key, controller } = running;
      dispatch({ type: 'phase', key, phase: 'stopping' });
      const giveUp = () => {
        if (running?.controller !== controller) return;
        running = null;
        controller.abort();
        finish(key, { how: 'broken' });
      };
      if (answer.id === null) giveUp();
      else {
        postStop(answer.id);
        setTimeout(giveUp, STOP_WAIT);
      }
    },
    resume() {
      const answer = currentAnswer(state);
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

const eventsUrl = (id: string): string => `/api/answers/${encodeURIComponent(id)}/events`;
