import type { SourceInput } from '../adapter.ts';
import type { Status } from '../facts.ts';
import { Fields } from '../json-fields.ts';
import type { JsonNode } from '../json-tree.ts';
import { readTime } from '../time.ts';
import { fieldsOf, textIn, textsIn, yamlOf } from './document.ts';

/** A path and where it stands. */
export interface Listed {
  text: string;
  line: number;
}

/** What the tracker keeps of a task's last check. */
export interface TrackerVerdict {
  /** Its own word; null when it says none. */
  passed: boolean | null;
  summary: string | null;
  reason: string | null;
  durationS: number | null;
  credits: number | null;
  /** Tests and the packs that prove them. */
  evidence: { file: string; pack: string | null; line: number }[];
  /** Acceptance criteria as they stood, by id. */
  criteria: { id: string; line: number }[];
  /** Checks after the test that stopped it: evidence_check, secret_scan, tampering. */
  stoppedBy: string[];
  line: number;
}

export interface TrackerTask {
  id: string;
  title: string | null;
  prdRef: string | null;
  phase: string | null;
  mode: string | null;
  confirmed: boolean;
  note: string | null;
  tests: Listed[];
  dependsOn: string[];
  state: string | null;
  status: Status | null;
  strikes: number | null;
  files: Listed[];
  touches: { text: string; line: number; atMs: number | null }[];
  /** When it was last checked, and what was written behind the time. */
  lastRun: { atMs: number; zone: string | null; words: string | null; line: number } | null;
  verdict: TrackerVerdict | null;
  line: number;
  /** Lines of single fields, for citing. */
  lines: { state: number; strikes: number; confirmed: number };
}

export interface Tracker {
  tasks: TrackerTask[];
  phases: ReadonlyMap<string, string>;
}

const STATES: Readonly<Record<string, Status>> = {
  PLANNED: 'pending',
  IN_PROGRESS: 'in_progress',
  CLAIMED_DONE: 'in_progress',
  KANE_VERIFYING: 'in_progress',
  KANE_VERIFIED: 'accepted',
  BLOCKED_NEEDS_HUMAN: 'blocked',
};

/** A harness state in the words of the record; null for one that is not known. */
export const statusOf = (state: string | null): Status | null =>
  state !== null && Object.hasOwn(STATES, state) ? (STATES[state] ?? null) : null;

/** The first fenced YAML block of a text, and the line it begins on. */
function fenced(text: string, source: SourceInput): { yaml: string; line: number } | null {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => /^```ya?ml\s*$/.test(line));
  if (from === -1) {
    source.issue('unknown_shape', 'error', null, 'There is no fenced YAML block in it, so no task was read.');
    source.count(0, 1);
    return null;
  }
  const to = lines.findIndex((line, at) => at > from && /^```\s*$/.test(line));
  if (to === -1)
    source.issue(
      'line_cut',
      'warning',
      null,
      'The YAML block is not closed; it was read to the end of the file.',
    );
  return { yaml: lines.slice(from + 1, to === -1 ? undefined : to).join('\n'), line: from + 2 };
}

/** Reads `task-tracker.md`: a list of tasks (first version), or a map of tasks and phases. */
export async function readTracker(source: SourceInput): Promise<Tracker> {
  const empty: Tracker = { tasks: [], phases: new Map() };
  const text = await source.text();
  const block = text === null ? null : fenced(text, source);
  if (block === null) return empty;
  const root = yamlOf(source, block.yaml, block.line);
  if (root === null) return empty;
  if (root.kind === 'array') return { ...empty, tasks: tasksIn(root.items, source) };
  const fields = fieldsOf(root, 'The tracker', source);
  if (fields === null) return empty;
  const phases = new Map<string, string>();
  for (const node of fields.list('phases') ?? []) {
    if (node.kind !== 'object') continue;
    const id = textIn(node, 'id');
    if (id !== null) phases.set(id, textIn(node, 'title') ?? id);
  }
  return { tasks: tasksIn(fields.list('tasks') ?? [], source), phases };
}

function tasksIn(nodes: readonly JsonNode[], source: SourceInput): TrackerTask[] {
  const tasks = new Map<string, TrackerTask>();
  for (const [index, node] of nodes.entries()) {
    const fields = fieldsOf(node, `task ${index + 1}`, source);
    if (fields === null) continue;
    const id = fields.id('id');
    if (id === null) {
      source.issue('missing_field', 'warning', node.line, `Task ${index + 1} has no id, so it was not read.`);
      source.count(0, 1);
      continue;
    }
    if (tasks.has(id))
      source.issue(
        'duplicate_id',
        'warning',
        node.line,
        `Task ${id} stands there twice; the later one was read.`,
      );
    tasks.set(id, taskIn(new Fields(fields.node, `task ${id}`, fields.issues), id, source));
    source.count(1, 0);
  }
  return [...tasks.values()];
}

function taskIn(fields: Fields, id: string, source: SourceInput): TrackerTask {
  const state = fields.text('state');
  const status = statusOf(state);
  if (state !== null && status === null) {
    source.issue(
      'unknown_status',
      'warning',
      fields.line('state'),
      `Task ${id} has the state ${state.slice(0, 60)}, which is not known.`,
    );
  }
  return {
    id,
    title: fields.text('title'),
    prdRef: fields.text('prd_ref'),
    phase: fields.text('phase'),
    mode: fields.text('verification_mode'),
    confirmed:
      fields.node.members.get('manual_confirmed')?.kind === 'boolean' &&
      fields.flag('manual_confirmed') === true,
    note: fields.text('manual_note'),
    tests: oneOrMany(fields, 'test_file'),
    dependsOn: textsIn(fields.list('depends_on')).map(({ text }) => text),
    state,
    status,
    strikes: fields.number('attempts', 0, 1_000_000),
    files: textsIn(fields.list('files')),
    touches: touchesIn(fields),
    lastRun: lastRunIn(fields, id, source),
    verdict: verdictIn(fields),
    line: fields.node.line,
    lines: {
      state: fields.line('state'),
      strikes: fields.line('attempts'),
      confirmed: fields.line('manual_confirmed'),
    },
  };
}

function oneOrMany(fields: Fields, key: string): Listed[] {
  const node = fields.node.members.get(key);
  if (node?.kind === 'string') return [{ text: node.value, line: node.line }];
  return textsIn(fields.list(key));
}

function touchesIn(fields: Fields): TrackerTask['touches'] {
  const touches = fields.object('file_touches');
  if (touches === null) return [];
  const times = new Fields(touches, `${fields.owner}: file_touches`, fields.issues);
  return [...touches.members].map(([text, { line }]) => ({ text, line, atMs: times.time(text)?.ms ?? null }));
}

function lastRunIn(fields: Fields, id: string, source: SourceInput): TrackerTask['lastRun'] {
  const written = fields.text('last_run')?.trim();
  if (!written) return null;
  const line = fields.line('last_run');
  const space = /^\S+\s+/.exec(written)?.[0].length ?? written.length;
  const time = readTime(written) ?? readTime(written.slice(0, space));
  if (time === null) {
    source.issue('time_invalid', 'warning', line, `Task ${id}: last_run is not a time that can be read.`);
    return null;
  }
  if (time.zone === null) {
    source.issue(
      'time_without_zone',
      'warning',
      line,
      `Task ${id}: last_run has no time zone; it was read as UTC.`,
    );
  }
  const words = readTime(written) === null ? written.slice(space).trim() : '';
  return { atMs: time.ms, zone: time.zone, words: words === '' ? null : words, line };
}

/** All shapes of `last_verdict`: nothing, a word, a batch of tests, or the end of one run with everything it carried. */
function verdictIn(fields: Fields): TrackerVerdict | null {
  const node = fields.node.members.get('last_verdict');
  if (node === undefined || node.kind === 'null') return null;
  const none = {
    summary: null,
    reason: null,
    durationS: null,
    credits: null,
    evidence: [],
    criteria: [],
    stoppedBy: [],
  };
  if (node.kind === 'string')
    return { ...none, passed: wordOf(node.value), summary: node.value, line: node.line };
  const object = fields.object('last_verdict');
  if (object === null) return null;
  const verdict = new Fields(object, `${fields.owner}: last_verdict`, fields.issues);
  const summary = verdict.text('summary');
  const reason = verdict.text('reason');
  const batch = /^testrun batch: (\d+)\/(\d+) passed$/.exec(summary ?? '');
  const status = verdict.text('status');
  const stoppedBy = ['evidence_check', 'secret_scan', 'tampering'].filter((key) => {
    const kind = object.members.get(key)?.kind;
    return kind !== undefined && kind !== 'null';
  });
  const said = status !== null ? wordOf(status) : batch ? batch[1] === batch[2] : null;
  return {
    passed: stoppedBy.length > 0 && said === true ? false : said,
    summary,
    reason,
    durationS: verdict.number('duration', 0, 1e9),
    credits: verdict.number('credits_consumed', 0, 1e9),
    evidence: (verdict.list('evidence') ?? []).flatMap((item) => {
      const file = item.kind === 'object' ? textIn(item, 'file') : null;
      return item.kind === 'object' && file !== null
        ? [{ file, pack: textIn(item, 'pack'), line: item.line }]
        : [];
    }),
    criteria: [...(verdict.object('ac_snapshot')?.members ?? [])].map(([ac, { line }]) => ({ id: ac, line })),
    stoppedBy,
    line: object.line,
  };
}

function wordOf(word: string): boolean | null {
  if (/^pass(?:ed)?$/i.test(word.trim())) return true;
  return /^(?:fail(?:ed)?|broken|error)$/i.test(word.trim()) ? false : null;
}
