import { LIMITS } from '../../../../shared/limits.ts';
import type { Adapter, RowSink, SourceInput } from '../adapter.ts';
import type { JsonObject } from '../json-fields.ts';
import { type JsonLine, jsonLines } from '../json-lines.ts';
import { plainText } from '../json-plain.ts';
import { listIn, objectIn, textIn } from '../json-quiet.ts';
import { readTime } from '../time.ts';
import { visibleText } from '../visible.ts';
import { type Change, type Entry, event, idIn, UNCHANGED } from './rollout-entry.ts';
import { EVENTS, prompted } from './rollout-events.ts';
import { ITEMS } from './rollout-items.ts';
import { carriedState, type RolloutState, START } from './rollout-state.ts';
import { sessionMeta } from './session-meta.ts';
import { shortText } from './tools.ts';
import { REBASED } from './touches.ts';
import { begin, uncounted } from './turns.ts';

/** Entries between two writings of what has gathered. */
const FLUSH = 500;

const UUID = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/i;

const TIERS = ['standard', 'batch', 'priority', 'flex'] as const;

function turnContext(entry: Entry): Change {
  const { payload, state } = entry;
  const id = idIn(payload, 'turn_id');
  const other = id !== null && id !== state.turn.id;
  const begun = other || !state.turn.begun ? begin(entry, id) : UNCHANGED;
  const turn = begun.turn ?? state.turn;
  const settings = objectIn(objectIn(payload, 'collaboration_mode'), 'settings');
  const tier = textIn(payload, 'service_tier');
  const cwd = textIn(payload, 'cwd')?.slice(0, LIMITS.sourceText) ?? state.cwd;
  return {
    ...begun,
    cwd,
    askedMs: entry.ms,
    turn: {
      ...turn,
      model: idIn(payload, 'model') ?? idIn(settings, 'model'),
      effort: idIn(payload, 'effort') ?? idIn(settings, 'reasoning_effort'),
      tier: TIERS.find((one) => one === tier) ?? null,
      speed: tier === 'fast' ? 'fast' : null,
    },
  };
}

function compacted(entry: Entry): Change {
  const kept = listIn(entry.payload, 'replacement_history').length;
  event(entry, 'compaction', textIn(entry.payload, 'message') ?? '', {
    data: kept > 0 ? JSON.stringify({ entries_kept: kept }) : null,
  });
  return { askedMs: entry.ms };
}

/** Words of a person in logs that have no events, only the conversation. */
function spoken(entry: Entry): Change | null {
  if (textIn(entry.payload, 'type') !== 'message' || textIn(entry.payload, 'role') !== 'user') return null;
  const text = listIn(entry.payload, 'content')
    .map((part) => textIn(part, 'text') ?? '')
    .join('\n');
  return prompted(entry, text);
}

/** Where reading may start again, and what is known there. */
interface Mark {
  no: number;
  offset: number;
  state: RolloutState;
}

interface Carry {
  state: RolloutState;
  ok: number;
  bad: number;
}

/** What the end of one reading told the next: the state before the last line, and what was counted in all. */
function carried(carry: string | null): Carry | null {
  if (carry === null) return null;
  const at = carry.indexOf(' ', carry.indexOf(' ') + 1);
  const [ok, bad] = carry.slice(0, at).split(' ').map(Number);
  const state = carriedState(carry.slice(at + 1));
  return state === null || ok === undefined || bad === undefined || Number.isNaN(ok + bad)
    ? null
    : { state, ok, bad };
}

class RolloutReader {
  #state: RolloutState;
  readonly #told: { ok: number; bad: number };
  #mark: Mark | null = null;
  #last: Entry | null = null;
  readonly #unknown = new Set<string>();

  constructor(
    readonly source: SourceInput,
    readonly out: RowSink,
    carry: string | null,
  ) {
    const known = carried(carry);
    this.#state = known?.state ?? START;
    this.#told = known ?? { ok: 0, bad: 0 };
  }

  /** Whose session the file is: its first entry says so, else its name. */
  #session(payload: JsonObject, type: string | null): string {
    const { session } = this.#state;
    if (session !== null) return session;
    const head = type === 'session_meta' ? idIn(payload, 'id') : null;
    const named = head ?? UUID.exec(this.source.path)?.[1] ?? this.source.id;
    this.#state = { ...this.#state, session: named };
    return named;
  }

  #time(line: JsonLine, node: JsonObject): { ms: number | null; zone: string | null } {
    const written = textIn(node, 'timestamp');
    const time = written === null ? null : readTime(written);
    if (time === null) {
      if (written !== null)
        this.source.issue(
          'time_invalid',
          'warning',
          line.no,
          'The time of this line is none the calendar has.',
        );
      return { ms: null, zone: null };
    }
    return time;
  }

  #count(ok: boolean): void {
    const { ok: good, bad } = this.#state;
    this.#state = { ...this.#state, ok: good + (ok ? 1 : 0), bad: bad + (ok ? 0 : 1) };
  }

  #raw(line: JsonLine, entry: Entry | null, what: string | null): void {
    const { source, out } = this;
    out.add('log_events', {
      event_id: `${source.id}.${line.no}`,
      at_ms: entry?.ms ?? null,
      zone: entry?.zone ?? null,
      kind: 'raw',
      message: visibleText(shortText(line.text)),
      data: line.node === null ? null : plainText(line.node),
      session_id: this.#state.session,
      source_id: source.id,
      source_kind: source.kind,
      source_line: line.no,
    });
    if (what === null || this.#unknown.has(what)) return;
    this.#unknown.add(what);
    source.issue(
      'unknown_line',
      'info',
      line.no,
      `Entries of the type ${shortText(visibleText(what), 60)} are not known; they were kept as they are.`,
    );
  }

  /** What an entry changes; null when its type is not known. */
  #read(entry: Entry, type: string | null, bare: boolean): Change | null {
    const inner = textIn(entry.payload, 'type') ?? '';
    switch (type) {
      case 'session_meta':
        return sessionMeta(entry);
      case 'turn_context':
        return turnContext(entry);
      case 'event_msg':
        return EVENTS.get(inner)?.(entry) ?? null;
      case 'response_item':
        return (bare ? spoken(entry) : null) ?? ITEMS.get(inner)?.(entry) ?? null;
      case 'compacted':
        return compacted(entry);
      default:
        return null;
    }
  }

  line(line: JsonLine): void {
    const { source, out, node } = { source: this.source, out: this.out, node: line.node };
    this.#mark = { no: line.no, offset: line.offset, state: this.#state };
    if (node === null) {
      this.#count(false);
      this.#raw(line, null, null);
      return;
    }
    // Before there was an envelope, a line was the head or an entry of the conversation itself.
    const wrapped = objectIn(node, 'payload');
    const bare = wrapped === null;
    const payload = wrapped ?? node;
    const own = textIn(node, 'type');
    const head = own === null && textIn(node, 'id') !== null && textIn(node, 'timestamp') !== null;
    const type = bare
      ? head
        ? 'session_meta'
        : own !== null && ITEMS.has(own)
          ? 'response_item'
          : own
      : own;
    const session = this.#session(payload, type);
    const entry: Entry = {
      source,
      no: line.no,
      ...this.#time(line, node),
      payload,
      session,
      state: this.#state,
      add: (table, row) => out.add(table, row),
    };
    this.#last = entry;
    if (!this.#state.headed && type !== 'session_meta' && this.#state.ok + this.#state.bad === 0)
      this.#headless(entry);
    if (bare && textIn(node, 'record_type') !== null) {
      this.#count(true);
      return;
    }
    const change = this.#read(entry, type, bare);
    this.#count(change !== null);
    if (change === null)
      this.#raw(
        line,
        entry,
        [own, bare ? null : textIn(payload, 'type')].filter(Boolean).join(' ') || 'no type',
      );
    else if (change !== UNCHANGED) this.#state = { ...this.#state, ...change };
  }

  /** A rollout without a head is still a session. */
  #headless(entry: Entry): void {
    entry.add('sessions_told', {
      session_id: entry.session,
      harness: 'codex',
      rank: 10,
      source_id: entry.source.id,
      source_line: entry.no,
    });
  }

  end(): void {
    const { ok, bad } = this.#state;
    this.source.count(ok - this.#told.ok, bad - this.#told.bad);
    if (this.#mark === null) return;
    // Logs of before there were events of turns end without one; that line is read again when the file has grown.
    if (this.#last !== null && this.#state.turn.id === null && this.#state.total === null)
      uncounted({ ...this.#last, state: this.#state }, 'completed');
    const { no, offset, state } = this.#mark;
    this.out.resumeAt({ no, offset }, `${ok} ${bad} ${JSON.stringify(state)}`);
  }
}

/** Whether a file begins like a rollout: an entry in its envelope, or the head of one from before there was any. */
export function isRollout(head: string): boolean {
  const first =
    head
      .replace(/^\uFEFF/, '')
      .trimStart()
      .slice(0, 4_000)
      .split('\n', 1)[0] ?? '';
  if (!first.startsWith('{')) return false;
  const envelope = /"type"\s*:\s*"(?:session_meta|turn_context|response_item|event_msg|compacted)"/.test(
    first,
  );
  const old = /^\{"id":"[0-9a-f-]{36}","timestamp":"/.test(first) && /"instructions"/.test(first);
  return (envelope && /"payload"\s*:/.test(first)) || old;
}

/** `rollout-….jsonl`: what a session of Codex did, line by line. */
export const rollout: Adapter = {
  id: 'codex/rollout',
  version: 1,
  label: 'Codex rollout',
  sources: [{ kind: 'codex_rollout', paths: ['**/*.jsonl'], sniff: isRollout }],
  unit: 'each',
  appendable: true,
  async read(unit, out) {
    for (const source of unit.sources) {
      const reader = new RolloutReader(source, out, unit.carried);
      let read = 0;
      for await (const line of jsonLines(source)) {
        reader.line(line);
        read += 1;
        if (read % FLUSH === 0) await out.flush();
      }
      reader.end();
    }
  },
  settles: REBASED,
};
