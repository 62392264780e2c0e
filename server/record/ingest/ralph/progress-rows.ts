import type { RowSink, SourceInput } from '../adapter.ts';
import { type NotesHead, type Section, type SectionEnd, sectionsOf } from './notes.ts';
import { at, event, featureId, observe, told } from './rows.ts';

/** Verdict of an attempt by how its section says it ended. */
const VERDICTS: Readonly<Record<SectionEnd, string>> = {
  done: 'pass',
  no_signal: 'no_verdict',
  error: 'error',
  timeout: 'timeout',
  blocked: 'block',
};

export interface Notes {
  head: NotesHead;
  /** How often the loop turned, by the notes. */
  turns: number;
}

interface Counts {
  turns: number;
  /** Turns that say how they ended, and those of them that did not come to an end of their own. */
  ended: number;
  without: number;
  /** Attempts so far, by story. */
  attempts: Map<string, { n: number; line: number }>;
}

function addAttempts(
  source: SourceInput,
  section: Section,
  runId: string,
  out: RowSink,
  counts: Counts,
): void {
  const features = section.refs.length === 0 ? [null] : section.refs;
  for (const ref of features) {
    let n = section.n ?? counts.turns;
    if (ref !== null) {
      n = (counts.attempts.get(ref)?.n ?? 0) + 1;
      counts.attempts.set(ref, { n, line: section.line });
    }
    out.add('attempts', {
      attempt_id: `${source.id}.a${section.line}${ref === null ? '' : `.${ref}`}`,
      run_id: runId,
      feature_id: ref === null ? null : featureId(runId, ref),
      n,
      // The heading is written when the turn is over.
      ended_at_ms: section.time?.ms ?? null,
      verdict: section.end === null ? null : VERDICTS[section.end],
      passed: section.end === 'done' ? true : null,
      feedback: section.status,
      attribution: 'unknown',
      link_method: ref === null ? null : 'explicit',
      basis: 'claimed',
      ...told(source, section.line),
    });
  }
}

function addFiles(source: SourceInput, section: Section, runId: string, out: RowSink): void {
  const [only, second] = section.refs;
  for (const [i, { path, line }] of section.files.entries()) {
    out.add('file_touches', {
      touch_id: `${source.id}.t${line}.${i}`,
      run_id: runId,
      feature_id: only !== undefined && second === undefined ? featureId(runId, only) : null,
      path,
      raw_path: path,
      op: 'listed',
      at_ms: section.time?.ms ?? null,
      ...told(source, line),
    });
  }
}

/**
 * Adds the rows of a progress.txt: an event a section, an attempt a story (or turn) it names, the files it lists. All of it is
 * the agent's or its script's own word. Stories no ledger lists exist by these notes alone.
 */
export async function addProgress(
  source: SourceInput,
  runId: string,
  known: ReadonlySet<string>,
  out: RowSink,
): Promise<Notes> {
  const head: NotesHead = { started: null };
  const counts: Counts = { turns: 0, ended: 0, without: 0, attempts: new Map() };
  let noted = 0;
  const timeless = { zone: 0, day: 0 };
  for await (const section of sectionsOf(source.lines(), head)) {
    const turn = section.kind === 'iteration';
    noted += 1;
    if (turn) {
      counts.turns += 1;
      if (section.end !== null) counts.ended += 1;
      if (section.end !== null && section.end !== 'done') counts.without += 1;
      addAttempts(source, section, runId, out, counts);
      addFiles(source, section, runId, out);
      if (section.time !== null && section.time.zone === null) timeless.zone += 1;
      if (section.dateOnly) timeless.day += 1;
    }
    const [only, second] = section.refs;
    event(out, source, section.line, {
      run_id: runId,
      feature_id: only !== undefined && second === undefined ? featureId(runId, only) : null,
      time: section.time,
      level: section.end === 'error' || section.end === 'timeout' ? 'warning' : 'info',
      kind: section.kind,
      message: section.status === null ? section.heading : `${section.heading}: ${section.status}`,
      data: section.body === '' ? null : JSON.stringify({ text: section.body }),
      last_line: section.lastLine,
    });
    if (noted % 500 === 0) await out.flush();
  }
  report(source, head, timeless);
  source.count(noted, 0);
  addCounts(source, runId, known, out, counts);
  return { head, turns: counts.turns };
}

function report(source: SourceInput, head: NotesHead, timeless: { zone: number; day: number }): void {
  if (timeless.zone > 0) {
    source.issue(
      'time_without_zone',
      'warning',
      null,
      `${timeless.zone} sections give a time without a zone; these times were read as UTC.`,
    );
  }
  if (timeless.day > 0) {
    source.issue(
      'time_without_zone',
      'info',
      null,
      `${timeless.day} sections give a day and no time of day, so they have no time here.`,
    );
  }
  if (head.started?.zone === null) {
    source.issue(
      'time_without_zone',
      'warning',
      head.started.line,
      'The start has no time zone, so it was not used.',
    );
  }
}

function addCounts(
  source: SourceInput,
  runId: string,
  known: ReadonlySet<string>,
  out: RowSink,
  counts: Counts,
): void {
  for (const [ref, { n, line }] of counts.attempts) {
    const feature = featureId(runId, ref);
    if (!known.has(ref)) {
      out.add('features_told', {
        feature_id: feature,
        run_id: runId,
        ext_id: ref,
        rank: 5,
        ...at(source, line),
      });
    }
    observe(
      out,
      { source, runId, feature, line },
      'attempts',
      n,
      'claimed',
      n === 1 ? 'one section names it' : `${n} sections name it`,
    );
  }
  if (counts.turns === 0) return;
  const about = { source, runId, feature: null, line: null };
  observe(out, about, 'iterations', counts.turns, 'claimed', 'counted sections');
  if (counts.ended > 0)
    observe(
      out,
      about,
      'iterations_without_progress',
      counts.without,
      'claimed',
      'counted sections that do not end as done',
    );
}
