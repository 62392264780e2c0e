import { LIMITS } from '../../../../shared/limits.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import { readTime } from '../time.ts';
import { type ArtifactName, RUN } from './contract.ts';
import type { ArtifactData, CheckData, IterationData } from './event-data.ts';
import { type Implementation, readImplementation } from './implementation.ts';
import { type Artifact, filled, readArtifact, type Section } from './markdown.ts';
import { type FileWord, type Plan, readPlan } from './plan.ts';
import { addRequirements } from './requirements.ts';
import { addEvent, addFact, addRun, type Place } from './rows.ts';
import { readTask, type Task } from './task.ts';
import { readTestReport } from './test-report.ts';
import { addStatus, addVerdict } from './verdict.ts';

const featureId = (folder: string): string => `${RUN}.f${folder}`;

interface Read {
  name: ArtifactName;
  artifact: Artifact;
  place: Place;
  source: SourceInput;
}

/**
 * The rows of one run folder.
 * @param folder its name, which holds the only date there is: the artifacts have no times, and none are made up
 */
export async function readRun(
  folder: string,
  sources: readonly (readonly [ArtifactName, SourceInput])[],
  out: RowSink,
): Promise<void> {
  const read: Read[] = [];
  for (const [name, source] of sources) {
    const artifact = await readArtifact(source);
    source.count(artifact.lines, 0);
    read.push({ name, artifact, source, place: { source, featureId: featureId(folder) } });
  }
  const first = read[0];
  if (!first) return;
  for (const one of read) {
    addRun(out, one.source);
    addArtifact(out, one);
  }
  const of = <T>(
    name: ArtifactName,
    parse: (artifact: Artifact, source: SourceInput) => T,
  ): { read: T; place: Place } | null => {
    const one = read.find((each) => each.name === name);
    return one ? { read: parse(one.artifact, one.source), place: one.place } : null;
  };
  const task = of('task.md', readTask);
  const plan = of('plan.md', readPlan);
  const implementation = of('implementation.md', readImplementation);
  const report = of('test-report.md', readTestReport);

  addFeature(out, folder, task, first);
  addDate(out, folder, first);
  if (task) addTask(out, task);
  if (plan) addPlan(out, plan);
  const attempts = implementation ? 1 + implementation.read.iterations.length : 1;
  const gateId = report ? addVerdict(out, { report, plan: plan?.read ?? null, attempts }) : null;
  if (implementation) addImplementation(out, implementation, report?.read.verdict?.exact ?? null);
  for (const one of [report, implementation])
    if (one?.read.escalation) addEscalation(out, one.place, one.read.escalation);
  addStatus(out, { report, implementation, first: first.place });
  addRequirements(out, { folder, task, plan, report }, gateId);
}

/** An artifact that is there, with its sections: what is missing follows from the contract. */
export function addArtifact(
  out: RowSink,
  { name, artifact, place }: { name: string; artifact: Artifact; place: Place },
): void {
  const sections = artifact.sections.slice(0, LIMITS.sourceIssues).map(({ heading, key, line, lines }) => ({
    name: heading.slice(0, LIMITS.label),
    key: key.slice(0, LIMITS.label),
    line,
    filled: filled(lines),
  }));
  const data: ArtifactData = { artifact: name, sections };
  const n = artifact.sections.length;
  addEvent(out, place, {
    kind: 'artifact',
    message: `${name} with ${n} ${n === 1 ? 'section' : 'sections'}`,
    line: artifact.titleLine ?? artifact.sections[0]?.line ?? 1,
    data,
  });
}

function addFeature(out: RowSink, folder: string, task: { read: Task } | null, first: Read): void {
  const { read } = task ?? {};
  out.add('features_told', {
    feature_id: featureId(folder),
    run_id: RUN,
    ext_id: folder,
    // The words of the folder name where the task says none.
    title: read?.title ?? (folder.replace(/^\d{4}-\d\d-\d\d-?/, '').replaceAll('-', ' ') || folder),
    description: read && read.text !== '' ? read.text : null,
    category: read?.tier ? `tier ${read.tier.value}` : null,
    rank: 0,
    source_id: first.source.id,
    source_line: read?.line ?? 1,
  });
}

/** The date in the folder's name; a day has no time of day, so it stays text. */
function addDate(out: RowSink, folder: string, { place, source }: Read): void {
  const date = /^(\d{4}-\d\d-\d\d)(?:-|$)/.exec(folder)?.[1];
  if (date !== undefined && readTime(`${date}T00:00Z`) !== null)
    addFact(out, place, {
      fact: 'run_date',
      text: date,
      basis: 'measured',
      how: 'from the name of the folder',
      line: null,
    });
  else
    source.issue(
      'time_invalid',
      'warning',
      null,
      `The folder ${folder.slice(0, LIMITS.label)} does not begin with a date, so nothing says when this was run.`,
    );
}

function addTask(out: RowSink, { read, place }: { read: Task; place: Place }): void {
  const { tier, mode, reasoning } = read;
  if (tier)
    addFact(out, place, {
      fact: 'tier',
      text: tier.value,
      basis: 'claimed',
      how: 'as written',
      line: tier.line,
    });
  if (mode)
    addFact(out, place, {
      fact: 'mode',
      text: mode.value,
      basis: 'claimed',
      how: 'as written',
      line: mode.line,
    });
  if (reasoning) addEvent(out, place, { kind: 'reasoning', message: reasoning.value, line: reasoning.line });
  const missing = [...(tier ? [] : ['tier (S, M or L)']), ...(mode ? [] : ['mode (A or B)'])];
  if (missing.length > 0)
    place.source.issue('missing_field', 'warning', null, `task.md says no ${missing.join(' and no ')}.`);
}

function addPlan(out: RowSink, { read, place }: { read: Plan; place: Place }): void {
  for (const { line, lastLine, text } of read.decisions)
    addEvent(out, place, { kind: 'decision', message: text, line, lastLine });
  addFiles(out, place, read.files, 'listed');
  const data: CheckData = { command: read.check?.value ?? null, instead: read.instead };
  addEvent(out, place, {
    kind: 'runnable_check',
    message: read.check?.value ?? read.instead ?? 'no command',
    line: read.check?.line ?? read.checkLine,
    level: read.check ? 'info' : 'error',
    data,
  });
}

function addFiles(
  out: RowSink,
  { source, featureId: feature }: Place,
  files: readonly FileWord[],
  op: 'listed' | 'touch',
): void {
  for (const { path, raw, line } of files)
    out.add('file_touches', {
      touch_id: `${source.id}.touch.${line}`,
      run_id: RUN,
      feature_id: feature,
      path,
      raw_path: raw,
      op,
      source_id: source.id,
      source_kind: source.kind,
      source_line: line,
    });
}

/**
 * Attempts: the first, and one more for each debug iteration. Only the last one's verdict is known. What the debugger
 * found to be the cause is said of the attempt before it: that is the one which did not hold.
 */
function addImplementation(
  out: RowSink,
  { read, place }: { read: Implementation; place: Place },
  verdict: 'PASS' | 'FAIL' | null,
): void {
  const { source } = place;
  const n = read.iterations.length;
  for (let i = 0; i <= n; i += 1) {
    const own = read.iterations[i - 1];
    const next = read.iterations[i];
    const said = i === n ? verdict : null;
    out.add('attempts', {
      attempt_id: `${place.featureId ?? RUN}.a${i + 1}.${source.kind}`,
      run_id: RUN,
      feature_id: place.featureId,
      n: i + 1,
      verdict: said === 'PASS' ? 'pass' : said === 'FAIL' ? 'block' : null,
      passed: said === null ? null : said === 'PASS',
      feedback: next?.rootCause ?? null,
      attribution: 'unknown',
      link_method: 'explicit',
      basis: 'claimed',
      source_id: source.id,
      source_kind: source.kind,
      source_line: own?.line ?? read.line,
    });
  }
  const how = n === 0 ? 'no debug iteration' : `1 + ${n} debug ${n === 1 ? 'iteration' : 'iterations'}`;
  addFact(out, place, {
    fact: 'attempts',
    value: 1 + n,
    basis: 'claimed',
    how,
    line: read.iterations.at(-1)?.line ?? read.line,
  });
  if (read.files.length > 0)
    addFact(out, place, {
      fact: 'files_changed',
      value: new Set(read.files.map(({ path }) => path)).size,
      basis: 'claimed',
      how: 'as listed',
      line: read.line,
    });
  addFiles(out, place, read.files, 'touch');
  for (const { line, lastLine, text } of read.deviations)
    addEvent(out, place, { kind: 'deviation', message: text, line, lastLine, level: 'warning' });
  for (const { n: at, line, lastLine, rootCause, fix, evidence } of read.iterations) {
    const data: IterationData = { n: at, rootCause, fix, evidence };
    addEvent(out, place, {
      kind: 'debug_iteration',
      message: `Debug iteration ${at}: ${rootCause ?? 'no root cause is named'}`,
      line,
      lastLine,
      level: 'warning',
      data,
    });
  }
}

function addEscalation(out: RowSink, place: Place, { line, lines }: Section): void {
  const words = lines.map(({ text }) => text.trim()).filter((text) => text !== '');
  addEvent(out, place, {
    kind: 'escalation',
    message: words.length === 0 ? 'Escalated to a person' : words.join(' ').slice(0, LIMITS.sourceText),
    line,
    level: 'error',
  });
}
