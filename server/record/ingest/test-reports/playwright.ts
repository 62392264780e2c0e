import { LIMITS } from '../../../../shared/limits.ts';
import type { Issues } from '../issue.ts';
import { Fields, type JsonObject, reportDocument } from '../json-fields.ts';
import { type JsonNode, readJson } from '../json-tree.ts';
import { commitOf, dirtyOf, shaOf } from './commit.ts';
import { type CaseStatus, plainMessage, type Report, type TestCase } from './report.ts';
import {
  annotatedRefs,
  isRequirementName,
  type RequirementRef,
  taggedRefs,
  titleRefs,
  uniqueRefs,
} from './requirement-refs.ts';

/**
 * Playwright's JSON: `{config, suites: [{title, file, suites, specs: [{title, tags, tests: [{annotations, expectedStatus,
 * projectName, status, results: [{status, duration, retry, startTime, error}]}]}]}], errors, stats}`. The outcome of a test is
 * its own `status`: a result that failed as it was meant to is good, and one that passed at a retry is flaky.
 */
const MAX_MS = 10 ** 11;

const objects = (nodes: readonly JsonNode[] | null): JsonObject[] =>
  (nodes ?? []).filter((node) => node.kind === 'object');

class PlaywrightReader {
  readonly cases: TestCase[] = [];

  constructor(readonly issues: Issues) {}

  fields(node: JsonObject, owner: string): Fields {
    return new Fields(node, owner, this.issues);
  }

  /** Suites lie in suites, as deep as JSON may be nested here; the outermost is the file. */
  suite(node: JsonObject, titles: readonly string[], outermost: boolean): void {
    const suite = this.fields(node, 'a suite');
    const title = suite.text('title') ?? '';
    const path = outermost || title === '' ? titles : [...titles, title];
    for (const spec of objects(suite.list('specs'))) this.#spec(this.fields(spec, 'a spec'), path, suite);
    for (const inner of objects(suite.list('suites'))) this.suite(inner, path, false);
  }

  #spec(spec: Fields, path: readonly string[], suite: Fields): void {
    const title = spec.text('title') ?? '';
    const tags = (spec.list('tags') ?? []).flatMap((tag) => (tag.kind === 'string' ? [tag.value] : []));
    for (const node of objects(spec.list('tests'))) {
      if (this.cases.length >= LIMITS.sourceEntries) {
        if (this.cases.length === LIMITS.sourceEntries)
          this.issues.add(
            'too_many_entries',
            'warning',
            node.line,
            `Only the first ${LIMITS.sourceEntries} cases were read.`,
          );
        return;
      }
      const test = this.fields(node, `the test "${title.slice(0, LIMITS.label)}"`);
      this.cases.push({
        file: spec.text('file') ?? suite.text('file'),
        suite: path.length > 0 ? path.join(' › ').slice(0, LIMITS.sourceText) : null,
        name: title,
        project: test.text('projectName') || null,
        line: spec.node.line,
        ...this.#outcome(test, [...taggedRefs(tags), ...titleRefs(title)]),
      });
    }
  }

  #outcome(
    test: Fields,
    named: RequirementRef[],
  ): Omit<TestCase, 'file' | 'suite' | 'name' | 'project' | 'line'> {
    const annotations = objects(test.list('annotations')).map((node) => this.fields(node, 'an annotation'));
    const results = objects(test.list('results')).map((node) => this.fields(node, 'a result'));
    const last = results.at(-1);
    const durations = results.flatMap((result) => result.number('duration', 0, MAX_MS) ?? []);
    const expected = test.text('expectedStatus');
    const status = statusOf(test.text('status'), expected, last?.text('status') ?? null, annotations);
    if (status === null)
      this.issues.add(
        'unknown_status',
        'warning',
        test.node.line,
        `${test.owner} has no status that is known; it was read as an error.`,
      );
    const error = results.map((result) => result.object('error')).findLast((node) => node !== null);
    const passedAgainstHope = expected === 'failed' && last?.text('status') === 'passed';
    const message = passedAgainstHope
      ? 'It was expected to fail, and passed.'
      : error
        ? plainMessage(this.fields(error, 'an error').text('message') ?? '', LIMITS.sourceText)
        : '';
    return {
      status: status ?? 'error',
      retries: results.length > 1 ? results.length - 1 : 0,
      durationMs: durations.length > 0 ? durations.reduce((sum, ms) => sum + ms, 0) : null,
      startedMs: results[0]?.time('startTime')?.ms ?? null,
      message: message === '' ? null : message,
      refs: uniqueRefs([
        ...annotations.flatMap((one) =>
          isRequirementName(one.text('type') ?? '') ? annotatedRefs(one.text('description') ?? '') : [],
        ),
        ...named,
      ]),
    };
  }
}

function statusOf(
  status: string | null,
  expected: string | null,
  last: string | null,
  annotations: readonly Fields[],
): CaseStatus | null {
  if (status === 'skipped')
    return annotations.some((one) => one.text('type') === 'fixme') ? 'todo' : 'skipped';
  if (status === 'flaky') return 'flaky';
  if (status === 'expected')
    return expected === 'failed' ? 'expected_failure' : expected === 'skipped' ? 'skipped' : 'passed';
  if (status !== 'unexpected') return null;
  if (last === 'timedOut') return 'timeout';
  return last === 'interrupted' ? 'error' : 'failed';
}

/** The commit in `config.metadata`: what Playwright itself writes there, or a plain property. */
function commitIn(
  config: Fields | null,
  issues: Issues,
): { sha: string; line: number; dirty: boolean | null } | null {
  const node = config?.object('metadata');
  if (!node) return null;
  const metadata = new Fields(node, 'metadata', issues);
  const inner = (key: string, field: string): { sha: string; line: number } | null => {
    const own = node.members.get(key);
    const value = own?.kind === 'object' ? own.members.get(field) : undefined;
    const sha = value?.kind === 'string' ? shaOf(value.value) : null;
    return sha === null || !value ? null : { sha, line: value.line };
  };
  let found = inner('gitCommit', 'hash') ?? inner('ci', 'commitHash');
  let dirty: boolean | null = null;
  for (const [key, value] of metadata.node.members) {
    if (value.kind === 'string') {
      const sha = commitOf(key, value.value);
      if (sha !== null) found ??= { sha, line: value.line };
    }
    if (value.kind === 'string' || value.kind === 'boolean') dirty ??= dirtyOf(key, String(value.value));
  }
  return found ? { ...found, dirty } : null;
}

/** Reads a Playwright report. */
export function readPlaywright(text: string, issues: Issues): Report {
  const document = readJson(text);
  const reader = new PlaywrightReader(issues);
  const root = document.root?.kind === 'object' ? reader.fields(document.root, 'the report') : null;
  for (const suite of objects(root?.list('suites') ?? null)) reader.suite(suite, [], true);
  reportDocument(document, 'cases', reader.cases.length, issues);
  const stats = root?.object('stats');
  const told = stats ? reader.fields(stats, 'stats') : null;
  const started = told?.time('startTime') ?? null;
  const config = root?.object('config');
  const commit = commitIn(config ? reader.fields(config, 'config') : null, issues);
  if (root && told) compare(told, reader.cases, issues);
  return {
    framework: 'playwright',
    commit: commit?.sha ?? null,
    line: commit?.line ?? 1,
    dirty: commit?.dirty ?? null,
    startedMs: started?.ms ?? null,
    zone: started?.zone ?? null,
    durationMs: told?.number('duration', 0, MAX_MS) ?? null,
    cases: reader.cases,
    fatal: objects(root?.list('errors') ?? null).map((node) => ({
      message: plainMessage(
        reader.fields(node, 'an error').text('message') ?? 'an error without a message',
        LIMITS.sourceText,
      ),
      line: node.line,
    })),
  };
}

/** The runner's own totals against what the report lists. */
function compare(stats: Fields, cases: readonly TestCase[], issues: Issues): void {
  const totals = ['expected', 'unexpected', 'flaky', 'skipped'].map((key) => stats.number(key, 0, 10 ** 9));
  if (totals.some((total) => total === null)) return;
  const sum = totals.reduce<number>((a, b) => a + (b ?? 0), 0);
  if (sum === cases.length) return;
  issues.add(
    'totals_differ',
    'warning',
    stats.node.line,
    `The report says ${sum} tests and lists ${cases.length}; what it lists was counted.`,
  );
}
