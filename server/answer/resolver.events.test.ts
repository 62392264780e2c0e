import { afterEach, describe, expect, it } from 'vitest';
import type { CardData, LedgerCard, LogCard, TimelineCard } from '../../shared/cards.ts';
import type { AnyBlock, LedgerBlock, LogBlock, TimelineBlock, Where } from '../../shared/plan.ts';
import { GATE_START, gateRecord } from '../metrics/test-gates.ts';
import type { TestStore } from '../metrics/test-record.ts';
import { profileOf } from '../record/profile.ts';
import type { RecordHandle } from '../record/store.ts';
import { createRegistry, type Registry } from './evidence.ts';
import { createResolver } from './resolver.ts';

/** Ledger, log and timeline on a small record of a gated loop (server/metrics/test-gates.ts). */

let store: TestStore | null = null;
afterEach(async () => {
  await store?.close();
  store = null;
});

async function record(without: readonly string[] = []) {
  const made = await gateRecord(without);
  store = made;
  const profile = await profileOf(made, 'f');
  const handle: RecordHandle = {
    store: made,
    profile: async () => profile,
    rawLines: async (sourceId, line) => ({
      source: sourceId,
      sourceId,
      lines: [{ line, text: `line ${line}`, cited: true }],
    }),
    reload: async () => false,
    summary: () => Promise.reject(new Error('not asked for')),
    onChange: () => () => undefined,
    watch: () => undefined,
    close: async () => undefined,
  };
  const registry = createRegistry(handle);
  const resolver = createResolver({
    store: made,
    profile,
    evidence: [],
    registry,
    threshold: () => null,
    signal: new AbortController().signal,
    question: null,
    stage: 'final',
  });
  await resolver.preamble({ about: { feature: null, scope: [] }, facts: [], premises: [], checks: [] });
  return { card: (block: AnyBlock) => resolver.card(block, 'c0'), registry };
}

const only = (dim: string, ...any_of: string[]): Where => ({ type: 'in', dim, not: false, any_of });
const timeline = (of: TimelineBlock['of'], where: Where[] = []): TimelineBlock => ({
  type: 'timeline',
  title: 'Timeline',
  of,
  scope: 'run',
  where,
  actions: [],
});
const log = (more: Partial<LogBlock> = {}): LogBlock => ({
  type: 'log',
  title: 'Log',
  around: 'nothing',
  size: 'all',
  scope: 'run',
  where: [],
  actions: [],
  ...more,
});
const ledger = (more: Partial<LedgerBlock> = {}): LedgerBlock => ({
  type: 'ledger',
  title: 'Ledger',
  group: 'feature',
  scope: 'run',
  where: [],
  actions: [],
  ...more,
});

function isTimeline(card: CardData): asserts card is TimelineCard {
  expect(card.type).toBe('timeline');
}
function isLog(card: CardData): asserts card is LogCard {
  expect(card.type).toBe('log');
}
function isLedger(card: CardData): asserts card is LedgerCard {
  expect(card.type).toBe('ledger');
}
const minute = (ms: number | null): number | null => (ms === null ? null : (ms - GATE_START) / 60_000);
const raised = async (registry: Registry, id: string | null) => (id === null ? null : registry.open(id));

describe('a timeline of gate runs', () => {
  it('has one lane a feature, with verdict, attribution and exact times', async () => {
    const { card, registry } = await record();
    const made = await card(timeline('gates'));
    isTimeline(made);
    expect(made.lanes.map(({ id, title, marks }) => [id, title, marks.length])).toEqual([
      ['T1', 'Cart lines', 5],
      ['T2', 'Sign in', 1],
    ]);
    const [given, first, , late] = made.lanes[0]?.marks ?? [];
    expect(given).toMatchObject({ open: true, verdict: null, endMs: null });
    expect(given?.duration).toMatchObject({ value: null, missing: 'no outcome recorded' });
    expect(first).toMatchObject({
      what: 'scripted test',
      verdict: 'block',
      attribution: 'verifier',
      why: 'the failure says all members passed',
      attempt: { n: 1, of: 3 },
      open: false,
    });
    expect([minute(first?.startMs ?? null), minute(first?.endMs ?? null)]).toEqual([2, 3]);
    expect(first?.duration).toMatchObject({ value: 60, unit: 's', basis: 'measured' });
    expect(late).toMatchObject({ verdict: 'timeout', attribution: 'infra' });
    // The start at 18 min is that of the time-out; the start at 1 min has a gate run of its own already.
    expect(made.lanes[1]?.marks[0]?.duration.value).toBe(0.003);
    expect(made.sub).toBe('3 of 6 gate runs did not pass, 1 of them by the verifier itself.');
    expect(made).toMatchObject({ total: 6, untimed: 0, zone: '+00:00', zoneUnsure: false });
    const opened = await raised(registry, first?.evidence ?? null);
    expect(opened?.figure).toMatchObject({ value: 60, unit: 's' });
    expect(opened?.rows[0]).toMatchObject({
      label: 'T1 scripted test: block',
      line: 3,
      source: 'activity.log',
    });
    expect(opened?.rows[0]?.how).toContain('all members passed');
    expect(opened?.raw[0]?.lines[0]?.line).toBe(3);
  });
  it('adds a start that only the log knows of', async () => {
    const { card } = await record();
    await store?.insert('log_events', [
      {
        event_id: 'late',
        run_id: 'k',
        feature_id: 'k.fT2',
        at_ms: GATE_START + 50 * 60_000,
        level: 'info',
        kind: 'sweep_start',
        message: 'running general defect sweep',
        source_id: 'log',
        source_kind: 'activity_log',
        source_line: 20,
      },
    ]);
    const made = await card(timeline('gates', [only('feature', 'T2')]));
    isTimeline(made);
    expect(made.lanes[0]?.marks.map(({ what, open }) => [what, open])).toEqual([
      ['defect sweep', false],
      ['sweep', true],
    ]);
  });
  it('stays inside filters', async () => {
    const { card } = await record();
    const made = await card(timeline('gates', [only('attribution', 'verifier')]));
    isTimeline(made);
    expect(made.lanes.flatMap(({ marks }) => marks.map(({ id }) => id))).toEqual(['g1']);
  });
  it('shows at most so many, failures first, and says so', async () => {
    const { card } = await record();
    const many = Array.from({ length: 400 }, (_, n) => ({
      gate_event_id: `m${n}`,
      run_id: 'k',
      feature_id: 'k.fT1',
      gate: 'scripted_test',
      verdict: n === 399 ? 'block' : 'pass',
      attribution: 'unknown',
      started_at_ms: GATE_START + n * 1000,
      ended_at_ms: GATE_START + n * 1000 + 500,
      source_id: 'log',
      source_kind: 'activity_log',
      source_line: 100 + n,
    }));
    await store?.insert('gate_events', many);
    const made = await card(timeline('gates'));
    isTimeline(made);
    const marks = made.lanes.flatMap((lane) => lane.marks);
    expect(marks).toHaveLength(300);
    expect(marks.map(({ id }) => id)).toContain('m399');
    expect(made.trimmed).toBe('300 of 406 shown, failures first');
  });
});

describe('a timeline of other things', () => {
  it('draws the attempts of the strongest source', async () => {
    const { card } = await record();
    const made = await card(timeline('attempts'));
    isTimeline(made);
    expect(
      made.lanes[0]?.marks.map(({ what, verdict, duration }) => [what, verdict, duration.value]),
    ).toEqual([
      ['attempt 1', 'block', 60],
      ['attempt 2', 'pass', 60],
    ]);
  });
  it('draws log entries as moments', async () => {
    const { card } = await record();
    const made = await card(timeline('entries', [only('level', 'error')]));
    isTimeline(made);
    expect(made.lanes[0]?.marks.map(({ what, level }) => [what, level])).toEqual([
      ['gate block', 'error'],
      ['gate block', 'error'],
      ['infra', 'error'],
    ]);
  });
  it('says what to load where there is nothing, and that times are missing where they are', async () => {
    const { card } = await record(['gate_events', 'attempts']);
    expect(await card(timeline('gates', [only('verdict', 'block')]))).toMatchObject({
      type: 'empty',
      why: 'not_ingested',
      next: expect.stringContaining('Add the log of the gate'),
    });
    expect(await card(timeline('attempts'))).toMatchObject({ type: 'empty', why: 'not_ingested' });
    expect(await card(timeline('builds'))).toMatchObject({
      type: 'empty',
      says: 'No source of this record tells when a feature was finished.',
    });
  });
});

describe('a log', () => {
  it('shows entries as written, classified, with what gates came to at their line', async () => {
    const { card, registry } = await record();
    const made = await card(log());
    isLog(made);
    expect(made.entries.map(({ cite, kind }) => [cite.line, kind])).toEqual([
      [1, 'test start'],
      [2, 'test start'],
      [3, 'gate block'],
      [4, 'test start'],
      [5, 'gate block'],
      [8, 'test start'],
      [9, 'infra'],
      [10, 'sweep start'],
      [11, 'gate pass'],
    ]);
    expect(made.entries[0]).toMatchObject({ openStart: true, outcome: null, feature: { id: 'T1' } });
    expect(made.entries[1]?.openStart).toBe(false);
    expect(made.entries[6]?.outcome).toEqual({
      verdict: 'timeout',
      attribution: 'infra',
      why: 'the log calls it a time-out',
    });
    expect(made.entries[7]).toMatchObject({
      text: 'running general defect sweep\nagainst PRD section "UC-2"',
      lastLine: 11,
    });
    expect(made).toMatchObject({ total: 9, before: 0, trimmed: null });
    expect(made.kinds[0]).toEqual({ kind: 'test start', count: 4 });
    const opened = await raised(registry, made.entries[0]?.open ?? null);
    expect(opened).toMatchObject({ title: 'One entry of a log', figure: null });
    expect(opened?.raw[0]?.lines).toEqual([{ line: 1, text: 'line 1', cited: true }]);
  });
  it('stands around a failure or a start without outcome, and says how much is left out', async () => {
    const { card } = await record();
    const extra = Array.from({ length: 60 }, (_, n) => ({
      event_id: `x${n}`,
      run_id: 'k',
      at_ms: GATE_START + (60 + n) * 60_000,
      level: 'info',
      kind: 'next',
      message: `entry ${n}`,
      source_id: 'log',
      source_kind: 'activity_log',
      source_line: 100 + n,
    }));
    await store?.insert('log_events', extra);
    const failure = await card(log({ around: 'first_failure', size: 'few' }));
    isLog(failure);
    expect(failure.entries).toHaveLength(12);
    expect(failure.entries.findIndex(({ anchor }) => anchor)).toBe(2);
    expect(failure.trimmed).toBe('12 of 69 entries shown');
    const last = await card(log({ around: 'last_failure', size: 'few' }));
    isLog(last);
    expect(last.entries.find(({ anchor }) => anchor)?.cite.line).toBe(9);
    expect(last.before).toBe(2);
    const end = await card(log({ around: 'end', size: 'few' }));
    isLog(end);
    expect(end.entries.at(-1)).toMatchObject({ text: 'entry 59', anchor: true });
    expect(end.before).toBe(57);
    const start = await card(log({ around: 'first_open_start', size: 'few' }));
    isLog(start);
    expect(start.entries.find(({ anchor }) => anchor)?.cite.line).toBe(1);
  });
  it('says that there is no failure where there is none, and what to load where there is no log', async () => {
    const { card } = await record();
    expect(await card(log({ around: 'first_failure', where: [only('feature', 'T2')] }))).toMatchObject({
      type: 'empty',
      why: 'none',
      says: 'No entry of the log in scope tells of a failure.',
    });
    await store?.close();
    const bare = await record(['log_events', 'gate_events']);
    expect(await bare.card(log())).toMatchObject({ type: 'empty', why: 'not_ingested' });
  });
});

describe('a table of gate runs', () => {
  it('says whose doing a failure was, what that rests on, and where it stands', async () => {
    const { card } = await record();
    const made = await card({
      type: 'gate_table',
      title: 'Gate runs',
      columns: ['gate', 'feature', 'verdict', 'attribution', 'why', 'attempt', 'duration', 'source'],
      order_by: null,
      order: 'natural',
      size: 'all',
      scope: 'run',
      where: [only('feature', 'T1')],
      actions: [],
    });
    expect(made.type).toBe('table');
    if (made.type !== 'table') return;
    expect(made.total).toBe(5);
    const words = made.rows.map((row) =>
      row.map((cell) => {
        if (cell.kind === 'text') return cell.text;
        if (cell.kind === 'figure') return cell.figure.value;
        return cell.kind === 'cite' ? cell.cite.line : cell.kind;
      }),
    );
    expect(words[0]).toEqual(['scripted test', 'feature', 'no outcome', 'none', 'none', 'none', null, 1]);
    expect(words[1]).toEqual([
      'scripted test',
      'feature',
      'blocked',
      'the verifier',
      'the failure says all members passed',
      '1 of 3',
      60,
      3,
    ]);
  });
});

describe('a ledger', () => {
  it('counts requirements by state and computes both shares', async () => {
    const { card, registry } = await record();
    const made = await card(ledger());
    isLedger(made);
    expect(made.states.map(({ state, figure }) => [state, figure.value])).toEqual([
      ['proven', 1],
      ['likely', 1],
      ['stale', 1],
      ['claimed_only', 1],
      ['refuted', 1],
      ['open', 1],
    ]);
    expect(made.total.value).toBe(6);
    expect(made.shares.map(({ label, figure }) => [label, figure.value, figure.n])).toEqual([
      ['designed', 4 / 6, 6],
      ['proven', 1 / 6, 6],
    ]);
    expect(made.rule).toEqual({ measured: 0.5, claimed: 1 / 6, missing: 1 - 0.5 - 1 / 6 });
    expect(made.groups.map(({ ref, title, total }) => [ref, title, total])).toEqual([
      ['T1', 'Cart lines', 5],
      ['T2', 'Sign in', 1],
    ]);
    const refuted = made.states.find(({ state }) => state === 'refuted');
    expect(
      (await raised(registry, refuted?.figure.evidence ?? null))?.rows.map(({ label }) => label),
    ).toEqual(['ac-5 Criterion ac-5']);
  });
  it('gives each requirement its evidence, the latest first, by source and line', async () => {
    const { card, registry } = await record();
    const made = await card(ledger());
    isLedger(made);
    const row = made.groups[0]?.rows.find(({ id }) => id === 'ac-5');
    expect(row).toMatchObject({ state: 'refuted', claimed: true, proofs: 2, text: 'Criterion ac-5' });
    expect(row?.proof.map(({ polarity, kind, cite }) => [polarity, kind, cite.label, cite.line])).toEqual([
      ['refutes', 'test', 'junit.xml', 30],
      ['supports', 'test', 'junit.xml', 30],
    ]);
    const opened = await raised(registry, row?.open ?? null);
    expect(opened?.rows.map(({ label, line }) => [label, line])).toEqual([
      ['ac-5 Criterion ac-5', 10],
      ['test against case v6 ran', 30],
      ['test for case v5 ran', 30],
    ]);
    const proof = await raised(registry, row?.proof[0]?.open ?? null);
    expect(proof?.rows).toHaveLength(1);
  });
  it('groups by use case and by state', async () => {
    const { card } = await record();
    const cases = await card(ledger({ group: 'use_case' }));
    isLedger(cases);
    expect(cases.groups.map(({ ref, total }) => [ref, total])).toEqual([['UC-1', 6]]);
    const states = await card(ledger({ group: 'state' }));
    isLedger(states);
    expect(states.groups.map(({ title }) => title)).toEqual([
      'proven',
      'likely',
      'stale',
      'claimed only',
      'refuted',
      'open',
    ]);
  });
  it('sets percentages that sources show beside what is computed', async () => {
    const { card, registry } = await record();
    await store?.insert('observations_told', [
      {
        observation_id: 'o1',
        run_id: 'k',
        fact: 'proven_percent',
        value: 53,
        basis: 'derived',
        how: 'as written',
        source_id: 'report',
        source_kind: 'junit',
        source_line: 7,
      },
    ]);
    const made = await card(ledger());
    isLedger(made);
    expect(made.shares[2]).toMatchObject({ label: 'proven, as junit.xml shows it', figure: { value: 0.53 } });
    expect((await raised(registry, made.shares[2]?.figure.evidence ?? null))?.figure).toMatchObject({
      value: 0.53,
      unit: 'ratio',
    });
  });
  it('keeps what needs a look when there are too many, and all counts', async () => {
    const { card } = await record();
    await store?.insert(
      'requirements_told',
      Array.from({ length: 250 }, (_, n) => ({
        requirement_id: `k.z${n}`,
        run_id: 'k',
        feature_id: 'k.fT2',
        ext_id: `z-${n}`,
        text: 'x'.repeat(3000),
        kind: 'step',
        claimed_pass: n === 249 ? true : null,
        rank: 0,
        source_id: 'tracker',
        source_line: n,
      })),
    );
    const made = await card(ledger());
    isLedger(made);
    expect(made.trimmed).toBe('200 of 256 requirements shown');
    const rows = made.groups.flatMap((group) => group.rows);
    expect(rows).toHaveLength(200);
    expect(rows.some(({ id }) => id === 'z-249')).toBe(true);
    expect(rows.every(({ text }) => text.length <= 400)).toBe(true);
    expect(made.groups.find(({ ref }) => ref === 'T2')?.total).toBe(251);
  });
  it('says what to load where no requirements were read, and that there are none in scope where some were', async () => {
    const { card } = await record();
    expect(await card(ledger({ where: [only('requirement_kind', 'use_case')] }))).toMatchObject({
      type: 'empty',
      why: 'none',
    });
    await store?.close();
    const bare = await record(['requirements_told']);
    expect(await bare.card(ledger())).toMatchObject({
      type: 'empty',
      why: 'not_ingested',
      next: expect.stringContaining('test reports'),
    });
  });
});
