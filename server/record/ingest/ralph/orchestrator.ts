import { LIMITS } from '../../../../shared/limits.ts';
import type { Adapter, RowSink, SourceInput, UnitInput } from '../adapter.ts';
import { type JsonLine, jsonLines } from '../json-lines.ts';
import { endingOf } from './ending.ts';
import { type EntryReader, READERS, type Session, type State } from './orchestrator-entries.ts';
import { addTasks } from './orchestrator-tasks.ts';
import { at, observe, rawEvent } from './rows.ts';
import { Turns } from './turns.ts';

/**
 * The run a file belongs to, by the time its name gives: `events-20260127-143022.jsonl` and `diagnostics/2026-01-27T14-30-22/`
 * are of one run. Files without a time belong to a run of their own.
 */
const stampOf = (path: string): string | null => {
  const match = /(\d{4})-?(\d\d)-?(\d\d)[T_-]?(\d\d)-?(\d\d)-?(\d\d)/.exec(path);
  return match ? match.slice(1).join('') : null;
};
export const runIdOf = (stamp: string | null): string => `ralph-orchestrator.${stamp ?? 'loop'}`;

function sessionOf(state: State, source: SourceInput): Session {
  const stamp = stampOf(source.path);
  const id = runIdOf(stamp);
  const known = state.sessions.get(id);
  if (known) return known;
  const session: Session = {
    id,
    stamp,
    source,
    ending: null,
    firstMs: null,
    lastMs: null,
    zone: null,
    iterations: new Set(),
    started: 0,
  };
  state.sessions.set(id, session);
  return session;
}

/** Which reader a file needs: by its name in a folder of diagnostics, else it is a log of events. */
const readerOf = (path: string): EntryReader =>
  READERS[/diagnostics\/[^/]+\/([a-z-]+)\.jsonl$/.exec(path)?.[1] ?? 'events'] ?? READERS.events;

async function addFile(state: State, source: SourceInput, out: RowSink): Promise<void> {
  const session = sessionOf(state, source);
  const reader = readerOf(source.path);
  for await (const line of jsonLines(source)) {
    const known = line.fields !== null && addLine(state, session, source, line, reader, out);
    source.count(known ? 1 : 0, known ? 0 : 1);
    if (!known) rawEvent(out, source, session.id, line);
    if (line.no % 1000 === 0) await out.flush();
  }
}

function addLine(
  state: State,
  session: Session,
  source: SourceInput,
  line: JsonLine,
  reader: EntryReader,
  out: RowSink,
): boolean {
  const { fields } = line;
  if (fields === null) return false;
  const time = fields.has('ts') ? fields.time('ts') : fields.time('timestamp');
  if (time !== null) {
    session.firstMs = Math.min(session.firstMs ?? time.ms, time.ms);
    session.lastMs = Math.max(session.lastMs ?? time.ms, time.ms);
    session.zone ??= time.zone;
  }
  const n = fields.number('iteration', 0, 1e9);
  if (n !== null && n > 0 && session.iterations.size < LIMITS.sourceEntries) session.iterations.add(n);
  const turn = n === null || n === 0 ? null : state.turns.of(session.id, n, source, line.no);
  if (turn && time !== null) {
    turn.startedMs = Math.min(turn.startedMs ?? time.ms, time.ms);
    turn.endedMs = Math.max(turn.endedMs ?? time.ms, time.ms);
  }
  return reader(
    { session, source, line: line.no, fields, time, n, turn, hat: fields.text('hat') || null },
    out,
  );
}

function writeSession(session: Session, latest: boolean, out: RowSink): void {
  const { source, ending } = session;
  out.add('runs_told', {
    run_id: session.id,
    harness: 'ralph-orchestrator',
    name:
      session.stamp === null ? 'the loop' : `loop of ${session.stamp.slice(0, 8)}-${session.stamp.slice(8)}`,
    started_at_ms: session.firstMs,
    ended_at_ms: ending?.ms ?? session.lastMs,
    zone: session.zone,
    status: ending === null ? null : endingOf(ending.reason),
    end_reason: ending?.reason ?? null,
    is_current: latest,
    rank: 0,
    ...at(ending?.source ?? source, ending?.line ?? null),
  });
  const about = { source, runId: session.id, feature: null, line: null };
  if (session.started > 0)
    observe(out, about, 'iterations', session.started, 'derived', 'counted starts of iterations');
  else if (session.iterations.size > 0)
    observe(out, about, 'iterations', session.iterations.size, 'derived', 'counted numbers of iterations');
}

async function read(unit: UnitInput, out: RowSink): Promise<void> {
  const state: State = { sessions: new Map(), turns: new Turns() };
  for (const source of [...unit.of('diagnostics'), ...unit.of('orchestrator_events')])
    await addFile(state, source, out);
  const latest =
    [...state.sessions.values()].sort((a, b) => (a.lastMs ?? 0) - (b.lastMs ?? 0)).at(-1) ?? null;
  const runs = new Map(
    [...state.sessions.values()].flatMap((session) =>
      session.stamp === null ? [] : [[session.stamp, session.id]],
    ),
  );
  for (const source of unit.of('orchestrator_tasks')) {
    const home = latest?.id ?? runIdOf(null);
    await addTasks(source, (loop) => runs.get(stampOf(loop ?? '') ?? '') ?? home, out);
    if (latest === null) {
      out.add('runs_told', {
        run_id: home,
        harness: 'ralph-orchestrator',
        name: 'the loop',
        rank: 5,
        ...at(source, null),
      });
    }
  }
  for (const session of state.sessions.values()) writeSession(session, session === latest, out);
  state.turns.write(out);
  if (state.turns.left > 0) {
    unit.sources[0]?.issue(
      'too_many_entries',
      'warning',
      null,
      `Lines of iterations beyond the first ${LIMITS.sourceEntries} iterations: ${state.turns.left}.`,
    );
  }
}

/** Logs of ralph-orchestrator: its events, its diagnostics, its tasks. */
export const orchestrator: Adapter = {
  id: 'ralph/orchestrator',
  version: 1,
  label: 'ralph-orchestrator',
  sources: [
    {
      kind: 'diagnostics',
      paths: ['.ralph/diagnostics/*/{agent-output,orchestration,trace,performance,errors}.jsonl'],
    },
    { kind: 'orchestrator_events', paths: ['.ralph/events.jsonl', '.ralph/events-*.jsonl'] },
    { kind: 'orchestrator_tasks', paths: ['.ralph/tasks.jsonl', '.ralph/agent/tasks.jsonl'] },
  ],
  unit: 'together',
  read,
};
