import { LIMITS } from '../../../../shared/limits.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import { isInfra } from '../infra.ts';
import { at, type CurrentRun } from './current-run.ts';
import { SCORE_MAX } from './thresholds.ts';

/**
 * `feedback.md`, which the harness hands to the builder after an attempt that did not pass:
 * `# Evaluator Feedback — Feature #N, Attempt k` with `## Score: x/10 (need t to pass)`, `## Issues to fix:` and `## Summary:`,
 * or `# Build Failed — …` with what the compiler said. The file is written over each time; one that was appended to is read too.
 */
const EVALUATED = /^# Evaluator Feedback\s{1,4}[—–-]\s{1,4}Feature #(\d{1,9}), Attempt (\d{1,6})\s*$/i;
const BUILD_FAILED = /^# Build Failed(?:\s{1,4}[—–-]\s{1,4}(.{0,200}))?$/i;
const SCORE =
  /^## Score:\s{0,4}(\d{1,3}(?:\.\d{1,6})?)\/10(?:\s{1,4}\(need (\d{1,3}(?:\.\d{1,6})?) to pass\))?\s*$/i;

interface Feedback {
  kind: 'evaluated' | 'build_failed';
  line: number;
  last: number;
  feature: string | null;
  attempt: number | null;
  score: { value: number; line: number } | null;
  threshold: number | null;
  body: string[];
  length: number;
}

/** Reads one feedback file line by line. */
export async function readEvaluatorFeedback(
  source: SourceInput,
  run: CurrentRun,
  out: RowSink,
): Promise<void> {
  let feedback: Feedback | null = null;
  let [ok, bad, stray] = [0, 0, 0];
  const close = (): void => {
    if (feedback) addFeedback(source, feedback, run, out);
    feedback = null;
  };
  for await (const { text, no } of source.lines()) {
    const opened = openOf(text, no);
    if (opened) {
      close();
      if (ok < LIMITS.sourceEntries) {
        ok += 1;
        feedback = opened;
      } else bad += 1;
    } else if (feedback) readLine(feedback, text, no, source);
    else if (text.trim() !== '') stray = stray || no;
  }
  close();
  if (ok === 0) {
    bad += 1;
    const detail = 'The file has no heading of the evaluator, so it was not read.';
    source.issue('unknown_shape', 'warning', stray || null, detail);
  }
  source.count(ok, bad);
}

function openOf(text: string, no: number): Feedback | null {
  const evaluated = EVALUATED.exec(text);
  const failed = evaluated ? null : BUILD_FAILED.exec(text.trimEnd());
  if (!evaluated && !failed) return null;
  const attempt = evaluated?.[2] ?? /\battempt (\d{1,6})\b/i.exec(failed?.[1] ?? '')?.[1];
  return {
    kind: evaluated ? 'evaluated' : 'build_failed',
    line: no,
    last: no,
    feature: evaluated?.[1] ?? /#(\d{1,9})\b/.exec(failed?.[1] ?? '')?.[1] ?? null,
    attempt: attempt === undefined ? null : Number(attempt),
    score: null,
    threshold: null,
    body: [],
    length: 0,
  };
}

function readLine(feedback: Feedback, text: string, no: number, source: SourceInput): void {
  const score = feedback.kind === 'evaluated' ? SCORE.exec(text) : null;
  if (score) {
    const value = Number(score[1]);
    if (value <= SCORE_MAX) feedback.score = { value, line: no };
    else
      source.issue('out_of_range', 'warning', no, `the score ${score[1]} is above 10, so it was not read.`);
    feedback.threshold = score[2] === undefined ? null : Number(score[2]);
    return;
  }
  if (text.trim() === '') return;
  feedback.last = no;
  if (feedback.length >= LIMITS.sourceText) return;
  const kept = text.trimEnd().slice(0, LIMITS.sourceText - feedback.length);
  feedback.body.push(kept);
  feedback.length += kept.length + 1;
}

function addFeedback(source: SourceInput, told: Feedback, run: CurrentRun, out: RowSink): void {
  const feature = run.feature(source, told.feature, told.line);
  const id = `${source.id}.${told.line}`;
  const about = { run_id: run.id, feature_id: feature, attempt_n: told.attempt };
  const text = told.body.join('\n') || null;
  const failed = told.kind === 'build_failed';
  const value = told.score?.value ?? null;
  const passed = failed ? false : value === null || told.threshold === null ? null : value >= told.threshold;
  const infra = failed && text !== null && isInfra(text);
  const fault = infra
    ? { attribution: 'infra', attribution_basis: 'What the build printed shows that the machine failed.' }
    : { attribution: 'unknown', attribution_basis: null };
  const verdict = infra ? 'error' : passed === null ? 'no_verdict' : passed ? 'pass' : 'block';
  out.add('gate_events', {
    gate_event_id: `${id}.gate`,
    ...about,
    gate: failed ? 'compilation' : 'evaluator',
    verdict,
    ...fault,
    reason: text,
    ...at(source, told.line),
    last_line: told.last,
  });
  if (!failed)
    out.add('evaluations', {
      evaluation_id: `${id}.overall`,
      ...about,
      evaluator: 'evaluator',
      dimension: 'overall',
      state: value === null ? 'unscored' : 'scored',
      score: value,
      score_min: 0,
      score_max: SCORE_MAX,
      threshold: told.threshold,
      passed,
      rationale: text,
      ...at(source, told.score?.line ?? told.line),
    });
  if (told.attempt !== null && feature !== null)
    out.add('attempts', {
      attempt_id: `${id}.attempt`,
      run_id: run.id,
      feature_id: feature,
      n: told.attempt,
      score: value,
      verdict,
      passed,
      feedback: text,
      ...fault,
      link_method: 'explicit',
      basis: 'measured',
      ...at(source, told.line),
    });
}
