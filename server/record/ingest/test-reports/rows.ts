import { LIMITS } from '../../../../shared/limits.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import { isInfra } from '../infra.ts';
import { type CaseStatus, type Report, type Tally, type TestCase, tallyOf } from './report.ts';

/** What a case proves of a requirement it names. Only a case that ran and whose outcome says so speaks for or against it. */
const POLARITY: Readonly<Record<CaseStatus, { polarity: 'supports' | 'refutes' | 'void'; says: string }>> = {
  passed: { polarity: 'supports', says: 'passed' },
  flaky: { polarity: 'supports', says: 'passed on a retry' },
  failed: { polarity: 'refutes', says: 'failed' },
  error: { polarity: 'void', says: 'ended in an error, which says nothing about the requirement' },
  timeout: { polarity: 'void', says: 'timed out, which says nothing about the requirement' },
  skipped: { polarity: 'void', says: 'was skipped' },
  todo: { polarity: 'void', says: 'is yet to be written' },
  expected_failure: { polarity: 'void', says: 'fails as expected, so nothing is proven' },
  load_error: { polarity: 'void', says: 'could not be loaded' },
};

/** The name of a case with the project it ran in. */
const nameOf = ({ name, project }: TestCase): string =>
  (project === null ? name : `${name} [${project}]`).slice(0, LIMITS.sourceText);

/** Writes a report: its run, its cases, what they prove, and the gate it is. */
export function addReport(out: RowSink, source: Pick<SourceInput, 'id' | 'kind'>, report: Report): void {
  const tally = tallyOf(report);
  const runId = `${source.id}.run`;
  out.add('test_runs', {
    test_run_id: runId,
    framework: report.framework,
    commit_sha: report.commit,
    dirty: report.dirty,
    started_at_ms: report.startedMs,
    zone: report.zone,
    duration_ms: report.durationMs,
    load_errors: tally.loadErrors,
    cases: tally.cases,
    status: tally.status,
    source_id: source.id,
    source_line: report.line,
  });
  for (const [i, one] of report.cases.entries())
    addCase(out, source, report, one, `${source.id}.t${i + 1}`, runId);
  if (tally.run === 0) addVoid(out, source, report, runId, tally);
  addGate(out, source, report, runId, tally);
}

function addCase(
  out: RowSink,
  source: Pick<SourceInput, 'id' | 'kind'>,
  report: Report,
  one: TestCase,
  id: string,
  runId: string,
): void {
  out.add('test_results', {
    test_result_id: id,
    test_run_id: runId,
    file: one.file,
    suite: one.suite,
    name: nameOf(one),
    status: one.status,
    retries: one.retries,
    duration_ms: one.durationMs,
    message: one.message,
    requirement_refs: one.refs.length === 0 ? null : one.refs.map(({ ref }) => ref).join(' '),
    source_id: source.id,
    source_line: one.line,
  });
  const { polarity, says } = POLARITY[one.status];
  for (const { ref, link } of one.refs)
    out.add('evidence_told', {
      evidence_id: `${id}.${ref}`,
      requirement_ref: ref,
      kind: 'test',
      ref_id: id,
      polarity,
      link,
      commit_sha: report.commit,
      at_ms: one.startedMs ?? report.startedMs,
      says: `"${one.name.slice(0, LIMITS.title)}" ${says}`,
      source_id: source.id,
      source_kind: source.kind,
      source_line: one.line,
    });
}

/** A report in which nothing ran is no proof of anything, and said to be none. It names no requirement, so it is its own. */
function addVoid(
  out: RowSink,
  source: Pick<SourceInput, 'id' | 'kind'>,
  report: Report,
  runId: string,
  tally: Tally,
): void {
  out.add('evidence_told', {
    evidence_id: `${runId}.void`,
    requirement_ref: runId,
    kind: 'test',
    ref_id: runId,
    polarity: 'void',
    link: 'inferred',
    commit_sha: report.commit,
    at_ms: report.startedMs,
    says: nothingRan(report, tally),
    source_id: source.id,
    source_kind: source.kind,
    source_line: report.line,
  });
}

function nothingRan({ fatal }: Report, { cases, loadErrors }: Tally): string {
  const [crash] = fatal;
  if (crash) return `no case ran: ${crash.message.split('\n')[0]?.slice(0, LIMITS.cellText / 2) ?? ''}`;
  if (loadErrors > 0)
    return `no case ran: ${loadErrors} ${loadErrors === 1 ? 'file' : 'files'} could not be loaded`;
  return cases === 0 ? 'the report lists no case' : 'every case was skipped';
}

/** Whose doing it was, and the evidence for that. */
function faultOf(report: Report, tally: Tally): { attribution: string; basis: string | null } {
  const unknown = { attribution: 'unknown', basis: null };
  if (tally.status === 'passed') return unknown;
  const bad = report.cases.filter(({ status }) =>
    ['failed', 'error', 'timeout', 'load_error'].includes(status),
  );
  const infra = [...report.fatal, ...bad].find(({ message }) => message !== null && isInfra(message));
  if (tally.failed > 0) {
    const asserted = bad.filter(({ status, message }) => status === 'failed' && !isInfra(message ?? ''));
    const [first] = asserted;
    if (first)
      return {
        attribution: 'agent',
        basis: `${asserted.length} ${asserted.length === 1 ? 'case' : 'cases'} ran and failed, the first "${first.name.slice(0, LIMITS.title)}"`,
      };
  }
  if (infra)
    return { attribution: 'infra', basis: infra.message?.split('\n')[0]?.slice(0, LIMITS.cellText) ?? null };
  if (report.fatal.length > 0 && tally.run === 0)
    return { attribution: 'verifier', basis: `the test run itself crashed: ${nothingRan(report, tally)}` };
  if (tally.status === 'empty') return { attribution: 'verifier', basis: nothingRan(report, tally) };
  return unknown;
}

function verdictOf({ status, failed, errors, timedOut }: Tally): string {
  if (status === 'passed') return 'pass';
  if (status === 'empty') return 'no_verdict';
  if (status === 'errored') return 'error';
  if (failed > 0) return 'block';
  return errors > 0 || timedOut === 0 ? 'error' : 'timeout';
}

function addGate(
  out: RowSink,
  source: Pick<SourceInput, 'id' | 'kind'>,
  report: Report,
  runId: string,
  tally: Tally,
): void {
  const fault = faultOf(report, tally);
  const first = report.cases.find(({ status }) =>
    ['failed', 'error', 'timeout', 'load_error'].includes(status),
  );
  out.add('gate_events', {
    gate_event_id: `${runId}.gate`,
    gate: 'test_report',
    verdict: verdictOf(tally),
    cases_run: tally.run,
    cases_passed: tally.passed,
    attribution: fault.attribution,
    attribution_basis: fault.basis,
    reason:
      report.fatal[0]?.message ??
      (first ? `${nameOf(first)}: ${first.message ?? first.status}`.slice(0, LIMITS.sourceText) : null),
    started_at_ms: report.startedMs,
    ended_at_ms:
      report.startedMs === null || report.durationMs === null
        ? null
        : Math.round(report.startedMs + report.durationMs),
    duration_ms: report.durationMs === null ? null : Math.round(report.durationMs),
    source_id: source.id,
    source_kind: source.kind,
    source_line: report.fatal[0]?.line ?? first?.line ?? report.line,
  });
}
