import { LIMITS } from '../../../../shared/limits.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import { idIn } from '../codex/rollout-entry.ts';
import type { JsonObject } from '../json-fields.ts';
import type { JsonLine } from '../json-lines.ts';
import { flagIn, listIn, memberOf, objectIn, textIn } from '../json-quiet.ts';
import { readTime } from '../time.ts';
import { type Change, type Entry, event, shown } from './entry.ts';
import { otherLine, rawEvent } from './events.ts';
import { attachment, capReached } from './hooks.ts';
import { carriesOn, messageWith, requestRow, SYNTHETIC } from './message.ts';
import { sessionRow, subagentId } from './session-rows.ts';
import { carriedOf, START, type State, withOne } from './state.ts';
import { serverResult, toolResult, toolUse } from './tools.ts';
import { user } from './user.ts';

/** Lines after which a message is not waited for any more. */
const OPEN_LINES = 500;

/** No session of this harness is older; an earlier time is one that was never set. */
const EARLIEST = Date.UTC(2020, 0, 1);

const PARTS: ReadonlySet<string> = new Set([
  'text',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'server_tool_use',
  'mcp_tool_use',
]);

/** Where reading may start again, and what is known there. */
interface Mark {
  no: number;
  offset: number;
  state: State;
}

/** Reads one transcript, line by line, from where it was left. */
export class TranscriptReader {
  #state: State;
  readonly #told: { ok: number; bad: number };
  #mark: Mark | null = null;
  #last: Entry | null = null;
  readonly #unknown = new Set<string>();

  constructor(
    readonly source: SourceInput,
    readonly out: RowSink,
    carry: string | null,
  ) {
    const known = carriedOf(carry);
    this.#state = known?.state ?? START;
    this.#told = known ?? { ok: 0, bad: 0 };
  }

  #time(no: number, node: JsonObject): { ms: number | null; zone: string | null } {
    const written = textIn(node, 'timestamp');
    if (written === null) return { ms: null, zone: null };
    const time = readTime(written);
    if (time !== null && time.ms >= EARLIEST) return time;
    this.source.issue('time_invalid', 'warning', no, 'The time of this line is none, so it was not read.');
    return { ms: null, zone: null };
  }

  /** Whose line it is: its own word, else that of the lines before, else the file's name. */
  #session(node: JsonObject, agent: string | null): string {
    const stem =
      this.source.path
        .split('/')
        .at(-1)
        ?.replace(/\.jsonl$/, '') ?? this.source.id;
    const above = /([^/]+)\/subagents\//.exec(this.source.path)?.[1];
    const own = idIn(node, 'sessionId') ?? idIn(node, 'session_id');
    const session = own ?? this.#state.session ?? above ?? stem;
    this.#state = { ...this.#state, session };
    return agent === null ? session : subagentId(session, agent);
  }

  #entry(line: JsonLine, node: JsonObject): Entry {
    const named = /(?:^|\/)agent-([^/]+)\.jsonl$/.exec(this.source.path)?.[1] ?? null;
    const sidechain = flagIn(node, 'isSidechain') === true || named !== null;
    const agent = named === null && !sidechain ? null : (idIn(node, 'agentId') ?? named);
    const session = this.#session(node, agent);
    const cwd = textIn(node, 'cwd')?.slice(0, LIMITS.sourceText) ?? this.#state.cwd;
    const branch = idIn(node, 'gitBranch') ?? this.#state.branch;
    this.#state = { ...this.#state, cwd, branch, root: this.#state.root ?? cwd };
    const { ms, zone } = this.#time(line.no, node);
    return {
      source: this.source,
      no: line.no,
      ms,
      zone,
      node,
      uuid: idIn(node, 'uuid'),
      session,
      subagent: agent !== null,
      sidechain,
      state: this.#state,
      add: (table, row) => this.out.add(table, row),
    };
  }

  #close(): void {
    const { open } = this.#state;
    if (open === null) return;
    this.out.add('llm_requests_told', requestRow(this.source, open));
    this.#state = { ...this.#state, open: null, closed: withOne(this.#state.closed, open, 'closed') };
  }

  /** When what a line answers was there: the row it names as the one before it, else the last row. */
  #answeredMs(node: JsonObject): number | null {
    const parent = idIn(node, 'parentUuid');
    return this.#state.recent.find(({ uuid }) => uuid === parent)?.ms ?? this.#state.lastMs;
  }

  /** A message of the model. Gives null when it is none. */
  #assistant(entry: Entry, line: JsonLine): Change {
    const { node } = entry;
    const message = objectIn(node, 'message');
    if (message === null) return null;
    const content = listIn(message, 'content');
    const model = textIn(message, 'model');
    if (model === SYNTHETIC || flagIn(node, 'isApiErrorMessage') === true) {
      const text = content.map((part) => textIn(part, 'text') ?? '').join('\n');
      const failed = flagIn(node, 'isApiErrorMessage') === true || /^API Error/.test(text);
      event(entry, failed ? 'api_error' : 'note', text, failed ? { level: 'error' } : {});
      return {};
    }
    const id = idIn(message, 'id') ?? entry.uuid;
    if (id !== null && objectIn(message, 'usage') !== null) {
      const request = idIn(node, 'requestId');
      const { open, closed } = this.#state;
      if (open === null || !carriesOn(open, id, request)) {
        this.#close();
        this.#mark = { no: line.no, offset: line.offset, state: this.#state };
        const before = closed.findLast((one) => carriesOn(one, id, request)) ?? null;
        const startedMs = this.#answeredMs(node);
        const goesOn = before === null ? null : { ...before, line: entry.no };
        this.#state = {
          ...this.#state,
          open: messageWith(entry, message, goesOn, { id, request, startedMs }),
        };
      } else {
        this.#state = {
          ...this.#state,
          open: messageWith(entry, message, open, { id, request, startedMs: null }),
        };
      }
    }
    let calls = entry.state.calls;
    for (const [index, part] of content.entries()) {
      const type = textIn(part, 'type') ?? '';
      if (part.kind !== 'object') continue;
      if (type.endsWith('tool_use')) calls = toolUse(entry, part, calls);
      else if (type.endsWith('tool_result')) calls = serverResult(entry, part, calls);
      else if (!PARTS.has(type)) {
        rawEvent(entry, `part ${type}`, 1 + index);
        this.#tell(entry.no, `part ${type}`);
      }
    }
    // The agent goes on: what is told of its next stop is told anew.
    const stop = { ...entry.state.stop, told: false, feedback: false };
    return entry.sidechain ? { calls } : { calls, stop };
  }

  /** A subagent's message inside a step of its parent: the only trace of it where its own file is gone. */
  #inner(entry: Entry): void {
    const data = objectIn(entry.node, 'data');
    const wrapped = objectIn(data, 'message');
    const message = objectIn(wrapped, 'message');
    const agent = idIn(data, 'agentId');
    const id = idIn(message, 'id');
    if (message === null || wrapped === null || agent === null) return;
    const session = subagentId(entry.session, agent);
    const inner: Entry = { ...entry, node: wrapped, session, subagent: true, sidechain: true };
    this.#announce(inner);
    const parts = listIn(message, 'content').flatMap((part) => (part.kind === 'object' ? [part] : []));
    for (const [index, part] of parts.entries())
      if (textIn(part, 'type') === 'tool_result') toolResult(inner, part, null, [], index);
    if (textIn(wrapped, 'type') !== 'assistant' || id === null || objectIn(message, 'usage') === null) return;
    const request = idIn(wrapped, 'requestId');
    const told = messageWith(inner, message, null, { id, request, startedMs: this.#state.lastMs });
    this.out.add('llm_requests_told', requestRow(this.source, told));
    for (const part of parts) if (textIn(part, 'type') === 'tool_use') toolUse(inner, part, []);
  }

  #announce(entry: Entry): void {
    const { announced } = this.#state;
    if (announced.includes(entry.session)) return;
    entry.add('sessions_told', sessionRow(entry));
    this.#state = { ...this.#state, announced: withOne(announced, entry.session, 'announced') };
  }

  #tell(no: number, what: string): void {
    if (this.#unknown.has(what) || this.#unknown.size > LIMITS.sourceIssues) return;
    this.#unknown.add(what);
    this.source.issue(
      'unknown_line',
      'info',
      no,
      `Lines of this kind are not known (${shown(what, 60)}); they were kept as they are.`,
    );
  }

  #read(entry: Entry, line: JsonLine): Change {
    const type = textIn(entry.node, 'type');
    // Early versions wrote the model's messages without a type.
    const bare = type === null && memberOf(objectIn(entry.node, 'message'), 'usage') !== null;
    if (type === 'assistant' || bare) return this.#assistant(entry, line);
    if (type === 'user') {
      const change = user(entry);
      if (change?.turn !== undefined) this.#close();
      return change;
    }
    if (type === 'attachment') return attachment(entry);
    if (type === 'progress') this.#inner(entry);
    return type === null ? null : otherLine(entry, type);
  }

  line(line: JsonLine): void {
    const { open } = this.#state;
    if (open !== null && line.no - open.line > OPEN_LINES) this.#close();
    if (this.#state.open === null) this.#mark = { no: line.no, offset: line.offset, state: this.#state };
    const before = this.#state;
    if (line.node === null) {
      this.#raw(line);
      return;
    }
    const entry = this.#entry(line, line.node);
    this.#last = entry;
    const known = textIn(line.node, 'sessionId') !== null || before.session !== null;
    if (known) this.#announce(entry);
    const change = this.#read({ ...entry, state: this.#state }, line);
    if (change === null) {
      const type = textIn(line.node, 'type');
      const inner = textIn(line.node, 'subtype') ?? textIn(objectIn(line.node, 'attachment'), 'type');
      rawEvent(entry, line.text);
      this.#tell(line.no, [type ?? 'no type', inner].filter((one) => one !== null).join(' '));
    }
    this.#after(entry, change);
  }

  /** What is known after a line. */
  #after(entry: Entry, change: Change): void {
    const { ms, uuid, sidechain } = entry;
    const state = { ...this.#state, ...change };
    const { turn } = state;
    const type = textIn(entry.node, 'type');
    const speaks = type === 'assistant' || type === 'user';
    this.#state = {
      ...state,
      ok: state.ok + (change === null ? 0 : 1),
      bad: state.bad + (change === null ? 1 : 0),
      lastMs: ms ?? state.lastMs,
      recent: ms === null || uuid === null ? state.recent : withOne(state.recent, { uuid, ms }, 'recent'),
      turn: turn === null || ms === null || sidechain || !speaks ? turn : { ...turn, lastMs: ms },
    };
  }

  #raw(line: JsonLine): void {
    const { source, out } = this;
    this.#state = { ...this.#state, bad: this.#state.bad + 1 };
    out.add('log_events', {
      event_id: `${source.id}.${line.no}`,
      kind: 'raw',
      message: shown(line.text),
      session_id: this.#state.session,
      source_id: source.id,
      source_kind: source.kind,
      source_line: line.no,
    });
  }

  /** At the end of the file: what may still grow is told as far as it is there, and read again from its first line. */
  end(): void {
    const { ok, bad, open } = this.#state;
    this.source.count(ok - this.#told.ok, bad - this.#told.bad);
    if (open !== null) this.out.add('llm_requests_told', requestRow(this.source, open));
    const mark = this.#mark;
    if (mark === null) return;
    if (this.#last !== null) capReached({ ...this.#last, state: this.#state }, 3);
    this.out.resumeAt({ no: mark.no, offset: mark.offset }, JSON.stringify({ ok, bad, state: mark.state }));
  }
}
