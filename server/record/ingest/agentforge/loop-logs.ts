import { LIMITS } from '../../../../shared/limits.ts';
import type { RowSink, SourceInput, SourceLine } from '../adapter.ts';
import { isInfra } from '../infra.ts';
import { readTime } from '../time.ts';
import { at, attemptOf, type CurrentRun } from './current-run.ts';

/**
 * The logs the harness keeps under `.ralph-logs/`: what the build printed, what the builder printed in one attempt, what the
 * planner wrote, the development server's output, and the change as a patch. They have no form of their own, so only what can be
 * recognised is taken, and the rest of a log is counted as read.
 */
const BUILT = /\bcompiled successfully\b|^\s*✓ compiled|\bbuild (?:succeeded|completed successfully)\b/i;
const BROKEN =
  /\bfailed to compile\b|\berror TS\d{3,5}\b|^\s*type error:|\bbuild failed\b|^npm (?:ERR!|error)|\bELIFECYCLE\b|^\s*⨯ /i;
const SERVER_ERROR =
  /^\s*⨯ |\bunhandled(?: promise)? rejection\b|\b(?:[A-Z]\w{0,30})?Error: |\bEADDRINUSE\b|^\s*(?:GET|POST|PUT|PATCH|DELETE|HEAD) \S{1,300} 5\d\d\b/i;
const NAMED = /\bfeature #(\d{1,9})\b/i;
const TOKENS = /\btokens used:?\s{0,4}([\d,]{1,15})\b/i;
const TOKENS_ALONE = /^\s*tokens used:?\s*$/i;
const STAMP = /^\[(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^\]\s]{0,20})\]/;

/** Errors of one log that are kept; the rest are counted. */
const ERRORS = LIMITS.sourceIssues;

interface Context {
  source: SourceInput;
  run: CurrentRun;
  out: RowSink;
}

const event = (
  { source, run, out }: Context,
  line: SourceLine | { no: number },
  kind: string,
  level: 'info' | 'error',
  message: string,
  data: Record<string, number | string | null> | null = null,
): void =>
  out.add('log_events', {
    event_id: `${source.id}.e${line.no}`,
    run_id: run.id,
    level,
    kind,
    message: message.slice(0, LIMITS.sourceText),
    data: data === null ? null : JSON.stringify(data),
    ...at(source, line.no),
  });

/** Counts what a log has, and says how many errors were not kept. */
function finish({ source }: Context, lines: number, errors: number): void {
  source.count(lines, 0);
  if (errors > ERRORS)
    source.issue(
      'too_many_entries',
      'info',
      null,
      `${errors - ERRORS} more errors of this log were not kept.`,
    );
}

/** `build.log`: one run of the build, with the verdict its last word gives. */
export async function readBuildLog(source: SourceInput, run: CurrentRun, out: RowSink): Promise<void> {
  const context = { source, run, out };
  let verdict: { line: number; passed: boolean } | null = null;
  let reason: string | null = null;
  let infra: { line: number; text: string } | null = null;
  let [lines, errors, last] = [0, 0, 0];
  for await (const line of source.lines()) {
    const text = line.text.slice(0, LIMITS.sourceText);
    lines += 1;
    if (text.trim() !== '') last = line.no;
    if (!infra && isInfra(text)) infra = { line: line.no, text: text.trim() };
    if (BROKEN.test(text)) {
      errors += 1;
      if (errors <= ERRORS) event(context, line, 'build_error', 'error', text.trim());
      reason ??= text.trim();
      if (verdict?.passed !== false) verdict = { line: line.no, passed: false };
    } else if (BUILT.test(text)) {
      // A later build of the same log decides.
      verdict = { line: line.no, passed: true };
      reason = null;
    }
  }
  const failed = infra !== null && verdict?.passed !== true;
  if (lines > 0)
    out.add('gate_events', {
      gate_event_id: `${source.id}.gate`,
      run_id: run.id,
      attempt_n: attemptOf(source.path),
      gate: 'compilation',
      verdict: failed ? 'error' : verdict === null ? 'no_verdict' : verdict.passed ? 'pass' : 'block',
      attribution: failed ? 'infra' : 'unknown',
      attribution_basis: failed ? `The build printed "${infra?.text.slice(0, LIMITS.label)}".` : null,
      reason: failed ? (infra?.text ?? reason) : reason,
      ...at(source, verdict?.line ?? infra?.line ?? 1),
      last_line: last,
    });
  finish(context, lines, errors);
}

/** The number in a text such as `28,468`; null when it is none. */
const numberOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,3}(?:,\d{3}){0,4}$|^\d{1,12}$/.test(text)
    ? Number(text.replaceAll(',', ''))
    : null;

/** `iter-3-attempt-2-codex.log`: what the builder printed in one attempt; evidence that the attempt was made. */
async function readAttemptLog(context: Context): Promise<void> {
  const { source, run, out } = context;
  let feature: { ref: string; line: number } | null = null;
  let tokens: { value: number; line: number } | null = null;
  let [lines, awaited] = [0, false];
  const times: number[] = [];
  for await (const line of source.lines()) {
    const text = line.text.slice(0, LIMITS.sourceText);
    lines += 1;
    const ref: string | undefined = feature === null ? NAMED.exec(text)?.[1] : undefined;
    if (ref !== undefined) feature = { ref, line: line.no };
    const used = numberOf(awaited ? text.trim() : TOKENS.exec(text)?.[1]);
    // The total is printed at the end; what is printed before is of a part.
    if (used !== null) tokens = { value: used, line: line.no };
    awaited = TOKENS_ALONE.test(text);
    const stamp = STAMP.exec(text)?.[1];
    const time = stamp === undefined ? null : readTime(stamp);
    if (time && time.zone !== null) {
      if (times.length < 2) times.push(time.ms);
      else times[1] = time.ms;
    }
  }
  const n = attemptOf(source.path);
  const iteration = /iter(?:ation)?[-_](\d{1,6})/i.exec(source.path)?.[1];
  if (n !== null && lines > 0)
    out.add('attempts', {
      attempt_id: `${source.id}.attempt`,
      run_id: run.id,
      feature_id: run.feature(source, feature?.ref ?? null, feature?.line ?? null),
      n,
      started_at_ms: times[0] ?? null,
      ended_at_ms: times[1] ?? null,
      tokens_coder: tokens?.value ?? null,
      attribution: 'unknown',
      link_method: feature === null ? 'unknown' : 'prompt',
      basis: 'measured',
      ...at(source, tokens?.line ?? feature?.line ?? 1),
    });
  event(context, { no: 1 }, 'attempt_log', 'info', `${source.label}: ${lines} lines of the builder`, {
    iteration: iteration === undefined ? null : Number(iteration),
    attempt: n,
    feature: feature?.ref ?? null,
    lines,
  });
  finish(context, lines, 0);
}

/** `iteration-5-plan.log`: what a planning pass wrote, as one entry. */
async function readPlanLog(context: Context): Promise<void> {
  const kept: string[] = [];
  let [lines, length] = [0, 0];
  for await (const { text } of context.source.lines()) {
    lines += 1;
    if (text.trim() === '' || length >= LIMITS.sourceText) continue;
    kept.push(text.trimEnd());
    length += text.length + 1;
  }
  if (kept.length > 0) event(context, { no: 1 }, 'planning_log', 'info', kept.join('\n'));
  finish(context, lines, 0);
}

/** `dev-server.log`: its errors. */
async function readServerLog(context: Context): Promise<void> {
  let [lines, errors] = [0, 0];
  for await (const line of context.source.lines()) {
    const text = line.text.slice(0, LIMITS.sourceText);
    lines += 1;
    if (!SERVER_ERROR.test(text)) continue;
    errors += 1;
    if (errors <= ERRORS) event(context, line, 'server_error', 'error', text.trim());
  }
  finish(context, lines, errors);
}

interface Touched {
  path: string;
  line: number;
  op: 'create' | 'edit' | 'delete';
  added: number;
  removed: number;
}

/** `diff.txt`: the change of one attempt as a patch; a touch for each path. */
async function readPatch({ source, run, out }: Context): Promise<void> {
  let touched: Touched | null = null;
  let [lines, files, hunk] = [0, 0, false];
  const close = (): void => {
    if (!touched) return;
    files += 1;
    if (files <= LIMITS.sourceEntries)
      out.add('file_touches', {
        touch_id: `${source.id}.t${touched.line}`,
        run_id: run.id,
        path: touched.path,
        raw_path: touched.path,
        op: touched.op,
        lines_added: touched.added,
        lines_removed: touched.removed,
        ...at(source, touched.line),
      });
    touched = null;
  };
  for await (const { text, no } of source.lines()) {
    lines += 1;
    const path = /^diff --git a\/.{1,500} b\/(.{1,500})$/.exec(text)?.[1];
    if (path !== undefined) {
      close();
      touched = { path, line: no, op: 'edit', added: 0, removed: 0 };
      hunk = false;
    } else if (touched && !hunk) {
      if (text.startsWith('new file mode')) touched.op = 'create';
      else if (text.startsWith('deleted file mode')) touched.op = 'delete';
      else if (text.startsWith('@@ ')) hunk = true;
    } else if (touched) {
      if (text.startsWith('+')) touched.added += 1;
      else if (text.startsWith('-')) touched.removed += 1;
    }
  }
  close();
  source.count(lines, 0);
}

/** Reads one of the other logs, by its name. */
export async function readIterationLog(source: SourceInput, run: CurrentRun, out: RowSink): Promise<void> {
  const context = { source, run, out };
  const name = source.path.split('/').at(-1) ?? '';
  if (/attempt/i.test(name)) await readAttemptLog(context);
  else if (/plan/i.test(name)) await readPlanLog(context);
  else if (/diff|\.patch$/i.test(name)) await readPatch(context);
  else await readServerLog(context);
}
