import type { RowSink } from '../adapter.ts';
import { RUN } from './contract.ts';
import { bare, type Item } from './markdown.ts';
import type { Plan } from './plan.ts';
import { addEvent, type Place } from './rows.ts';
import type { Task } from './task.ts';
import type { TestReport } from './test-report.ts';

/** One thing that has to be true when the task is done. */
interface Requirement {
  ext: string;
  text: string;
  kind: 'criterion' | 'step' | 'feature';
  ticked: boolean | null;
  line: number | null;
  place: Place;
  /** How a verdict of the verifier reaches it: by running it, by what it covers, or not at all. */
  link: 'explicit' | 'inferred' | 'none';
}

/** `AC-3: …`, `**REQ-12** …`: an id in front of a criterion. */
const NAMED = /^([A-Za-z]{1,10}-\d{1,6})\b[\s:.)–—-]{0,4}(.*)$/;

/** A criterion with its own id, or else one made of the folder and where it stands. */
function criterionOf(item: Item, otherwise: string, place: Place, link: Requirement['link']): Requirement {
  const text = bare(item.text);
  const named = NAMED.exec(text);
  return {
    ext: named?.[1] ?? otherwise,
    text: named?.[2] || text,
    kind: 'criterion',
    ticked: item.ticked,
    line: item.line,
    place,
    link,
  };
}

interface Told {
  folder: string;
  task: { read: Task; place: Place } | null;
  plan: { read: Plan; place: Place } | null;
  report: { read: TestReport; place: Place } | null;
}

/**
 * Requirements of a run and what its verdict proves of them. A PASS certifies what the evidence shows to have been run: the
 * plan's check, or the task itself where no check is named. Steps and criteria follow from it only by inference, and what
 * is to be checked by hand, or stands under "Not verified", does not follow at all.
 */
export function addRequirements(out: RowSink, told: Told, gateId: string | null): void {
  for (const requirement of requirementsOf(told)) {
    const { place, ext } = requirement;
    const id = `${place.featureId ?? RUN}.${ext}`;
    out.add('requirements_told', {
      requirement_id: id,
      run_id: RUN,
      feature_id: place.featureId,
      ext_id: ext,
      text: requirement.text,
      kind: requirement.kind,
      claimed_pass: requirement.ticked,
      rank: 0,
      source_id: place.source.id,
      source_line: requirement.line,
    });
    if (told.report && gateId !== null)
      addEvidence(out, requirement, id, told.report, told.plan?.read ?? null, gateId);
  }
}

function requirementsOf({ folder, task, plan }: Told): Requirement[] {
  const found: Requirement[] = [];
  if (task) {
    for (const [i, item] of task.read.criteria.entries())
      found.push(criterionOf(item, `${folder}.criterion-${i + 1}`, task.place, 'inferred'));
  }
  if (plan) {
    const { place, read } = plan;
    if (read.check)
      found.push({
        ext: `${folder}.check`,
        text: read.check.value,
        kind: 'criterion',
        ticked: null,
        line: read.check.line,
        place,
        link: 'explicit',
      });
    for (const [i, item] of read.manual.entries())
      found.push(criterionOf(item, `${folder}.manual-${i + 1}`, place, 'none'));
    for (const [i, { text, line, ticked }] of read.steps.entries())
      found.push({
        ext: `${folder}.step-${i + 1}`,
        text: bare(text),
        kind: 'step',
        ticked,
        line,
        place,
        // A box that was left empty says that the step was not done.
        link: ticked === false ? 'none' : 'inferred',
      });
  }
  if (task && !plan?.read.check)
    found.push({
      ext: `${folder}.task`,
      text: task.read.text,
      kind: 'feature',
      ticked: null,
      line: task.read.line,
      place: task.place,
      // A plan that should name a check and does not leaves the verifier nothing to run.
      link: plan ? 'inferred' : 'explicit',
    });
  // The same id twice is one requirement; that it is checked by hand, said later, counts.
  return [...new Map(found.map((one) => [one.ext, one])).values()];
}

/** Whether the last run the evidence shows did not succeed. */
const showsFailure = ({ output }: TestReport): boolean =>
  (output.failed ?? 0) > 0 || (output.exitCode ?? 0) !== 0;

/** Whether all lines of a command stand in the evidence. */
export const showsCheck = (report: TestReport, check: string): boolean =>
  check
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .every((line) => report.evidence.some((shown) => shown.includes(line)));

function addEvidence(
  out: RowSink,
  { ext, text, link, kind }: Requirement,
  id: string,
  report: { read: TestReport; place: Place },
  plan: Plan | null,
  gateId: string,
): void {
  const { read, place } = report;
  const verdict = read.verdict?.exact ?? null;
  const ran = plan?.check ? showsCheck(read, plan.check.value) : read.commands.length > 0;
  const left = read.notVerified.some((item) => mentions(item.text, ext, text));
  if (link === 'none' && !left) return;
  // A FAIL says that something is wrong, and not which step or criterion it is.
  if (verdict === 'FAIL' && link !== 'explicit') return;
  const contradicted = verdict === 'PASS' && showsFailure(read);
  const polarity =
    left || verdict === null || !ran || contradicted ? 'void' : verdict === 'PASS' ? 'supports' : 'refutes';
  out.add('evidence_told', {
    evidence_id: `${id}.${place.source.kind}`,
    requirement_ref: id,
    kind: 'gate',
    ref_id: gateId,
    polarity,
    link: link === 'explicit' ? 'explicit' : 'inferred',
    says: left
      ? 'listed as not verified'
      : verdict === null
        ? 'the verdict is neither PASS nor FAIL'
        : !ran
          ? `${verdict}, but the evidence does not show that ${kind === 'feature' ? 'anything' : 'the check'} was run`
          : contradicted
            ? 'PASS, but the evidence shows failures'
            : verdict,
    source_id: place.source.id,
    source_kind: place.source.kind,
    source_line: read.verdict?.line ?? read.line,
  });
}

const key = (text: string): string =>
  bare(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** Whether a point of "Not verified" is about a requirement: it has its id, or begins with its words. */
function mentions(point: string, ext: string, text: string): boolean {
  const [said, id, words] = [` ${key(point)} `, key(ext), key(text)];
  return (id !== '' && said.includes(` ${id} `)) || (words.length >= 12 && said.includes(` ${words} `));
}

/** Points of "Not verified" as events: a PASS does not speak about them. */
export function addNotVerified(out: RowSink, place: Place, items: readonly Item[]): void {
  for (const { line, lastLine, text } of items)
    addEvent(out, place, { kind: 'not_verified', message: text, line, lastLine, level: 'warning' });
}
