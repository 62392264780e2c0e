import { LIMITS } from '../../../../shared/limits.ts';
import type { Issues } from '../issue.ts';
import { Fields, type JsonObject, reportDocument } from '../json-fields.ts';
import { type JsonNode, readJson } from '../json-tree.ts';
import { commitOf, dirtyOf } from './commit.ts';
import { type CaseStatus, isTimeout, plainMessage, type Report, type TestCase } from './report.ts';
import { annotatedRefs, isRequirementName, taggedRefs, titleRefs, uniqueRefs } from './requirement-refs.ts';

/**
 * The JSON of vitest, which has the shape of jest's: `{numTotalTests, …, startTime, success, testResults: [{name, status,
 * message, startTime, endTime, assertionResults: [{ancestorTitles, title, status, duration, failureMessages, meta, tags}]}]}`.
 * Traps: a file that fails to load has no results and is in none of the totals; a test that passed on a retry is `passed` with
 * messages of failure; suites are counted by describe blocks.
 */
const MAX_MS = 10 ** 14;
const STATUSES: Readonly<Record<string, CaseStatus>> = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  pending: 'skipped',
  disabled: 'skipped',
  todo: 'todo',
};

const objects = (nodes: readonly JsonNode[] | null): JsonObject[] =>
  (nodes ?? []).filter((node) => node.kind === 'object');
const texts = (nodes: readonly JsonNode[] | null): string[] =>
  (nodes ?? []).flatMap((node) => (node.kind === 'string' ? [node.value] : []));

/** Times may be written with a fraction of a millisecond. */
const whole = (ms: number | null): number | null => (ms === null ? null : Math.round(ms));

function caseOf(test: Fields, file: string | null): TestCase {
  const title = test.text('title') ?? test.text('fullName') ?? '';
  const failures = texts(test.list('failureMessages'));
  const told = test.text('status') ?? '';
  const known = Object.hasOwn(STATUSES, told) ? STATUSES[told] : undefined;
  if (!known)
    test.issues.add(
      'unknown_status',
      'warning',
      test.node.line,
      `${test.owner} has no status that is known; it was read as an error.`,
    );
  const failed = known === 'failed' && isTimeout(failures[0] ?? '') ? 'timeout' : known;
  const status = known === 'passed' && failures.length > 0 ? 'flaky' : (failed ?? 'error');
  const invocations = test.has('invocations') ? test.number('invocations', 1, 1_000) : null;
  const meta = test.has('meta') ? test.object('meta') : null;
  const titles = texts(test.list('ancestorTitles'));
  const message = plainMessage(failures[0] ?? '', LIMITS.sourceText);
  return {
    file,
    suite: titles.length > 0 ? titles.join(' › ').slice(0, LIMITS.sourceText) : null,
    name: title,
    project: null,
    status,
    // How often it was tried again stands only in jest's form.
    retries: invocations === null ? null : invocations - 1,
    durationMs: test.number('duration', 0, MAX_MS),
    startedMs: null,
    message: message === '' ? null : message,
    refs: uniqueRefs([
      ...[...(meta?.members ?? [])].flatMap(([key, value]) =>
        isRequirementName(key) && value.kind === 'string' ? annotatedRefs(value.value) : [],
      ),
      ...taggedRefs(test.has('tags') ? texts(test.list('tags')) : []),
      ...titleRefs(title),
    ]),
    line: test.node.line,
  };
}

/** A file's cases; one that could not be loaded, or that failed outside its tests, is told as such. */
function fileOf(result: Fields): TestCase[] {
  const file = result.text('name');
  const tests = objects(result.list('assertionResults')).map((node) =>
    caseOf(new Fields(node, `a test of ${(file ?? 'a file').split('/').at(-1)}`, result.issues), file),
  );
  const failed = result.text('status') === 'failed';
  if (
    !failed ||
    tests.some(({ status }) => status === 'failed' || status === 'timeout' || status === 'error')
  )
    return tests;
  const started = whole(result.number('startTime', 0, MAX_MS));
  const message = plainMessage(result.text('message') ?? '', LIMITS.sourceText);
  const instead: TestCase = {
    file,
    suite: null,
    name: file ?? 'a file without a name',
    project: null,
    status: tests.length === 0 ? 'load_error' : 'error',
    retries: null,
    durationMs: null,
    startedMs: started,
    message: message === '' ? null : message,
    refs: [],
    line: result.node.line,
  };
  return [...tests, instead];
}

/** Reads a report of vitest or jest. */
export function readVitest(text: string, issues: Issues): Report {
  const document = readJson(text);
  const root = document.root?.kind === 'object' ? new Fields(document.root, 'the report', issues) : null;
  const files = objects(root?.list('testResults') ?? null);
  const cases: TestCase[] = [];
  for (const node of files) {
    for (const one of fileOf(new Fields(node, 'a file', issues)))
      if (cases.length < LIMITS.sourceEntries) cases.push(one);
    if (cases.length >= LIMITS.sourceEntries) {
      issues.add(
        'too_many_entries',
        'warning',
        node.line,
        `Only the first ${LIMITS.sourceEntries} cases were read.`,
      );
      break;
    }
  }
  reportDocument(document, 'cases', cases.length, issues);
  const listed = cases.filter(
    ({ status, suite, name, file }) => status !== 'load_error' && !(suite === null && name === file),
  ).length;
  const total = root?.number('numTotalTests', 0, 10 ** 9) ?? null;
  if (root && total !== null && total !== listed && document.broken === null)
    issues.add(
      'totals_differ',
      'warning',
      root.line('numTotalTests'),
      `The report says ${total} tests and lists ${listed}; what it lists was counted.`,
    );
  const ends = files.flatMap((node) => {
    const end = node.members.get('endTime');
    return end?.kind === 'number' ? [end.value] : [];
  });
  const started = whole(root?.number('startTime', 0, MAX_MS) ?? null);
  const commit = commitIn(root);
  return {
    // Both write the same form; only vitest lists tags and meta of a test.
    framework: /"meta":|"benchmarks":/.test(text.slice(0, LIMITS.prefixBytes)) ? 'vitest' : 'jest',
    commit: commit?.sha ?? null,
    line: commit?.line ?? 1,
    dirty: commit?.dirty ?? null,
    startedMs: started,
    // Milliseconds since 1970 are in no zone but UTC.
    zone: started === null ? null : '+00:00',
    durationMs:
      started === null || ends.length === 0
        ? null
        : Math.max(0, ends.reduce((a, b) => Math.max(a, b), 0) - started),
    cases,
    fatal: [],
  };
}

/** A commit written into the report by the project's own reporter, at its top or in `metadata`. */
function commitIn(root: Fields | null): { sha: string; line: number; dirty: boolean | null } | null {
  const metadata = root?.node.members.get('metadata');
  const members = [...(root?.node.members ?? []), ...(metadata?.kind === 'object' ? metadata.members : [])];
  let dirty: boolean | null = null;
  let found: { sha: string; line: number } | null = null;
  for (const [key, value] of members) {
    if (value.kind !== 'string' && value.kind !== 'boolean') continue;
    const sha = commitOf(key, String(value.value));
    if (sha !== null) found ??= { sha, line: value.line };
    dirty ??= dirtyOf(key, String(value.value));
  }
  return found ? { ...found, dirty } : null;
}
