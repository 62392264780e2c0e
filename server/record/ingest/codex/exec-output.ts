import { WITH_ROLLOUT } from '../../derive/rollout-counts.ts';
import type { Adapter, RowSink, SourceInput } from '../adapter.ts';
import type { JsonObject } from '../json-fields.ts';
import { type JsonLine, jsonLines } from '../json-lines.ts';
import { listIn, numberIn, objectIn, textIn } from '../json-quiet.ts';
import { visibleText } from '../visible.ts';
import { idIn } from './rollout-entry.ts';
import { usageOf } from './token-count.ts';
import { outcomeOf, shortText, type ToolKind, type ToolStatus } from './tools.ts';

/** Entries between two writings of what has gathered. */
const FLUSH = 500;

const STATUS: ReadonlyMap<string, ToolStatus> = new Map([
  ['completed', 'ok'],
  ['failed', 'error'],
  ['declined', 'denied'],
  ['in_progress', 'unknown'],
]);
const OPS = { add: 'create', delete: 'delete', update: 'edit' } as const;
const opOf = (kind: string | null): 'create' | 'delete' | 'edit' | 'touch' =>
  kind === 'add' || kind === 'delete' || kind === 'update' ? OPS[kind] : 'touch';

/** What is known between two lines. */
interface Known {
  thread: string | null;
  turn: number;
  ok: number;
  bad: number;
}

/** Reads what `codex exec --json` prints: a thread, its turns, and what was done in them. It tells no times. */
class ExecReader {
  #known: Known;
  readonly #told: { ok: number; bad: number };
  #mark: { no: number; offset: number; known: Known } | null = null;

  constructor(
    readonly source: SourceInput,
    readonly out: RowSink,
    carry: string | null,
  ) {
    const [ok, bad, turn, before, beforeBad, ...thread] = (carry ?? '').split(' ');
    this.#told = { ok: Number(ok) || 0, bad: Number(bad) || 0 };
    this.#known = {
      ok: Number(before) || 0,
      bad: Number(beforeBad) || 0,
      turn: Number(turn) || 0,
      thread: thread.length === 0 || thread[0] === '' ? null : thread.join(' '),
    };
  }

  get #session(): string {
    return this.#known.thread ?? this.source.id;
  }

  #at(no: number) {
    return { source_id: this.source.id, source_kind: this.source.kind, source_line: no };
  }

  #event(no: number, kind: string, message: string, level: 'warning' | 'error' | null): void {
    this.out.add('log_events', {
      event_id: `${this.source.id}.${no}`,
      level,
      kind,
      message: visibleText(shortText(message)),
      session_id: this.#session,
      ...this.#at(no),
    });
  }

  #stands(no: number, reason: string | null): void {
    this.out.add('sessions_told', {
      session_id: this.#session,
      harness: 'codex',
      end_reason: reason,
      rank: reason === null ? 20 : 1_000_000_000 - no,
      source_id: this.source.id,
      source_line: no,
    });
  }

  /** A turn is over: what it used, as one call, since the single calls are not told. */
  #turnEnds(no: number, node: JsonObject, failed: boolean): void {
    const usage = usageOf(objectIn(node, 'usage'));
    const { turn } = this.#known;
    this.out.add('llm_requests_told', {
      told_id: `${this.source.id}.${no}`,
      channel: 'exec',
      session_id: this.#session,
      turn_id: `${this.#session}.${turn}`,
      n: turn,
      in_uncached:
        usage?.input == null
          ? null
          : Math.max(0, usage.input - (usage.cached ?? 0) - (usage.cacheWrite ?? 0)),
      in_cache_read: usage === null || usage.input === null ? null : (usage.cached ?? 0),
      in_cache_write_5m: usage?.cacheWrite ?? null,
      out_total: usage?.output ?? null,
      out_reasoning: usage?.reasoning ?? null,
      query_source: 'main',
      // Whether a later turn of a thread counts anew or goes on counting is not said.
      token_quality: usage === null ? null : turn > 1 ? 'estimated' : 'exact',
      status: failed ? 'error' : 'ok',
      ...this.#at(no),
    });
    this.#stands(no, failed ? 'error' : 'completed');
  }

  #call(no: number, item: JsonObject, done: boolean): void {
    const type = textIn(item, 'type');
    const id = `${this.#session}.${this.#known.turn}.${idIn(item, 'id') ?? no}`;
    const about: { name: string; kind: ToolKind; target: string | null } =
      type === 'command_execution'
        ? { name: 'command_execution', kind: 'shell', target: textIn(item, 'command') }
        : type === 'file_change'
          ? { name: 'file_change', kind: 'edit', target: textIn(listIn(item, 'changes')[0], 'path') }
          : type === 'web_search'
            ? { name: 'web_search', kind: 'web', target: textIn(item, 'query') }
            : type === 'collab_tool_call'
              ? {
                  name: textIn(item, 'tool') ?? 'collab_tool_call',
                  kind: 'subagent',
                  target: textIn(item, 'prompt'),
                }
              : {
                  name: `mcp__${textIn(item, 'server') ?? 'unknown'}__${textIn(item, 'tool') ?? 'unknown'}`.slice(
                    0,
                    200,
                  ),
                  kind: 'mcp',
                  target: null,
                };
    const written = numberIn(item, 'exit_code');
    const exitCode = written !== null && Number.isSafeInteger(written) ? written : null;
    const said = STATUS.get(textIn(item, 'status') ?? '');
    const status = done ? (exitCode === null ? (said ?? 'ok') : exitCode === 0 ? 'ok' : 'error') : null;
    const text = textIn(item, 'aggregated_output') ?? textIn(objectIn(item, 'error'), 'message') ?? '';
    const outcome =
      status === null
        ? null
        : outcomeOf(
            { exitCode, durationMs: null, status },
            text,
            /\bgit\b.*\bcommit\b/.test(about.target ?? ''),
          );
    this.out.add('tool_calls_told', {
      tool_call_id: id,
      session_id: this.#session,
      name: done ? about.name : visibleText(about.name),
      kind: about.kind,
      target: about.target === null ? null : visibleText(shortText(about.target)),
      status: outcome?.status ?? null,
      exit_code: outcome?.exitCode ?? null,
      error_class: outcome?.errorClass ?? null,
      error_sig: outcome?.errorSig == null ? null : visibleText(outcome.errorSig),
      output_bytes: outcome?.bytes ?? null,
      commit_sha: outcome?.commit ?? null,
      ...this.#at(no),
    });
    if (type !== 'file_change' || outcome?.status !== 'ok') return;
    for (const [index, change] of listIn(item, 'changes').entries()) {
      const path = textIn(change, 'path');
      if (path === null || path === '' || path.length > 1_000) continue;
      this.out.add('file_touches', {
        touch_id: `${this.source.id}.${no}.${index}`,
        tool_call_id: id,
        path: visibleText(path),
        raw_path: visibleText(path),
        op: opOf(textIn(change, 'kind')),
        session_id: this.#session,
        ...this.#at(no),
      });
    }
  }

  /** Whether the item is of a known type. */
  #item(no: number, item: JsonObject | null, when: string): boolean {
    const type = textIn(item, 'type');
    if (item === null || type === null) return false;
    if (['agent_message', 'reasoning', 'todo_list'].includes(type)) return true;
    if (type === 'error') {
      if (when === 'item.completed') this.#event(no, 'error', textIn(item, 'message') ?? '', 'error');
      return true;
    }
    if (
      !['command_execution', 'file_change', 'mcp_tool_call', 'web_search', 'collab_tool_call'].includes(type)
    )
      return false;
    // Between its beginning and its end an item only grows.
    if (when !== 'item.updated') this.#call(no, item, when === 'item.completed');
    return true;
  }

  #read(no: number, node: JsonObject): boolean {
    const type = textIn(node, 'type');
    switch (type) {
      case 'thread.started':
        this.#known = { ...this.#known, thread: idIn(node, 'thread_id') ?? this.#known.thread, turn: 0 };
        this.#stands(no, null);
        return true;
      case 'turn.started':
        this.#known = { ...this.#known, turn: this.#known.turn + 1 };
        return true;
      case 'turn.completed':
        this.#turnEnds(no, node, false);
        return true;
      case 'turn.failed':
        this.#event(no, 'error', textIn(objectIn(node, 'error'), 'message') ?? '', 'error');
        this.#turnEnds(no, node, true);
        return true;
      case 'error':
        this.#event(no, 'error', textIn(node, 'message') ?? '', 'error');
        return true;
      case 'item.started':
      case 'item.updated':
      case 'item.completed':
        return this.#item(no, objectIn(node, 'item'), type);
      default:
        return false;
    }
  }

  line({ no, offset, node, text }: JsonLine): void {
    this.#mark = { no, offset, known: this.#known };
    const known = node !== null && this.#read(no, node);
    this.#known = {
      ...this.#known,
      ok: this.#known.ok + (known ? 1 : 0),
      bad: this.#known.bad + (known ? 0 : 1),
    };
    if (!known) this.#event(no, 'raw', text, null);
  }

  end(): void {
    const { ok, bad } = this.#known;
    this.source.count(ok - this.#told.ok, bad - this.#told.bad);
    if (this.#mark === null) return;
    const { no, offset, known } = this.#mark;
    this.out.resumeAt(
      { no, offset },
      `${ok} ${bad} ${known.turn} ${known.ok} ${known.bad} ${known.thread ?? ''}`,
    );
  }
}

/** What a session's rollout tells as well is a copy. */
const COPIES = ['file_touches', 'log_events'].map(
  (table) =>
    `UPDATE ${table} SET is_copy = coalesce(session_id IN ${WITH_ROLLOUT}, FALSE)
     WHERE source_kind = 'codex_exec' AND is_copy IS DISTINCT FROM coalesce(session_id IN ${WITH_ROLLOUT}, FALSE)`,
);

const STARTED = /^\s*\{\s*"type"\s*:\s*"thread\.started"/m;

/** What `codex exec --json` printed, kept as a file. Words of the shell around it may stand in it too. */
export const execOutput: Adapter = {
  id: 'codex/exec',
  version: 1,
  label: 'Output of codex exec',
  sources: [
    { kind: 'codex_exec', paths: ['**/*.{jsonl,ndjson,log,out}'], sniff: (head) => STARTED.test(head) },
  ],
  unit: 'each',
  appendable: true,
  async read(unit, out) {
    for (const source of unit.sources) {
      const reader = new ExecReader(source, out, unit.carried);
      let read = 0;
      for await (const line of jsonLines(source)) {
        reader.line(line);
        read += 1;
        if (read % FLUSH === 0) await out.flush();
      }
      reader.end();
    }
  },
  settles: COPIES,
};
