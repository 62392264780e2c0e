import { LIMITS } from '../../../../shared/limits.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import type { Fields } from '../json-fields.ts';
import type { JsonNode } from '../json-tree.ts';
import { sha256 } from '../read-source.ts';
import { canonicalJson } from './canonical-json.ts';
import { fieldsOf, jsonOf, textIn } from './document.ts';
import { RUN } from './names.ts';
import { testName } from './paths.ts';
import type { RequirementBook } from './requirement-book.ts';

/** What a node of the context is, by its label. */
interface ContextNode {
  label: string;
  content: string | null;
  source: SourceInput;
  line: number;
}
interface Execution {
  about: string;
  verdict: string;
  perCriterion: { ref: string; verdict: string }[];
  startedAtMs: number | null;
  zone: string | null;
  durationMs: number | null;
  mode: string | null;
  id: string | null;
  source: SourceInput;
  line: number;
}

/** Number and first characters of the hash in a commit's name. */
const NAME = /(?:^|\/)(\d{1,9})-([0-9a-f]{12})\.json$/;

/**
 * Reads the chain of context commits: what was designed (use cases, criteria, tests) and every execution of a test, none of
 * which is ever overwritten. Each commit's name carries the beginning of its hash, and each names the hash before it; what does not fit is
 * reported.
 */
export async function readContext(
  sources: readonly SourceInput[],
  book: RequirementBook,
  out: RowSink,
): Promise<void> {
  const nodes = new Map<string, ContextNode>();
  const parents = new Map<string, string>();
  const verified = new Map<string, Set<string>>();
  const executions: Execution[] = [];
  let before: { hash: string; path: string } | null = null;
  const ordered = sources
    .map((source) => ({ source, no: Number(NAME.exec(source.path)?.[1] ?? Number.MAX_SAFE_INTEGER) }))
    .sort((a, b) => a.no - b.no || (a.source.path < b.source.path ? -1 : 1));
  for (const { source } of ordered) {
    const commit = fieldsOf(await jsonOf(source), 'The context commit', source);
    if (commit === null) continue;
    source.count(1, 0);
    before = await checkChain(source, commit, before);
    for (const node of commit.list('nodes') ?? []) {
      const cid = node.kind === 'object' ? textIn(node, 'cid') : null;
      const label = node.kind === 'object' ? textIn(node, 'label') : null;
      if (node.kind !== 'object' || cid === null || label === null) continue;
      nodes.set(cid, { label, content: contentOf(node.members.get('content')), source, line: node.line });
    }
    for (const edge of commit.list('edges') ?? []) {
      if (edge.kind !== 'object') continue;
      const [type, from, to] = [textIn(edge, 'type'), textIn(edge, 'src'), textIn(edge, 'dst')];
      if (from === null || to === null) continue;
      if (type === 'verifies') verified.set(from, (verified.get(from) ?? new Set()).add(to));
      else if (type === 'belongs_to' || type === 'scoped_to') parents.set(from, to);
      else if (type === 'DERIVES') parents.set(to, from);
    }
    executions.push(...executionsIn(commit, source));
    reviews(commit, source, out);
  }
  for (const [test, criteria] of verified) {
    const task = book.taskOfTest(testName(nodes.get(test)?.content ?? test));
    if (task !== null) for (const criterion of criteria) book.holds(criterion, task, null);
  }
  for (const [cid, { label, content, source, line }] of nodes) {
    if (label !== 'ac' && label !== 'usecase') continue;
    const parent = parents.get(cid);
    const kind = label === 'ac' ? 'criterion' : 'use_case';
    book.tell({
      id: cid,
      text: content,
      kind,
      parent: parent !== undefined && nodes.get(parent)?.label === 'usecase' ? parent : null,
      rank: 1,
      source,
      line,
    });
  }
  for (const [index, execution] of executions.entries())
    executionRows(execution, index, nodes, verified, book, out);
}

/** Checks a commit's hash against its name, and its link against the commit before. */
async function checkChain(
  source: SourceInput,
  commit: Fields,
  before: { hash: string; path: string } | null,
): Promise<{ hash: string; path: string } | null> {
  const bytes = await source.bytes();
  if (bytes === null) return before;
  const found = hashesOf(bytes);
  const named = NAME.exec(source.path)?.[2];
  const hash = named === undefined ? found[0] : found.find((one) => one.startsWith(named));
  if (named !== undefined && hash === undefined) {
    source.issue(
      'hash_differs',
      'error',
      null,
      `The name of the commit says ${named}, its content has another hash: it was changed after it was written.`,
    );
  }
  const link = commit.text('prev_hash');
  const broken = before === null ? false : link === null || !sameHash(link, before.hash);
  if (before !== null && broken) {
    source.issue(
      'link_broken',
      'error',
      commit.line('prev_hash'),
      'The commit does not follow the one before it: one was left out, added or changed.',
    );
  }
  return { hash: hash ?? found[0] ?? named ?? '', path: source.path };
}

const sameHash = (link: string, hash: string): boolean => {
  const plain = link.replace(/^sha256:/, '');
  return plain.length >= 12 && (hash.startsWith(plain) || plain.startsWith(hash));
};

/** Hashes a commit may have: of the whole, or without a hash it carries itself, in either way of writing characters. */
function hashesOf(bytes: Uint8Array): string[] {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const { hash: _, ...rest } = { hash: null, ...value };
  return [value, rest].flatMap((one) => [false, true].map((ascii) => sha256(canonicalJson(one, ascii))));
}

/** Text of a node: itself, or the field that names or words it. */
function contentOf(node: JsonNode | undefined): string | null {
  if (node?.kind === 'string') return node.value;
  if (node?.kind !== 'object') return null;
  for (const key of ['text', 'statement', 'title', 'name', 'description', 'external_id']) {
    const text = textIn(node, key);
    if (text !== null) return text;
  }
  return null;
}

function executionsIn(commit: Fields, source: SourceInput): Execution[] {
  return (commit.list('executions') ?? []).flatMap((node, index) => {
    const fields = fieldsOf(node, `execution ${index + 1}`, source);
    const about = fields?.text('about');
    const verdict = fields?.text('verdict');
    if (!fields || !about || !verdict) return [];
    source.count(1, 0);
    const started = fields.time('started_at');
    return [
      {
        about,
        verdict,
        perCriterion: (fields.list('per_ac') ?? []).flatMap((item) => {
          const ref = item.kind === 'object' ? textIn(item, 'ac_ref') : null;
          const word = item.kind === 'object' ? textIn(item, 'verdict') : null;
          return ref === null || word === null ? [] : [{ ref, verdict: word }];
        }),
        startedAtMs: started?.ms ?? null,
        zone: started?.zone ?? null,
        durationMs: fields.number('duration_ms', 0, 1e12),
        mode: fields.text('mode'),
        id: fields.text('execution_id'),
        source,
        line: node.line,
      },
    ];
  });
}

const CASES: Readonly<Record<string, string>> = { passed: 'passed', failed: 'failed', broken: 'error' };

/** One execution is a run of one test; a broken one proves nothing either way. */
function executionRows(
  execution: Execution,
  index: number,
  nodes: ReadonlyMap<string, ContextNode>,
  verified: ReadonlyMap<string, ReadonlySet<string>>,
  book: RequirementBook,
  out: RowSink,
): void {
  const { about, verdict, source, line, startedAtMs, durationMs } = execution;
  const status = Object.hasOwn(CASES, verdict) ? (CASES[verdict] ?? 'error') : 'error';
  const id = `${source.id}.x${index + 1}`;
  const name = nodes.get(about)?.content ?? about;
  const task = book.taskOfTest(testName(name));
  const own = execution.perCriterion.length > 0;
  const proofs = own
    ? execution.perCriterion
    : [...(verified.get(about) ?? [])].map((ref) => ({ ref, verdict }));
  out.add('test_runs', {
    test_run_id: id,
    run_id: RUN,
    framework: 'kane',
    started_at_ms: startedAtMs,
    zone: execution.zone,
    duration_ms: durationMs,
    load_errors: 0,
    cases: 1,
    status: status === 'error' ? 'errored' : status,
    source_id: source.id,
    source_line: line,
  });
  out.add('test_results', {
    test_result_id: id,
    test_run_id: id,
    file: about,
    name: name.slice(0, LIMITS.cellText),
    status,
    duration_ms: durationMs,
    requirement_refs:
      proofs.length === 0
        ? null
        : proofs
            .map(({ ref }) => book.rowId(ref, task))
            .join(' ')
            .slice(0, LIMITS.sourceText),
    source_id: source.id,
    source_line: line,
  });
  for (const [at, proof] of proofs.entries()) {
    book.prove({
      id: proof.ref,
      task,
      kind: 'test',
      ref: id,
      polarity: proof.verdict === 'passed' ? 'supports' : proof.verdict === 'failed' ? 'refutes' : 'void',
      link: own ? 'explicit' : 'tag',
      atMs: startedAtMs === null ? null : startedAtMs + (durationMs ?? 0),
      says: `${name.slice(0, 200)}: ${proof.verdict}`,
      source,
      line,
      key: `x${index + 1}.${at}`,
    });
  }
}

function reviews(commit: Fields, source: SourceInput, out: RowSink): void {
  for (const [index, node] of (commit.list('review') ?? []).entries()) {
    if (node.kind !== 'object') continue;
    const [kind, resolution, by] = [textIn(node, 'kind'), textIn(node, 'resolution'), textIn(node, 'by')];
    out.add('log_events', {
      event_id: `${source.id}.r${index + 1}`,
      run_id: RUN,
      level: 'info',
      kind: 'review',
      message: [kind, resolution, by === null ? null : `by ${by}`]
        .filter((part) => part !== null)
        .join(', ')
        .slice(0, LIMITS.sourceText),
      source_id: source.id,
      source_kind: source.kind,
      source_line: node.line,
    });
  }
}
