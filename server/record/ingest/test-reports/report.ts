import { LIMITS } from '../../../../shared/limits.ts';
import type { RequirementRef } from './requirement-refs.ts';

export const STATUSES = [
  'passed',
  'failed',
  'error',
  'timeout',
  'skipped',
  'todo',
  'flaky',
  'expected_failure',
  'load_error',
] as const;
export type CaseStatus = (typeof STATUSES)[number];

/** One case of a report. `load_error` stands for a whole file that could not be loaded; it is no case, and counted apart. */
export interface TestCase {
  file: string | null;
  suite: string | null;
  name: string;
  /** Project (browser, environment) it ran in, where a report has several. */
  project: string | null;
  status: CaseStatus;
  retries: number | null;
  durationMs: number | null;
  startedMs: number | null;
  message: string | null;
  refs: readonly RequirementRef[];
  line: number;
}

/** What one report tells, whatever its form. */
export interface Report {
  framework: string;
  commit: string | null;
  /** Line of the commit, or of the start of the report. */
  line: number;
  dirty: boolean | null;
  startedMs: number | null;
  zone: string | null;
  durationMs: number | null;
  cases: TestCase[];
  /** What went wrong outside all cases: a configuration or a set-up that crashed. */
  fatal: { message: string; line: number }[];
}

/** Cases that were run to an outcome; a skipped one says nothing. */
const RAN: ReadonlySet<CaseStatus> = new Set([
  'passed',
  'failed',
  'error',
  'timeout',
  'flaky',
  'expected_failure',
]);
/** Outcomes a runner takes for good. */
const GOOD: ReadonlySet<CaseStatus> = new Set(['passed', 'flaky', 'expected_failure']);

export interface Tally {
  /** Cases listed, without files that could not be loaded. */
  cases: number;
  run: number;
  passed: number;
  failed: number;
  timedOut: number;
  errors: number;
  loadErrors: number;
  status: 'passed' | 'failed' | 'errored' | 'empty';
}

/** Counts a report's cases itself: the totals of a report may be missing or wrong. */
export function tallyOf({ cases, fatal }: Pick<Report, 'cases' | 'fatal'>): Tally {
  const count = (of: (status: CaseStatus) => boolean): number =>
    cases.filter(({ status }) => of(status)).length;
  const loadErrors = count((status) => status === 'load_error');
  const run = count((status) => RAN.has(status));
  const passed = count((status) => GOOD.has(status));
  const broken = loadErrors + fatal.length;
  return {
    cases: cases.length - loadErrors,
    run,
    passed,
    failed: count((status) => status === 'failed'),
    timedOut: count((status) => status === 'timeout'),
    errors: count((status) => status === 'error'),
    loadErrors,
    status: passed < run ? 'failed' : broken > 0 ? 'errored' : run === 0 ? 'empty' : 'passed',
  };
}

/** The escape character has become U+FFFD by the time a text is read (visible.ts). */
const COLOURS = /\uFFFD\[[\d;]{0,12}m/g;

/** A message without the colours of a terminal, bounded. */
export const plainMessage = (text: string, most: number): string =>
  text.replace(COLOURS, '').trim().slice(0, most);

/** How runners say that a case took too long; "timeout" alone may as well be what the case is about. */
const TIMED_OUT =
  /\btimed out\b|\btimeout of \d|\btimeout \d[\d.,]{0,12} ?m?s exceeded|\bexceeded timeout\b|\btimeout(?:error|exception)\b/i;
export const isTimeout = (text: string): boolean => TIMED_OUT.test(text.slice(0, LIMITS.cellText));
