import type { Basis } from '../../../../shared/cards.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import {
  type Entry,
  emptyReading,
  type Reading,
  type Status,
  type ToldEvent,
  told,
  toldStatus,
} from '../facts.ts';
import { Issues } from '../issue.ts';
import { Fields, type FieldTime, reportDocument } from '../json-fields.ts';
import { restText } from '../json-plain.ts';
import { readJson } from '../json-tree.ts';
import { usualZone } from '../time.ts';
import { reportZones } from '../zones.ts';
import { attemptsOf, MAX, sumText, total } from './metrics-attempts.ts';
import { SCORE_MAX } from './thresholds.ts';

/**
 * `metrics.json` of AgentForge, as its harness writes it:
 * `{project, started_at, features: [{id, description, category, status, attempts: [{iteration, score, feedback, tokens_coder,
 * tokens_evaluator, duration_sec}], final_score, started_at, completed_at, lines_added, commit_sha}], totals: {tokens_coder,
 * tokens_evaluator, cost_usd, elapsed_sec}}`. Also read: the shape a builder once left in its place
 * (`totals.features_completed, …, meta.project`), and an empty list of features.
 */

/** States as written, in the words of the record. */
const STATUSES: Readonly<Record<string, Status>> = {
  passed: 'accepted',
  accepted: 'accepted',
  skipped: 'skipped',
  failed: 'skipped',
  pending: 'pending',
  in_progress: 'pending',
  todo: 'pending',
};

/**
 * The harness stamps in UTC. An entry stamped with another offset was written by someone else afterwards, so it is a claim;
 * one without a stamp shows no sign of the harness either.
 */
const basisOf = (time: FieldTime | null): Basis => (time?.zone === '+00:00' ? 'measured' : 'claimed');

function statusOf(fields: Fields): Status | null {
  const text = fields.text('status');
  if (text === null) return null;
  const status = Object.hasOwn(STATUSES, text) ? STATUSES[text] : undefined;
  if (status !== undefined) return status;
  fields.issues.add(
    'unknown_status',
    'warning',
    fields.line('status'),
    `${fields.owner}: the status "${text.slice(0, LIMITS.label)}" is not one of this harness, so it was not read.`,
  );
  return null;
}

function entryOf(fields: Fields): { entry: Entry; zones: (string | null)[] } | null {
  const id = fields.id('id');
  if (id === null) {
    fields.issues.add(
      'missing_field',
      'warning',
      fields.node.line,
      `${fields.owner} has no id, so it was not read.`,
    );
    return null;
  }
  const named = new Fields(fields.node, `feature ${id}`, fields.issues);
  const completed = named.time('completed_at');
  const started = named.time('started_at');
  const basis = basisOf(completed ?? started);
  const category = named.text('category');
  const attempts = attemptsOf(named, category, basis);
  const entry: Entry = {
    feature: id,
    atMs: [completed, started].find((time) => time && time.zone !== null)?.ms ?? null,
    line: fields.node.line,
    description: named.text('description'),
    category,
    facts: [],
    attempts: attempts ?? [],
  };
  if (attempts) {
    const line = named.line('attempts');
    entry.facts.push(told('attempts', attempts.length, basis, line, 'as listed'));
    const seconds = total(attempts, (attempt) => attempt.durationS);
    if (seconds !== null) {
      entry.facts.push(told('build_time', seconds, basis, line, sumText(attempts.map((a) => a.durationS))));
    }
    const coder = total(attempts, (attempt) => attempt.tokensCoder);
    const evaluator = total(attempts, (attempt) => attempt.tokensEvaluator);
    if (coder !== null && evaluator !== null) {
      entry.facts.push(
        told('tokens', coder + evaluator, basis, line, `coder ${coder} + evaluator ${evaluator}`),
      );
    }
  }
  const score = named.number('final_score', 0, SCORE_MAX);
  if (score !== null) entry.facts.push(told('score', score, basis, named.line('final_score')));
  const lines = named.number('lines_added', 0, MAX.lines);
  if (lines !== null) entry.facts.push(told('lines_added', lines, basis, named.line('lines_added')));
  const status = statusOf(named);
  if (status !== null) entry.facts.push(toldStatus(status, basis, named.line('status')));
  if (started && started.zone !== null) entry.facts.push(told('started_at', started.ms, basis, started.line));
  if (completed && completed.zone !== null)
    entry.facts.push(told('completed_at', completed.ms, basis, completed.line));
  return { entry, zones: [started?.zone ?? null, completed?.zone ?? null] };
}

/** The run as a whole, from `totals`. Both shapes name tokens and cost; only the harness's own has the elapsed time. */
function runEntry(totals: Fields, basis: Basis): Entry | null {
  const facts: Entry['facts'] = [];
  const one = (...keys: string[]): { value: number; line: number } | null => {
    for (const key of keys) {
      const value = totals.number(key, 0, MAX.count);
      if (value !== null) return { value, line: totals.line(key) };
    }
    return null;
  };
  const coder = one('tokens_coder', 'total_tokens_coder');
  const evaluator = one('tokens_evaluator', 'total_tokens_evaluator');
  if (coder && evaluator) {
    const how = `coder ${coder.value} + evaluator ${evaluator.value}`;
    facts.push(told('tokens', coder.value + evaluator.value, basis, coder.line, how));
  }
  // Each total by itself too: it can be set against the sum of the file's own attempts.
  if (coder) facts.push(told('tokens_coder', coder.value, basis, coder.line));
  if (evaluator) facts.push(told('tokens_evaluator', evaluator.value, basis, evaluator.line));
  const cost = totals.number('cost_usd', 0, MAX.usd);
  if (cost !== null) facts.push(told('cost_usd', cost, basis, totals.line('cost_usd')));
  const elapsed = totals.number('elapsed_sec', 0, MAX.seconds);
  if (elapsed !== null) facts.push(told('elapsed', elapsed, basis, totals.line('elapsed_sec')));
  const iterations = totals.number('total_iterations', 0, MAX.count);
  if (iterations !== null) facts.push(told('iterations', iterations, basis, totals.line('total_iterations')));
  if (facts.length === 0) return null;
  return {
    feature: null,
    atMs: null,
    line: totals.node.line,
    description: null,
    category: null,
    facts,
    attempts: [],
  };
}

/** Members of an object that nothing else was taken from, as one event; null when there are none. */
function otherFields(fields: Fields, taken: readonly string[]): ToldEvent | null {
  const data = restText(fields.node, taken);
  if (data === null) return null;
  const names = [...fields.node.members.keys()].filter((key) => !taken.includes(key));
  return {
    atMs: null,
    zone: null,
    kind: 'other_fields',
    feature: null,
    message: `${fields.owner} also has ${names.join(', ')}`.slice(0, LIMITS.cellText),
    data,
    line: fields.node.line,
    lastLine: fields.node.line,
  };
}

/** Members of the document and its parts that have their own place in the record. */
const TAKEN = {
  file: ['project', 'started_at', 'features', 'totals', 'meta'],
  totals: [
    'tokens_coder',
    'tokens_evaluator',
    'total_tokens_coder',
    'total_tokens_evaluator',
    'total_iterations',
    'cost_usd',
    'elapsed_sec',
  ],
  meta: ['project'],
} as const;

/**
 * Reads `metrics.json`. A document that breaks off still gives every feature that is complete before the break.
 * @param text the decoded file
 */
export function readMetrics(text: string): Reading {
  const issues = new Issues();
  const reading = emptyReading();
  const document = readJson(text);
  const root = document.root;
  if (root?.kind !== 'object') {
    issues.add(
      'unknown_shape',
      'error',
      root?.line ?? null,
      'The file is not an object with a list of features.',
    );
    reportDocument(document, 'features', 0, issues);
    return { ...reading, bad: 1, issues: issues.list() };
  }
  const fields = new Fields(root, 'the file', issues);
  const zones: (string | null)[] = [];
  const started = fields.time('started_at');
  if (started) {
    zones.push(started.zone);
    reading.markers.push({
      kind: 'title',
      atMs: started.zone === null ? null : started.ms,
      zone: started.zone,
      name: null,
      line: started.line,
    });
  }
  const list = fields.list('features');
  for (const [i, node] of (list ?? []).slice(0, LIMITS.sourceEntries).entries()) {
    if (node.kind !== 'object') {
      issues.add('wrong_type', 'warning', node.line, `Entry ${i + 1} is not an object, so it was not read.`);
      reading.bad += 1;
      continue;
    }
    // The entry the file breaks off in: what it would have said is not known.
    if (!node.complete) {
      reading.bad += 1;
      continue;
    }
    const read = entryOf(new Fields(node, `entry ${i + 1}`, issues));
    if (read) {
      reading.entries.push(read.entry);
      zones.push(...read.zones);
      reading.ok += 1;
    } else reading.bad += 1;
  }
  const totals = fields.object('totals');
  const meta = fields.object('meta');
  reading.project =
    fields.text('project') ?? (meta ? new Fields(meta, 'meta', issues).text('project') : null);
  if (totals?.complete) {
    const harness =
      reading.entries.length > 0 &&
      reading.entries.every((entry) => entry.facts.every((f) => f.basis === 'measured'));
    const run = runEntry(new Fields(totals, 'totals', issues), harness ? 'measured' : 'claimed');
    if (run) reading.entries.push(run);
  }
  for (const [part, node] of [
    ['file', root],
    ['totals', totals],
    ['meta', meta],
  ] as const) {
    const owner = part === 'file' ? 'the file' : part;
    const event = node?.complete ? otherFields(new Fields(node, owner, issues), TAKEN[part]) : null;
    if (event) reading.events.push(event);
  }
  if (totals?.members.has('features_completed') || meta) {
    issues.add(
      'builder_shape',
      'warning',
      (totals ?? meta)?.line ?? null,
      'This is not the shape the harness writes; a builder has put its own in its place.',
    );
  }
  if (list === null && document.broken === null) {
    issues.add('missing_field', 'error', root.line, 'The file has no list of features.');
  } else if (list?.length === 0 && document.broken === null) {
    issues.add('no_features', 'warning', fields.line('features'), 'The list of features is empty.');
  }
  if ((list?.length ?? 0) > LIMITS.sourceEntries) {
    issues.add(
      'too_many_entries',
      'warning',
      fields.line('features'),
      `Only the first ${LIMITS.sourceEntries} of ${list?.length} features were read.`,
    );
  }
  reportDocument(document, 'features', reading.ok, issues);
  reportZones(zones, issues);
  reading.zone = usualZone(zones);
  return { ...reading, issues: issues.list() };
}
