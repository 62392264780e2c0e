import type { CardData, Paragraph } from '../../shared/cards.ts';
import { type Code, isCode } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { Report, StreamEvent } from '../../shared/wire.ts';
import type { AnswerSink } from './answers.ts';
import { createChanges } from './change/changes.ts';
import { within } from './deadline.ts';
import type { AnswerPorts, AnswerRequest, Remade, Settled, Shown, StoredPlan, Surface } from './ports.ts';
import type { Tracer } from './trace.ts';
import type { NamedPlanner } from './types.ts';
import { writingPlan } from './writing-plan.ts';

/** An answer after its end: what it needs to be made again on a record that has changed, without a planner being asked. */

type Run = (request: AnswerRequest, ports: AnswerPorts, sink: AnswerSink) => Promise<void>;

export interface Made {
  id: string;
  request: AnswerRequest;
  ports: AnswerPorts;
  surface: Surface;
  /** The plan's text and how the answer ended. */
  plan: string;
  code: Code | null;
  /** The kept plan it was answered with, if it was. */
  stored: StoredPlan | null;
  startedAt: number;
  shown: Shown;
}

/** Tells nothing: what is made again has the way of its first making. */
export const UNTOLD: Tracer = {
  begin: () => undefined,
  found: () => undefined,
  text: () => undefined,
  planEnd: () => undefined,
  scan: () => undefined,
  preamble: () => undefined,
  read: () => undefined,
  ready: () => undefined,
  leftOut: () => undefined,
  frame: () => undefined,
};

/** Verdicts of a check that says nothing about the cards. */
const NO_VERDICT: ReadonlySet<string> = new Set<Code>(['record_moved', 'verify_failed']);

/** What a run of the pipeline came to, without anything being sent. */
interface Collected {
  title: string | null;
  cards: readonly CardData[];
  chat: Paragraph[];
  report: Report | null;
  code: Code | null;
  /** Short fingerprint of the record the cards were read from, before the check. */
  record: string;
}

async function collect(
  run: Run,
  request: AnswerRequest,
  ports: AnswerPorts,
  id: string,
  signal: AbortSignal,
): Promise<Collected> {
  const made: Collected = { title: null, cards: [], chat: [], report: null, code: null, record: '' };
  const surface: Surface = {
    open: () => [],
    draft: () => [],
    card: () => [],
    end: () => [],
    all: () => [],
    final(cards) {
      made.cards = cards;
      return [];
    },
  };
  let count = 0;
  const emit = (event: StreamEvent): void => {
    count += 1;
    if (event.event === 'open') made.title = event.data.title;
    else if (event.event === 'chat') made.chat = event.data.paragraphs;
    else if (event.event === 'report') made.report = event.data;
    else if (event.event === 'done') made.code = isCode(event.data.code) ? event.data.code : null;
  };
  const quiet: AnswerPorts = {
    ...ports,
    surface: () => surface,
    async profile() {
      const profile = await ports.profile();
      if (made.record === '') made.record = profile.fingerprint.slice(0, 12);
      return profile;
    },
  };
  await run(request, quiet, {
    id,
    signal,
    emit,
    count: () => count,
    trace: UNTOLD,
    settle: () => undefined,
  });
  return made;
}

/**
 * An answer that has ended, ready to follow the record; null when there is nothing to follow: it was stopped, or has no
 * plan.
 * @param run the way of an answer
 */
export function settledOf(made: Made, run: Run): Settled | null {
  const { request, ports, plan, code, id, stored } = made;
  const { question } = request;
  if (code === 'stopped' || code === 'abandoned' || (question !== null && plan === '')) return null;
  const { kind, name, model } = stored?.planner ?? request.planner;
  const identity: Omit<NamedPlanner, 'plan'> = { kind, name, model };
  const changes = createChanges(plan);
  /** The version of the changes that is shown, and who wants to hear of another. */
  let shownVersion = 0;
  const listeners = new Set<() => void>();
  const again = (): AnswerRequest => ({
    ...request,
    // The starting view is written anew: its planner knows only the record.
    planner:
      question === null ? request.planner : writingPlan({ planner: identity, plan: changes.plan, code }),
    stored,
    recall: null,
    remember: () => undefined,
    keep: () => undefined,
  });
  /** Whether a code is that of the first making. A view of the server may find the record empty, or no longer so. */
  const expected = (now: Code | null): boolean =>
    now === code || (question === null && (now === null || now === 'record_empty'));

  /** Whether the record is still the one that the figures shown were checked on. In doubt it is not. */
  const still = async (shown: Shown): Promise<boolean> => {
    if (shown.report === null || shown.report.record === '') return false;
    try {
      await within(ports.refresh(), LIMITS.resolveMs, 'refresh');
      const { fingerprint } = await within(ports.profile(), LIMITS.resolveMs, 'profile');
      return fingerprint.startsWith(shown.report.record);
    } catch {
      return false;
    }
  };

  const settled: Settled = {
    surface: made.surface,
    shown: made.shown,
    get plan() {
      return question === null ? '' : changes.plan;
    },
    question,
    folder: request.folder ?? '',
    planner: identity,
    plannedAt: stored?.askedAt ?? made.startedAt,
    onChange(listener) {
      listeners.add(listener);
      const unlisten = ports.onChange(listener);
      return () => {
        listeners.delete(listener);
        unlisten();
      };
    },
    async change(index, change) {
      if (question === null) return 'not_found';
      const profile = await within(ports.profile(), LIMITS.resolveMs, 'profile');
      const refused = changes.make(index, change, ports.reader(profile, question, []), profile);
      if (refused === null) for (const listener of [...listeners]) listener();
      return refused;
    },
    async again(signal): Promise<Remade> {
      const { version } = changes;
      if (version === shownVersion && (await still(settled.shown))) return { ok: true, shown: settled.shown };
      for (let pass = 0; pass < LIMITS.verifyPasses; pass += 1) {
        const {
          code: now,
          title,
          cards,
          chat,
          report,
          record,
        } = await collect(run, again(), ports, id, signal);
        if (signal.aborted) return { ok: false, code: 'stopped' };
        if (!expected(now)) return { ok: false, code: now ?? 'query_failed' };
        if (report !== null && NO_VERDICT.has(report.code ?? ''))
          return { ok: false, code: isCode(report.code) ? report.code : 'verify_failed' };
        // Read from one record and checked against the next: the check would tell of a difference nobody has seen.
        if (report !== null && report.record !== '' && report.record !== record) continue;
        // Changed once more meanwhile: what was made is of a plan that is gone.
        if (version !== changes.version) continue;
        shownVersion = version;
        return { ok: true, shown: { title, cards: changes.told(cards), chat, report } };
      }
      return { ok: false, code: 'record_moved' };
    },
  };
  return settled;
}
