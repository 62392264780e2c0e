import { LIMITS } from '../../../../shared/limits.ts';
import type { Adapter, RowSink, SourceInput, SourceLine } from '../adapter.ts';
import { isClaude, readClaude } from './claude-events.ts';
import { isCodex, readCodex } from './codex-events.ts';
import { Kept, type KeptLog, type KeptPoint } from './kept.ts';
import { Memory } from './memory.ts';
import { addEvent, idAt, type Place, placeOf } from './place.ts';
import { readEvaluation, readException, readSpan } from './spans.ts';

/** How the paths of kept telemetry begin, as people see them. */
export const TELEMETRY_PATH = '~looplight/telemetry';
/** Evaluations belong to a run; those that telemetry tells of belong to this one. */
const RUN = 'telemetry';
/** After transcripts and rollouts have spoken. */
const RANK = 50;
const FLUSH = 1_000;

function addPoint(place: Place<KeptPoint>): void {
  const { record, attrs, session, out } = place;
  const text = attrs.rest([], LIMITS.sourceText);
  out.add('metric_points', {
    point_id: idAt(place),
    session_id: session,
    name: record.name,
    unit: record.unit ?? null,
    model: attrs.text('model', 'gen_ai.response.model', 'gen_ai.request.model'),
    attributes: text,
    start_ms: record.start,
    at_ms: record.time,
    value: record.value,
    temporality: record.temporality,
    source_id: place.source.id,
    source_line: place.no,
  });
  if (record.value === null)
    place.source.issue(
      'not_a_number',
      'warning',
      place.no,
      'The value of this point is no number, so it was left unknown.',
    );
}

function readLog(place: Place<KeptLog>, memory: Memory): boolean {
  const { name } = place.record;
  if (isClaude(place)) return readClaude(place) || unknown(place);
  if (isCodex(place)) return readCodex(place) || unknown(place);
  if (name === 'gen_ai.evaluation.result') {
    if (!memory.run) {
      memory.run = true;
      place.out.add('runs_told', {
        run_id: RUN,
        harness: 'telemetry',
        name: 'Evaluations told by telemetry',
        rank: RANK,
        source_id: place.source.id,
        source_line: place.no,
      });
    }
    readEvaluation(place, RUN);
    return true;
  }
  if (name === 'exception') {
    readException(place);
    return true;
  }
  return unknown(place);
}

/** What is not known is kept as it came. */
function unknown(place: Place<KeptLog>): false {
  const { name, body } = place.record;
  addEvent(
    place,
    'raw',
    body === undefined || body === name ? name : `${name}${name === '' ? '' : ': '}${body}`,
  );
  return false;
}

const HARNESSES = [
  [/^claude/i, 'claude-code'],
  [/^codex/i, 'codex'],
] as const;

function addSession(place: Place): void {
  const { record, attrs, session, out } = place;
  const harness = HARNESSES.find(
    ([pattern]) => pattern.test(record.service ?? '') || pattern.test(record.name),
  )?.[1];
  out.add('sessions_told', {
    session_id: session ?? '',
    harness: harness ?? record.service ?? null,
    harness_version: attrs.text('app.version') ?? record.version ?? null,
    placed_by: record.placed,
    rank: RANK,
    source_id: place.source.id,
    source_line: place.no,
  });
}

/** Reads one record: whether it was understood. */
function readRecord(source: SourceInput, out: RowSink, no: number, record: Kept, memory: Memory): boolean {
  const place = placeOf(source, out, no, record);
  if (place.session !== null && memory.meets(place.session)) addSession(place);
  if (record.what === 'log') return readLog(placeOf(source, out, no, record), memory);
  if (record.what === 'span') return readSpan(placeOf(source, out, no, record), memory);
  addPoint(placeOf(source, out, no, record));
  return true;
}

function recordOf(text: string): Kept | null {
  try {
    const read = Kept.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

function readLine(
  source: SourceInput,
  out: RowSink,
  line: SourceLine,
  memory: Memory,
): 'ok' | 'bad' | 'none' {
  if (line.text.trim() === '') return 'none';
  const record = recordOf(line.text);
  if (record !== null) return readRecord(source, out, line.no, record, memory) ? 'ok' : 'bad';
  if (line.ended)
    source.issue(
      'json_invalid',
      'warning',
      line.no,
      'This line is no record of telemetry, so it was not read.',
    );
  else source.issue('line_cut', 'info', line.no, 'The last line breaks off; it may still be being written.');
  return line.ended ? 'bad' : 'none';
}

/** Sessions another file tells of at first hand. */
const FIRST_HAND = `SELECT s.session_id FROM sessions_told s JOIN sources o USING (source_id)
 WHERE o.kind IN ('claude_session', 'claude_subagent', 'codex_rollout')`;

/** Telemetry as the receiver (server/otlp) keeps it, a line a record. Reading goes on at the last line. */
const telemetry: Adapter = {
  id: 'otlp/telemetry',
  version: 1,
  label: 'Telemetry',
  sources: [{ kind: 'otlp_events', paths: [`${TELEMETRY_PATH}/*.jsonl`] }],
  unit: 'each',
  appendable: true,
  async read({ sources, carried }, out) {
    for (const source of sources) {
      const memory = new Memory(carried);
      const counts = { ok: 0, bad: 0 };
      if (memory.before !== 'none') counts[memory.before] -= 1;
      let last: SourceLine | null = null;
      let read = 0;
      for await (const line of source.lines()) {
        if (last !== null) {
          const how = readLine(source, out, last, memory);
          if (how !== 'none') counts[how] += 1;
          read += 1;
          if (read % FLUSH === 0) await out.flush();
        }
        last = line;
      }
      if (last !== null) {
        // What was known before the last line, which is read again; then what it counts for.
        const before = new Memory(memory.carry('none'));
        const how = readLine(source, out, last, memory);
        if (how !== 'none') counts[how] += 1;
        out.resumeAt(last, before.carry(how));
      }
      source.count(counts.ok, counts.bad);
    }
  },
  // What transcripts and rollouts tell of a session themselves, telemetry tells once more.
  settles: [
    `UPDATE gate_events SET is_copy = (session_id IN (${FIRST_HAND})) WHERE source_kind = 'otlp_events' AND session_id IS NOT NULL`,
    `UPDATE log_events SET is_copy = (session_id IN (${FIRST_HAND})) WHERE source_kind = 'otlp_events' AND session_id IS NOT NULL
      AND kind IN ('prompt', 'compaction', 'permission')`,
  ],
};

export const OTLP: readonly Adapter[] = [telemetry];
