import { LIMITS } from '../../../../shared/limits.ts';
import { type Entry, emptyReading, type Reading, type Status, toldStatus } from '../facts.ts';
import { Issues } from '../issue.ts';
import { Fields, reportDocument } from '../json-fields.ts';
import { readJson } from '../json-tree.ts';

/** How a feature of the plan stands: skipped wins over passes, and one that neither passes nor was skipped is pending. */
function statusOf(fields: Fields): { status: Status; line: number } | null {
  if (fields.flag('skipped') === true) return { status: 'skipped', line: fields.line('skipped') };
  const passes = fields.flag('passes');
  if (passes === null) return null;
  return { status: passes ? 'accepted' : 'pending', line: fields.line('passes') };
}

/**
 * Reads `feature_list.json` of AgentForge, the plan: `[{id, category, description, verify, passes, skipped?}]`.
 * The builder may write `passes` itself, so its states are claims.
 * @param text the decoded file
 */
export function readFeatureList(text: string): Reading {
  const issues = new Issues();
  const reading = emptyReading();
  const document = readJson(text);
  const root = document.root;
  const list =
    root?.kind === 'array'
      ? root.items
      : root?.kind === 'object'
        ? new Fields(root, 'the file', issues).list('features')
        : null;
  if (list === null) {
    issues.add('unknown_shape', 'error', root?.line ?? null, 'The file is not a list of features.');
    reportDocument(document, 'features', 0, issues);
    return { ...reading, bad: 1, issues: issues.list() };
  }
  for (const [i, node] of list.slice(0, LIMITS.sourceEntries).entries()) {
    const owner = `entry ${i + 1}`;
    if (node.kind !== 'object' || !node.complete) {
      reading.bad += 1;
      if (node.kind !== 'object') {
        issues.add('wrong_type', 'warning', node.line, `${owner} is not an object, so it was not read.`);
      }
      continue;
    }
    const id = new Fields(node, owner, issues).id('id');
    if (id === null) {
      reading.bad += 1;
      issues.add('missing_field', 'warning', node.line, `${owner} has no id, so it was not read.`);
      continue;
    }
    const fields = new Fields(node, `feature ${id}`, issues);
    const verify = fields.text('verify')?.trim() || null;
    const entry: Entry = {
      feature: id,
      atMs: null,
      line: node.line,
      description: fields.text('description'),
      category: fields.text('category'),
      facts: [],
      attempts: [],
      verify: verify === null ? null : { text: verify, line: fields.line('verify') },
    };
    const state = statusOf(fields);
    if (state) entry.facts.push(toldStatus(state.status, 'claimed', state.line));
    else issues.add('missing_field', 'warning', node.line, `feature ${id} does not say whether it passes.`);
    reading.entries.push(entry);
    reading.ok += 1;
  }
  if (list.length === 0 && document.broken === null) {
    issues.add('no_features', 'warning', root?.line ?? null, 'The list of features is empty.');
  }
  if (list.length > LIMITS.sourceEntries) {
    issues.add(
      'too_many_entries',
      'warning',
      null,
      `Only the first ${LIMITS.sourceEntries} of ${list.length} features were read.`,
    );
  }
  reportDocument(document, 'features', reading.ok, issues);
  return { ...reading, issues: issues.list() };
}
