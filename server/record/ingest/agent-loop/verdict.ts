import type { RowSink } from '../adapter.ts';
import type { Status } from '../facts.ts';
import { DEBUG_CAP, RUN } from './contract.ts';
import type { VerdictData } from './event-data.ts';
import type { Implementation } from './implementation.ts';
import type { Plan } from './plan.ts';
import { addNotVerified, showsCheck } from './requirements.ts';
import { addEvent, addFact, type Place } from './rows.ts';
import type { TestReport } from './test-report.ts';

interface Judged {
  report: { read: TestReport; place: Place };
  plan: Plan | null;
  attempts: number;
}

/** Who a verdict other than PASS falls to, and the evidence for it; without evidence it is nobody's. */
function faultOf({ verdict, output }: TestReport): { attribution: string; basis: string | null } {
  if (verdict?.exact === 'PASS') return { attribution: 'unknown', basis: null };
  if (output.infra !== null && !output.failed)
    return { attribution: 'infra', basis: `the check could not run: ${output.infra.text.slice(0, 200)}` };
  if (verdict === null || verdict.exact === null)
    return {
      attribution: 'verifier',
      basis: "the report has no verdict of PASS or FAIL, which is the verifier's to give",
    };
  if (output.failed !== null && output.failed > 0)
    return {
      attribution: 'agent',
      basis: `the check ran and ${output.failed} of its cases failed (line ${output.line})`,
    };
  return { attribution: 'unknown', basis: null };
}

/**
 * The verifier's last word as a gate event, with what it found and left out. Earlier passes are gone: each writes the report
 * anew.
 * @returns the id of the gate event
 */
export function addVerdict(out: RowSink, { report, plan, attempts }: Judged): string {
  const { read, place } = report;
  const { verdict, output } = read;
  const fault = faultOf(read);
  const id = `${place.featureId ?? RUN}.verdict`;
  const said = verdict?.text ?? '';
  out.add('gate_events', {
    gate_event_id: id,
    run_id: RUN,
    feature_id: place.featureId,
    attempt_n: attempts,
    attempt_cap: 1 + DEBUG_CAP,
    gate: 'verifier',
    verdict: verdict?.exact === 'PASS' ? 'pass' : verdict?.exact === 'FAIL' ? 'block' : 'no_verdict',
    exit_code: output.exitCode,
    cases_run: output.passed === null || output.failed === null ? null : output.passed + output.failed,
    cases_passed: output.passed,
    attribution: fault.attribution,
    attribution_basis: fault.basis,
    reason: read.findings[0]?.text ?? (verdict?.exact ? null : said || 'no verdict'),
    source_id: place.source.id,
    source_kind: place.source.kind,
    source_line: verdict?.line ?? read.line,
    last_line: verdict?.line ?? read.line,
  });
  const data: VerdictData = {
    exact: verdict?.exact ?? null,
    text: said,
    check: plan?.check?.value ?? null,
    checkShown: plan?.check ? showsCheck(read, plan.check.value) : false,
    commands: read.commands.length,
    findings: read.findings.length,
    passed: output.passed,
    failed: output.failed,
    exitCode: output.exitCode,
    evidenceLine: read.evidenceLine,
    outputLine: output.line,
    secondHand: read.secondHand,
  };
  addEvent(out, place, {
    kind: 'verdict',
    message: said === '' ? 'no verdict' : said,
    line: verdict?.line ?? read.line,
    level: verdict?.exact === 'PASS' ? 'info' : 'error',
    data,
  });
  for (const { line, lastLine, text } of read.findings)
    addEvent(out, place, { kind: 'verifier_finding', message: text, line, lastLine, level: 'error' });
  addNotVerified(out, place, read.notVerified);
  return id;
}

interface Ended {
  report: { read: TestReport; place: Place } | null;
  implementation: { read: Implementation; place: Place } | null;
  /** The artifact to cite when neither is there. */
  first: Place;
}

/** How the task stands. Only an exact verdict ends it; what a stop needs a person for is blocked. */
export function addStatus(out: RowSink, { report, implementation, first }: Ended): void {
  const escalated = [report, implementation].find((one) => one?.read.escalation);
  const verdict = report?.read.verdict;
  const tell = (place: Place, text: Status, line: number | null, how: string, measured: boolean): void =>
    addFact(out, place, { fact: 'status', text, basis: measured ? 'measured' : 'derived', how, line });
  if (report && verdict?.exact === 'PASS')
    tell(report.place, 'accepted', verdict.line, 'the verdict is PASS', true);
  else if (escalated?.read.escalation)
    tell(escalated.place, 'blocked', escalated.read.escalation.line, 'escalated to a person', true);
  else if (report && verdict?.exact === 'FAIL')
    tell(report.place, 'failed', verdict.line, 'the verdict is FAIL', true);
  else if (report)
    tell(
      report.place,
      'in_progress',
      verdict?.line ?? report.read.line,
      'the report has no verdict that counts',
      false,
    );
  else if (implementation)
    tell(
      implementation.place,
      'in_progress',
      implementation.read.line,
      'implemented, and not verified yet',
      false,
    );
  else tell(first, 'pending', null, 'nothing is implemented yet', false);
}
