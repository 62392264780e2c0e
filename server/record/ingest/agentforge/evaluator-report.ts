import { LIMITS } from '../../../../shared/limits.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import { Fields, reportDocument } from '../json-fields.ts';
import { type JsonNode, readJson } from '../json-tree.ts';
import { SourceIssues } from '../source-issues.ts';
import { at, attemptOf, type CurrentRun } from './current-run.ts';
import { MAX } from './metrics-attempts.ts';
import { requirementId } from './requirements.ts';
import { SCORE_MAX } from './thresholds.ts';

/**
 * What AgentForge's evaluator writes about one attempt:
 * `{feature_id, gates: {compilation, tests}, scores: {completeness, visual_quality, no_placeholders}, overall, pass,
 * feedback: [{dimension, issue, file, fix}], summary, tokens_evaluator}`; overall is the rounded weighted sum of the scores.
 */
export const WEIGHTS: ReadonlyMap<string, number> = new Map([
  ['completeness', 0.4],
  ['visual_quality', 0.3],
  ['no_placeholders', 0.3],
]);

/** One report, and what must be known of it before reports of one feature can be put in order. */
interface Report {
  source: SourceInput;
  fields: Fields;
  feature: string;
  attempt: number | null;
}

const EVALUATOR = 'evaluator';

/** Reads all reports of a folder. */
export async function readEvaluatorReports(
  sources: readonly SourceInput[],
  run: CurrentRun,
  out: RowSink,
): Promise<void> {
  const byFeature = new Map<string, Report[]>();
  for (const source of sources) {
    for (const report of await reportsOf(source)) {
      const others = byFeature.get(report.feature) ?? [];
      others.push(report);
      byFeature.set(report.feature, others);
    }
  }
  for (const reports of byFeature.values()) {
    // Only where no report says which attempt it is of is their order all there is.
    const told = reports.some(({ attempt }) => attempt !== null);
    const numbered = reports.map((report, i) => ({
      ...report,
      attempt: told ? report.attempt : i + 1,
      told,
    }));
    const last = numbered.reduce((a, b) => ((b.attempt ?? 0) >= (a.attempt ?? 0) ? b : a));
    for (const report of numbered) addReport(report, report === last, run, out);
  }
}

async function reportsOf(source: SourceInput): Promise<Report[]> {
  const text = await source.text();
  if (text === null) return [];
  const document = readJson(text);
  const issues = new SourceIssues(source);
  const nodes: readonly JsonNode[] =
    document.root?.kind === 'array' ? document.root.items : document.root ? [document.root] : [];
  const reports: Report[] = [];
  let bad = 0;
  for (const [i, node] of nodes.slice(0, LIMITS.sourceEntries).entries()) {
    const owner = nodes.length === 1 ? 'the report' : `report ${i + 1}`;
    const fields = node.kind === 'object' && node.complete ? new Fields(node, owner, issues) : null;
    const feature = fields?.id('feature_id') ?? null;
    if (fields && feature !== null) {
      const attempt = fields.number('attempt', 1, MAX.count) ?? attemptOf(source.path);
      reports.push({ source, fields, feature, attempt });
      continue;
    }
    bad += 1;
    if (fields)
      issues.add('missing_field', 'warning', node.line, `${owner} does not say which feature it is about.`);
    else if (node.kind !== 'object')
      issues.add('unknown_shape', 'error', node.line, `${owner} is not an object, so it was not read.`);
  }
  reportDocument(document, 'reports', reports.length, issues);
  source.count(reports.length, bad);
  return reports;
}

/** The issues the evaluator lists, one line each. */
function feedbackOf(fields: Fields, dimension: string | null): string | null {
  const lines = (fields.list('feedback') ?? []).slice(0, LIMITS.passNotes).flatMap((node) => {
    if (node.kind === 'string') return dimension === null ? [node.value] : [];
    if (node.kind !== 'object') return [];
    const one = new Fields(node, fields.owner, fields.issues);
    if (dimension !== null && one.text('dimension') !== dimension) return [];
    const [issue, file, fix] = [one.text('issue'), one.text('file'), one.text('fix')];
    if (issue === null && fix === null) return [];
    return [`${file === null ? '' : `${file}: `}${issue ?? ''}${fix === null ? '' : ` (${fix})`}`.trim()];
  });
  return lines.length === 0 ? null : lines.join('\n').slice(0, LIMITS.sourceText);
}

/** Whether a gate let the attempt through, however it is written; null when that cannot be told. */
function gateOf(fields: Fields, key: string): boolean | null {
  const node = fields.node.members.get(key);
  if (node?.kind === 'boolean') return node.value;
  if (node?.kind !== 'string') return node === undefined || node.kind === 'null' ? null : fields.flag(key);
  if (/^(?:pass(?:ed)?|ok|success)$/i.test(node.value)) return true;
  return /^(?:fail(?:ed|ure)?|error)$/i.test(node.value) ? false : null;
}

function addReport(
  { source, fields, feature, attempt, told }: Report & { told: boolean },
  last: boolean,
  run: CurrentRun,
  out: RowSink,
): void {
  const line = fields.node.line;
  const featureId = run.feature(source, feature, line);
  const id = `${source.id}.${line}.f${feature}.a${attempt ?? 'x'}`;
  const about = { run_id: run.id, feature_id: featureId, attempt_n: attempt };
  const passed = fields.flag('pass');
  const overall = fields.number('overall', 0, SCORE_MAX);
  const time = fields.time('evaluated_at') ?? fields.time('timestamp');
  const atMs = time && time.zone !== null ? time.ms : null;
  const scores = fields.object('scores');
  const scored = scores ? new Fields(scores, `${fields.owner}, scores`, fields.issues) : null;
  const names = new Set([...WEIGHTS.keys(), ...(scores ? scores.members.keys() : [])]);
  for (const dimension of [...names].slice(0, LIMITS.passNotes)) {
    const score = scored?.number(dimension, 0, SCORE_MAX) ?? null;
    out.add('evaluations', {
      evaluation_id: `${id}.${dimension.slice(0, LIMITS.label)}`,
      ...about,
      evaluator: EVALUATOR,
      dimension: dimension.slice(0, LIMITS.label),
      state: score === null ? 'unscored' : 'scored',
      score,
      score_min: 0,
      score_max: SCORE_MAX,
      weight: WEIGHTS.get(dimension) ?? null,
      rationale: feedbackOf(fields, dimension),
      at_ms: atMs,
      ...at(source, scored?.has(dimension) ? scored.line(dimension) : line),
    });
  }
  out.add('evaluations', {
    evaluation_id: `${id}.overall`,
    ...about,
    evaluator: EVALUATOR,
    dimension: 'overall',
    state: overall === null ? 'unscored' : 'scored',
    score: overall,
    score_min: 0,
    score_max: SCORE_MAX,
    passed,
    rationale: fields.text('summary'),
    at_ms: atMs,
    ...at(source, fields.has('overall') ? fields.line('overall') : line),
  });
  addGates(source, fields, id, about, passed, atMs, out);
  const tokens = fields.number('tokens_evaluator', 0, MAX.count);
  if (attempt !== null) {
    out.add('attempts', {
      attempt_id: `${id}.attempt`,
      run_id: run.id,
      feature_id: featureId,
      n: attempt,
      ended_at_ms: atMs,
      score: overall,
      verdict: passed === null ? 'no_verdict' : passed ? 'pass' : 'block',
      passed,
      feedback: feedbackOf(fields, null) ?? fields.text('summary'),
      tokens_evaluator: tokens,
      // A low score does not say whose fault it was.
      attribution: 'unknown',
      link_method: told ? 'explicit' : 'order',
      basis: 'measured',
      ...at(source, line),
    });
  }
  if (featureId !== null && passed !== null)
    out.add('evidence_told', {
      evidence_id: `${id}.evidence`,
      requirement_ref: requirementId(featureId),
      kind: 'evaluation',
      ref_id: `${id}.overall`,
      polarity: passed ? 'supports' : 'refutes',
      link: 'explicit',
      at_ms: atMs,
      says: fields.text('summary'),
      ...at(source, fields.line('pass')),
    });
  if (last && overall !== null)
    out.add('observations_told', {
      observation_id: `${featureId}.score.${source.id}.${line}`,
      run_id: run.id,
      feature_id: featureId,
      fact: 'score',
      value: overall,
      basis: 'measured',
      how: attempt === null ? 'as written' : `attempt ${attempt}`,
      ...at(source, fields.line('overall')),
    });
}

function addGates(
  source: SourceInput,
  fields: Fields,
  id: string,
  about: { run_id: string; feature_id: string | null; attempt_n: number | null },
  passed: boolean | null,
  atMs: number | null,
  out: RowSink,
): void {
  const node = fields.object('gates');
  const gates = node ? new Fields(node, `${fields.owner}, gates`, fields.issues) : null;
  const event = (gate: string, open: boolean | null, line: number, reason: string | null): void =>
    out.add('gate_events', {
      gate_event_id: `${id}.${gate}`,
      ...about,
      gate,
      verdict: open === null ? 'no_verdict' : open ? 'pass' : 'block',
      attribution: 'unknown',
      reason,
      ended_at_ms: atMs,
      ...at(source, line),
    });
  for (const key of [...(node?.members.keys() ?? [])].slice(0, LIMITS.passNotes)) {
    if (gates) event(key.slice(0, LIMITS.label), gateOf(gates, key), gates.line(key), null);
  }
  event(
    EVALUATOR,
    passed,
    fields.has('pass') ? fields.line('pass') : fields.node.line,
    fields.text('summary'),
  );
}
