import { LIMITS } from '../../../../shared/limits.ts';
import type { Adapter, RowSink, SourceInput } from '../adapter.ts';
import { idIn } from '../codex/rollout-entry.ts';
import { type JsonObject, reportDocument } from '../json-fields.ts';
import { jsonLines } from '../json-lines.ts';
import { listIn, objectIn, textIn } from '../json-quiet.ts';
import { readJson } from '../json-tree.ts';
import { SourceIssues } from '../source-issues.ts';
import { type Change, event, shown } from './entry.ts';
import { rawEvent, system } from './events.ts';
import { headlessEntry, result } from './result.ts';
import { RANK, sayOf } from './session-rows.ts';
import { isHeadless } from './sniff.ts';
import { START, type State } from './state.ts';
import { toldOf, toolResult, toolUse } from './tools.ts';

/** Lines between two writings of what has gathered. */
const FLUSH = 500;

/** Steps of a stream that tell nothing the whole messages do not. */
const STEPS: ReadonlySet<string> = new Set([
  'stream_event',
  'rate_limit_event',
  'control_request',
  'control_response',
  'keep_alive',
  'tool_progress',
  'tool_use_summary',
  'auth_status',
]);

/** Reads the output of a headless session. Its messages' tokens are in the session's transcript, and not counted from here. */
class HeadlessReader {
  #state: State = START;
  #ok = 0;
  #bad = 0;

  constructor(
    readonly source: SourceInput,
    readonly out: RowSink,
  ) {}

  #read(node: JsonObject, no: number): Change {
    const entry = headlessEntry(this.source, this.out, node, no, this.#state);
    const type = textIn(node, 'type');
    const message = objectIn(node, 'message');
    const parts = listIn(message, 'content').flatMap((one) => (one.kind === 'object' ? [one] : []));
    let { calls } = this.#state;
    if (type === 'result') {
      result(entry);
      return { session: entry.session };
    }
    if (type === 'system' && textIn(node, 'subtype') === 'init') {
      const cwd = textIn(node, 'cwd')?.slice(0, LIMITS.sourceText) ?? null;
      sayOf(entry, entry.session, RANK.titled, {
        cwd,
        harness_version: idIn(node, 'claude_code_version'),
        is_subagent: false,
      });
      event(
        entry,
        'session_start',
        `A headless session began with ${textIn(node, 'model') ?? 'an unknown model'}.`,
      );
      return { session: entry.session, cwd, root: this.#state.root ?? cwd };
    }
    if (type === 'system') {
      const change = system(entry);
      if (change !== null) return change;
      event(entry, 'note', textIn(node, 'subtype') ?? 'system');
      return {};
    }
    if (type === 'assistant' && message !== null) {
      for (const part of parts) if (textIn(part, 'type') === 'tool_use') calls = toolUse(entry, part, calls);
      return { calls, stop: { ...this.#state.stop, told: false, feedback: false } };
    }
    if (type === 'user' && message !== null) {
      const results = parts.filter((part) => textIn(part, 'type') === 'tool_result');
      const told = toldOf(entry, results.length);
      for (const [index, part] of results.entries()) calls = toolResult(entry, part, told, calls, index);
      return { calls };
    }
    return type !== null && STEPS.has(type) ? {} : null;
  }

  node(node: JsonObject, no: number, text: string): void {
    const change = this.#read(node, no);
    if (change === null) {
      this.#bad += 1;
      rawEvent(headlessEntry(this.source, this.out, node, no, this.#state), text);
      return;
    }
    this.#ok += 1;
    this.#state = { ...this.#state, ...change };
  }

  /** A line that is no object: output of something else in between. */
  other(no: number, text: string): void {
    this.#bad += 1;
    const { source } = this;
    this.out.add('log_events', {
      event_id: `${source.id}.${no}`,
      kind: 'raw',
      message: shown(text),
      session_id: this.#state.session,
      source_id: source.id,
      source_kind: source.kind,
      source_line: no,
    });
  }

  end(): void {
    this.source.count(this.#ok, this.#bad);
  }
}

/** A document of one object, or a list of them. */
async function readDocument(source: SourceInput, reader: HeadlessReader): Promise<void> {
  const text = await source.text();
  if (text === null) return;
  const document = readJson(text);
  const { root } = document;
  const nodes = root?.kind === 'array' ? root.items : root === null ? [] : [root];
  let read = 0;
  for (const node of nodes.slice(0, LIMITS.sourceEntries)) {
    // What broke off in the middle is not told.
    if (node.kind !== 'object' || !node.complete) continue;
    reader.node(node, node.line, textIn(node, 'type') ?? 'no type');
    read += 1;
  }
  reportDocument(document, 'lines', read, new SourceIssues(source));
}

/** Output of `claude -p` as JSON or as a stream of it. */
export const headless: Adapter = {
  id: 'claude-code/headless',
  version: 1,
  label: 'Claude Code headless output',
  sources: [
    {
      kind: 'claude_result',
      paths: ['**/*.{jsonl,ndjson}', '**/*{claude,result,headless,session}*.{json,log,txt,out}'],
      sniff: isHeadless,
    },
  ],
  unit: 'each',
  async read(unit, out) {
    for (const source of unit.sources) {
      const reader = new HeadlessReader(source, out);
      if (source.path.endsWith('.json')) await readDocument(source, reader);
      else {
        let read = 0;
        for await (const { no, node, text } of jsonLines(source)) {
          if (node === null) reader.other(no, text);
          else reader.node(node, no, text);
          read += 1;
          if (read % FLUSH === 0) await out.flush();
        }
      }
      reader.end();
    }
  },
};
