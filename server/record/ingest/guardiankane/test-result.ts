import { LIMITS } from '../../../../shared/limits.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import { linesOf } from '../lines.ts';
import { SourceIssues } from '../source-issues.ts';
import { readTime } from '../time.ts';
import { provesNothing } from './evidence-pack.ts';
import { familyRow } from './families.ts';
import { RUN } from './names.ts';
import { testName } from './paths.ts';
import type { RequirementBook } from './requirement-book.ts';
import type { TestDefinition } from './test-definition.ts';

interface Step {
  n: number;
  status: 'passed' | 'failed' | 'skipped';
  durationMs: number | null;
  reason: string | null;
  family: { title: string; name: string; kind: string; confidence: number } | null;
  /** First line of what the step does. */
  does: string | null;
  line: number;
}

const STEP =
  /^## (?:Step (\d{1,5})( — assert)?|Import: (.{1,200}?)) (✓ passed|✗ failed|⏭ skipped)(?: \(([\d.]{1,12})s\))?$/;
const VERDICT = /^(.*?)(?: — )?bug verdict: (.*) \[(\w+)\/(\w+), confidence (\d(?:\.\d+)?)\]$/;
const FRONT = /^(test|status|started|duration_s|session_id): (.{0,400})$/;
const STATUSES = { '✓ passed': 'passed', '✗ failed': 'failed', '⏭ skipped': 'skipped' } as const;
const statusOf = (mark: string | undefined): Step['status'] =>
  mark === '✓ passed' || mark === '⏭ skipped' ? STATUSES[mark] : 'failed';

/**
 * Reads `Result.md`: one execution of one test, step by step, with the verifier's own verdict on a failure. Steps of the definition that
 * verify a criterion tie the result to it.
 */
export async function readResult(
  source: SourceInput,
  definitions: ReadonlyMap<string, TestDefinition>,
  book: RequirementBook,
  out: RowSink,
): Promise<void> {
  const text = await source.text();
  if (text === null) return;
  const front = new Map<string, { value: string; line: number }>();
  const steps: Step[] = [];
  for (const { no, text: line } of linesOf(text, new SourceIssues(source))) {
    const step = STEP.exec(line);
    const last = steps.at(-1);
    if (step) {
      steps.push({
        n: step[1] === undefined ? 0 : Number(step[1]),
        status: statusOf(step[4]),
        durationMs: step[5] === undefined ? null : Number(step[5]) * 1000,
        reason: null,
        family: null,
        does: step[3] === undefined ? null : `Import: ${step[3]}`,
        line: no,
      });
    } else if (line.startsWith('## ')) {
      source.issue('unknown_line', 'warning', no, 'This heading is no step the format has.');
      source.count(0, 1);
    } else if (!last) {
      const field = FRONT.exec(line);
      if (field?.[1] !== undefined && field[2] !== undefined)
        front.set(field[1], { value: field[2].trim(), line: no });
    } else if (line.startsWith('Reason: ')) Object.assign(last, reasonOf(line.slice('Reason: '.length)));
    else if (last.does === null && line !== '' && !line.startsWith('md5: ')) last.does = line;
  }
  source.count(steps.length, 0);
  if (steps.length === 0 && front.size === 0) {
    source.issue(
      'unknown_shape',
      'error',
      null,
      'The file is not a result of a test, so nothing of it was read.',
    );
    source.count(0, 1);
    return;
  }
  rows(source, front, steps, definitions, book, out);
}

function reasonOf(text: string): Pick<Step, 'reason' | 'family'> {
  const match = text.length <= LIMITS.sourceText ? VERDICT.exec(text) : null;
  if (!match) return { reason: text.slice(0, LIMITS.sourceText), family: null };
  return {
    reason: text.slice(0, LIMITS.sourceText),
    family: {
      title: match[2] ?? '',
      name: match[3] ?? '',
      kind: match[4] ?? '',
      confidence: Number(match[5]),
    },
  };
}

function rows(
  source: SourceInput,
  front: ReadonlyMap<string, { value: string; line: number }>,
  steps: readonly Step[],
  definitions: ReadonlyMap<string, TestDefinition>,
  book: RequirementBook,
  out: RowSink,
): void {
  const folder = source.path.split('/').at(-2) ?? '';
  const name = testName(front.get('test')?.value ?? folder);
  const task = book.taskOfTest(name);
  const started = readTime(front.get('started')?.value ?? '');
  if (front.has('started') && started === null) {
    source.issue(
      'time_invalid',
      'warning',
      front.get('started')?.line ?? null,
      'The start of this test is not a time that can be read.',
    );
  }
  const seconds = Number(front.get('duration_s')?.value ?? Number.NaN);
  const durationMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
  const endMs = started === null ? null : started.ms + (durationMs ?? 0);
  const status = front.get('status')?.value ?? null;
  out.add('test_runs', {
    test_run_id: source.id,
    run_id: RUN,
    framework: 'kane',
    started_at_ms: started?.ms ?? null,
    zone: started?.zone ?? null,
    duration_ms: durationMs,
    load_errors: 0,
    cases: steps.length,
    status: steps.length === 0 ? 'empty' : status === 'passed' || status === 'failed' ? status : 'errored',
    source_id: source.id,
    source_line: front.get('status')?.line ?? null,
  });
  const verifying = new Map((definitions.get(name)?.steps ?? []).map((step) => [step.n, step.criteria]));
  for (const [index, step] of steps.entries()) {
    const criteria = step.n === 0 ? [] : (verifying.get(step.n) ?? []);
    out.add('test_results', {
      test_result_id: `${source.id}.${index + 1}`,
      test_run_id: source.id,
      file: name,
      name: (step.n === 0
        ? (step.does ?? 'Import')
        : `Step ${step.n}${step.does === null ? '' : `: ${step.does}`}`
      ).slice(0, LIMITS.cellText),
      status: step.status,
      duration_ms: step.durationMs,
      message: step.reason,
      requirement_refs: criteria.length === 0 ? null : criteria.map((id) => book.rowId(id, task)).join(' '),
      source_id: source.id,
      source_line: step.line,
    });
    const own = step.family !== null && provesNothing(step.family.name, step.family.confidence);
    for (const id of criteria) {
      book.prove({
        id,
        task,
        kind: 'test',
        ref: `${source.id}.${index + 1}`,
        polarity:
          step.status === 'skipped' || (step.status === 'failed' && own)
            ? 'void'
            : step.status === 'passed'
              ? 'supports'
              : 'refutes',
        link: 'tag',
        atMs: endMs,
        says: step.reason ?? `step ${step.n} of ${name}: ${step.status}`,
        source,
        line: step.line,
        key: `${index + 1}`,
      });
    }
    if (step.family) {
      out.add(
        'log_events',
        familyRow(source, {
          key: `${index + 1}`,
          task,
          atMs: endMs,
          zone: started?.zone ?? null,
          title: step.family.title,
          cause: null,
          family: step.family.name,
          confidence: step.family.confidence,
          line: step.line,
        }),
      );
    }
  }
}
