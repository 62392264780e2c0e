import { LIMITS } from '../../../../shared/limits.ts';
import { type CaseStatus, isTimeout, plainMessage, type TestCase } from './report.ts';
import {
  annotatedRefs,
  isRequirementName,
  type RequirementRef,
  taggedRefs,
  titleRefs,
  uniqueRefs,
} from './requirement-refs.ts';

interface Outcome {
  /** Name of the element, in small letters. */
  kind: string;
  message: string;
  type: string;
  text: string;
  line: number;
}

/** A `<testcase>` with what stands in it. */
export interface OpenCase {
  name: string;
  classname: string | null;
  file: string | null;
  suite: string | null;
  durationMs: number | null;
  line: number;
  outcomes: Outcome[];
  properties: { name: string; value: string }[];
  refs: RequirementRef[];
}

/** How runners write a file that could not be loaded as if it were a case. */
const NOT_LOADED = /^(?:test suite failed to run|collection failure|collection error)/i;

/** One `<testcase>` as a case. */
export function junitCase(open: OpenCase): TestCase {
  const find = (...kinds: string[]): Outcome | undefined =>
    open.outcomes.find(({ kind }) => kinds.includes(kind));
  const bad = find('failure', 'error');
  const again = open.outcomes.filter(({ kind }) => kind.startsWith('rerun') || kind.startsWith('flaky'));
  const said = bad ?? find('skipped') ?? again[0];
  const message = said ? plainMessage(said.message || said.text, LIMITS.sourceText) : '';
  return {
    file: open.file ?? fileLike(open.classname) ?? fileLike(open.suite),
    suite: open.classname ?? open.suite,
    name: open.name,
    project: null,
    status: statusOf(open, bad, find('skipped'), again.length),
    retries: again.length > 0 ? again.length : null,
    durationMs: open.durationMs,
    startedMs: null,
    message: message === '' ? null : message,
    refs: refsOf(open),
    line: open.line,
  };
}

/** A class name that is the path of a file. */
const fileLike = (text: string | null): string | null =>
  text !== null && /\.\w{1,6}$/.test(text) && /[/\\]|\.(?:[cm]?[jt]sx?|py|rb|php)$/.test(text) ? text : null;

function statusOf(
  open: OpenCase,
  bad: Outcome | undefined,
  skipped: Outcome | undefined,
  reruns: number,
): CaseStatus {
  if (bad) {
    const words = `${bad.message || bad.text.slice(0, LIMITS.cellText)} ${bad.type}`;
    // vitest names the file itself as the case; others say so in words.
    const whole = open.name !== '' && open.name === open.classname && open.name === open.suite;
    if (whole || NOT_LOADED.test(open.name) || NOT_LOADED.test(words.trim())) return 'load_error';
    // Runners write a timeout as an error or a failure of the case; only its words tell.
    if (isTimeout(words)) return 'timeout';
    return bad.kind === 'error' ? 'error' : 'failed';
  }
  if (skipped) {
    if (/xfail/i.test(skipped.type)) return 'expected_failure';
    return /^todo\b/i.test(skipped.message || skipped.type) ? 'todo' : 'skipped';
  }
  // Playwright marks a test that is meant to fail by a property of that name.
  if (open.properties.some(({ name }) => name === 'fail')) return 'expected_failure';
  return reruns > 0 ? 'flaky' : 'passed';
}

const refsOf = ({ name, properties, refs }: OpenCase): RequirementRef[] =>
  uniqueRefs([
    ...refs,
    ...properties.flatMap((property) =>
      isRequirementName(property.name) ? annotatedRefs(property.value) : [],
    ),
    ...taggedRefs(
      properties.flatMap((property) =>
        /^tags?$/i.test(property.name) ? property.value.split(/[,;\s]+/) : [],
      ),
    ),
    ...titleRefs(name),
  ]);
