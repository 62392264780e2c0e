import type { CardData, Figure, StatCard } from '../../shared/cards.ts';
import { Block } from '../../shared/plan.ts';
import type { StreamEvent } from '../../shared/wire.ts';
import { createCompiler } from '../a2ui/compiler.ts';
import { testProfile } from '../planner/test-profile.ts';
import type { RecordProfile, Store } from '../record/store.ts';
import type { AnswerSink, EndedBy } from './answers.ts';
import { byPlace } from './placing.ts';
import type { AnswerPorts, AnswerRequest, PlanReader, ResolverOptions, Settled } from './ports.ts';
import { createScanner } from './scanner.ts';
import { AnswerTrace } from './trace.ts';
import type { EvidenceItem, NamedPlanner, Preamble, PremiseFinding, Resolver } from './types.ts';
import { type StrictPlan, type VerifyPorts, verify } from './verify.ts';

/** Doubles for the steps around the pipeline: a record of one number per title, and no queries. For tests only. */

export const figure = (value: number | null): Figure => ({
  value,
  unit: 's',
  basis: 'measured',
  evidence: null,
  disputed: false,
  n: 1,
  missing: value === null ? 'not recorded' : null,
});

export const statCard = (id: string, title: string, value: number | null): StatCard => ({
  type: 'stat',
  id,
  title,
  sub: null,
  mark: { state: 'checking', have: null, of: null, why: null },
  actions: [],
  evidence: [],
  trimmed: null,
  rule: { measured: 1, claimed: 0, missing: 0 },
  figures: [{ label: title, figure: figure(value), compare: null, caption: [], strip: null }],
});

/** A note block without sentences; its title is what the double looks up. */
export const block = (title: string) => ({ type: 'note' as const, title, body: [], actions: [] });

export const planText = (titles: readonly string[], more: Record<string, unknown> = {}): string =>
  JSON.stringify({
    about: { feature: null, scope: [] },
    facts: [],
    premises: [],
    checks: [],
    explanation: [],
    blocks: titles.map(block),
    followUps: ['What else?'],
    ...more,
  });

export const planner = (pieces: () => AsyncIterable<string>): NamedPlanner => ({
  kind: 'model',
  name: 'scripted',
  model: 'scripted',
  plan: pieces,
});

/** A planner that writes this text in pieces of ten characters. */
export const writing = (text: string): NamedPlanner =>
  planner(async function* () {
    for (let at = 0; at < text.length; at += 10) yield text.slice(at, at + 10);
  });

const EMPTY: Preamble = { about: { feature: null, scope: [] }, facts: [], premises: [], checks: [] };

const reader: PlanReader = {
  preamble: () => ({ ok: true, value: EMPTY, notes: [] }),
  block: (value) => {
    const read = Block.safeParse(value);
    return read.success
      ? { ok: true, value: read.data, notes: [] }
      : { ok: false, code: 'block_invalid', issues: ['shape'] };
  },
  explanation: () => [],
  followUps: (value) =>
    Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [],
};

export interface World {
  /** What each title's card says; a title that is missing fails to resolve. */
  values: Map<string, number>;
  /** Values the first reading gives instead. */
  wrong: Map<string, number>;
  /** Waits before a card of this title is there. */
  waits: Map<string, Promise<void>>;
  premises: PremiseFinding[];
  evidence: EvidenceItem[];
  profile: RecordProfile;
  fingerprint: () => string;
  /** Called as the second reading resolves a card. */
  onSecond: () => void;
  log: string[];
}

export const world = (): World => ({
  values: new Map(),
  wrong: new Map(),
  waits: new Map(),
  premises: [],
  evidence: [],
  profile: testProfile,
  fingerprint: () => 'f1',
  onSecond: () => undefined,
  log: [],
});

function resolver(about: World, { stage }: ResolverOptions): Resolver {
  return {
    preamble: async () => undefined,
    facts: () => new Map(),
    outcomes: () => new Map(),
    prose: () => [],
    premiseBlocks: () => [],
    card: async (given, id): Promise<CardData> => {
      const title = given.type === 'premise' ? `premise ${given.measure}` : (given.title ?? '');
      await about.waits.get(title);
      if (stage === 'final') about.onSecond();
      const value =
        stage === 'stream' ? (about.wrong.get(title) ?? about.values.get(title)) : about.values.get(title);
      if (given.type !== 'premise' && value === undefined) throw new Error(`no such row: ${title}`);
      return statCard(id, title, value ?? null);
    },
  };
}

const store = (about: World): Store => ({
  query: async () => ({ rows: [], truncated: false, ms: 0 }),
  connect: async () => store(about),
  fingerprint: async () => about.fingerprint(),
  close: async () => undefined,
});

function parse(text: string): StrictPlan {
  const none: StrictPlan = {
    preamble: EMPTY,
    explanation: [],
    followUps: [],
    blocks: [],
    refused: [],
    code: 'plan_invalid',
  };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('blocks' in value) || !Array.isArray(value.blocks))
      return none;
    const plan: StrictPlan = { ...none, code: null };
    for (const [index, entry] of value.blocks.entries()) {
      const read = Block.safeParse(entry);
      if (read.success) plan.blocks.push({ index, block: read.data, notes: [] });
      else plan.refused.push({ index, code: 'block_invalid', reason: 'not its shape' });
    }
    return plan;
  } catch {
    return none;
  }
}

export const verifyPorts = (about: World): VerifyPorts => ({
  connect: async () => store(about),
  refresh: async () => undefined,
  profile: async () => about.profile,
  checkPremises: async () => about.premises,
  collectEvidence: async () => about.evidence,
  parse,
  resolver: (options) => resolver(about, options),
  lineExists: async () => true,
});

export const ports = (about: World): AnswerPorts => ({
  refresh: async () => undefined,
  profile: async () => about.profile,
  store: () => store(about),
  checkPremises: async () => about.premises,
  collectEvidence: async () => about.evidence,
  scanner: () => createScanner(),
  reader: () => reader,
  resolver: (options) => resolver(about, options),
  surface: (id, order = byPlace) => createCompiler(id, { order }),
  verify: (input) => verify(input, verifyPorts(about)),
  onChange: () => () => undefined,
  suggestions: () => ['How did the run go?'],
  log: {
    info: (_about, message) => void about.log.push(message),
    warn: (_about, message) => void about.log.push(message),
  },
});

export const asked = (from: NamedPlanner, more: Partial<AnswerRequest> = {}): AnswerRequest => ({
  question: 'how long did it take?',
  title: null,
  planner: from,
  turns: [],
  projects: [],
  remember: () => undefined,
  stored: null,
  recall: null,
  keep: () => undefined,
  ...more,
});

/** A sink that keeps events as they are. */
export function sink() {
  const events: StreamEvent[] = [];
  const controller = new AbortController();
  const listeners: ((event: StreamEvent) => void)[] = [];
  let settled: Settled | null = null;
  const given: AnswerSink = {
    id: 'a1',
    signal: controller.signal,
    emit: (event) => {
      events.push(structuredClone(event));
      for (const listener of listeners) listener(event);
    },
    count: () => events.length,
    trace: new AnswerTrace('a1'),
    settle: (given) => {
      settled = given;
    },
  };
  return {
    sink: given,
    events,
    settled: () => settled,
    end: (by: EndedBy = 'stopped') => controller.abort(by),
    on: (listener: (event: StreamEvent) => void) => void listeners.push(listener),
    done: () => {
      const last = events.at(-1);
      if (last?.event !== 'done') throw new Error('no done');
      return last.data;
    },
    report: () => events.flatMap((event) => (event.event === 'report' ? [event.data] : []))[0],
    /** Cards as the page has them now: in order of the root's children, with their data. */
    cards: (): { id: string; data: Record<string, unknown> }[] => pageOf(events),
  };
}

/** What a page shows after these events. */
export function pageOf(events: readonly StreamEvent[]): { id: string; data: Record<string, unknown> }[] {
  const data = new Map<string, Record<string, unknown>>();
  let children: string[] = [];
  const isRecord = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  for (const event of events) {
    if (event.event !== 'a2ui') continue;
    const { updateDataModel, updateComponents } = event.data;
    if (
      isRecord(updateDataModel) &&
      typeof updateDataModel.path === 'string' &&
      isRecord(updateDataModel.value)
    )
      data.set(updateDataModel.path, updateDataModel.value);
    if (!isRecord(updateComponents) || !Array.isArray(updateComponents.components)) continue;
    for (const component of updateComponents.components)
      if (isRecord(component) && component.id === 'root' && Array.isArray(component.children))
        children = component.children.map(String);
  }
  return children.flatMap((id) => {
    const card = data.get(`/cards/${id}`);
    return card === undefined ? [] : [{ id, data: card }];
  });
}
