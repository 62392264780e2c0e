import { LIMITS } from '../../../../shared/limits.ts';
import type { Adapter, RowSink, SourceInput, UnitInput } from '../adapter.ts';
import { Fields, reportDocument } from '../json-fields.ts';
import { readJson } from '../json-tree.ts';
import { SourceIssues } from '../source-issues.ts';
import { titleOf } from '../title.ts';
import { visibleText } from '../visible.ts';
import { addProgress } from './progress-rows.ts';
import { at, cut, featureId, listedId, observe } from './rows.ts';

const RUN = 'quickstart';
/** A list of objects that have steps or pass, and no id: what AgentForge's list always has. */
const isList = (head: string): boolean =>
  /^\s*\[\s*\{/.test(head) && /"(?:steps|passes)"\s*:/.test(head) && !/"id"\s*:/.test(head);
const isAgentForge = (head: string): boolean => /^=== (?:Feature #\d|PLANNING PASS)/m.test(head);

/** Adds one entry; false when it cannot be read. */
function addEntry(source: SourceInput, fields: Fields, index: number, out: RowSink): boolean {
  const { line } = fields.node;
  const description = fields.text('description');
  if (description === null || description.trim() === '') {
    fields.issues.add(
      'missing_field',
      'warning',
      line,
      `entry ${index + 1} has no description, so it was not read.`,
    );
    return false;
  }
  const extId = listedId(index, description);
  const feature = featureId(RUN, extId);
  const passes = fields.flag('passes');
  out.add('features_told', {
    feature_id: feature,
    run_id: RUN,
    ext_id: extId,
    ord: index + 1,
    title: titleOf(description),
    description,
    category: fields.text('category'),
    rank: 0,
    ...at(source, line),
  });
  if (passes === null)
    fields.issues.add('missing_field', 'warning', line, `entry ${index + 1} does not say whether it passes.`);
  else {
    const about = { source, runId: RUN, feature, line: fields.line('passes') };
    observe(out, about, 'status', passes ? 'accepted' : 'pending', 'claimed', `passes: ${passes}`);
  }
  for (const [i, step] of (fields.list('steps') ?? []).slice(0, LIMITS.storyCriteria).entries()) {
    if (step.kind !== 'string') {
      fields.issues.add(
        'wrong_type',
        'warning',
        step.line,
        `entry ${index + 1}: step ${i + 1} is not text, so it was not read.`,
      );
      continue;
    }
    out.add('requirements_told', {
      requirement_id: `${feature}.r${i + 1}`,
      run_id: RUN,
      feature_id: feature,
      ext_id: `${extId}.${i + 1}`,
      text: cut(visibleText(step.value)),
      kind: 'step',
      claimed_pass: passes,
      rank: 0,
      ...at(source, step.line),
    });
  }
  return true;
}

async function addList(source: SourceInput, out: RowSink): Promise<void> {
  const text = await source.text();
  if (text === null) return;
  const issues = new SourceIssues(source);
  const document = readJson(text);
  const list = document.root?.kind === 'array' ? document.root.items : [];
  let [ok, bad] = [0, 0];
  for (const [index, node] of list.slice(0, LIMITS.sourceEntries).entries()) {
    if (node.kind !== 'object')
      issues.add('wrong_type', 'warning', node.line, `Entry ${index + 1} is no object, so it was not read.`);
    const fields =
      node.kind === 'object' && node.complete ? new Fields(node, `entry ${index + 1}`, issues) : null;
    if (fields !== null && addEntry(source, fields, index, out)) ok += 1;
    else bad += 1;
  }
  if (list.length > LIMITS.sourceEntries) {
    issues.add(
      'too_many_entries',
      'warning',
      null,
      `${list.length - LIMITS.sourceEntries} more entries were not read.`,
    );
  }
  reportDocument(document, 'features', ok, issues);
  source.count(ok, bad);
  out.add('runs_told', {
    run_id: RUN,
    harness: 'quickstart',
    name: 'feature list',
    rank: 0,
    ...at(source, null),
  });
}

async function read(unit: UnitInput, out: RowSink): Promise<void> {
  for (const list of unit.of('quickstart_list')) await addList(list, out);
  for (const notes of unit.of('progress_notes')) await addProgress(notes, RUN, new Set(), out);
}

/**
 * The feature list of Anthropic's quickstart for long-running agents: an array of `{category, description, steps, passes}`
 * without ids. Its progress file is free text.
 */
export const quickstart: Adapter = {
  id: 'ralph/feature-list',
  version: 1,
  label: 'Feature list without ids',
  needs: ['quickstart_list'],
  sources: [
    { kind: 'quickstart_list', paths: ['feature_list.json', 'prd.json'], single: true, sniff: isList },
    { kind: 'progress_notes', paths: ['claude-progress.txt'], sniff: (head) => !isAgentForge(head) },
  ],
  unit: 'together',
  read,
};
