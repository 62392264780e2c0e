import { LIMITS } from '../../../../shared/limits.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import { Fields, idOf, reportDocument } from '../json-fields.ts';
import { type JsonDocument, readJson } from '../json-tree.ts';
import { SourceIssues } from '../source-issues.ts';
import { visibleText } from '../visible.ts';
import { at, cut, event, featureId, observe } from './rows.ts';

/** Head of a prd.json: what the run is about. */
export interface LedgerHead {
  project: string | null;
  branch: string | null;
  branchLine: number | null;
}

/** A prd.json as read: its head, and its document for the stories. */
export interface Ledger {
  head: LedgerHead;
  document: JsonDocument;
  fields: Fields | null;
}

/** Reads prd.json: `{project, branchName, description, userStories: [...]}`. Null when it cannot be read. */
export async function readLedger(source: SourceInput): Promise<Ledger | null> {
  const text = await source.text();
  if (text === null) return null;
  const document = readJson(text);
  const fields =
    document.root?.kind === 'object' ? new Fields(document.root, 'the file', new SourceIssues(source)) : null;
  const branch = fields?.text('branchName') ?? null;
  return {
    document,
    fields,
    head: {
      project: fields?.text('project') ?? null,
      branch,
      branchLine: branch === null ? null : (fields?.line('branchName') ?? null),
    },
  };
}

/** External ids of a list of names, as the `depends_on` column holds them. */
export const dependsOn = (fields: Fields, key: string): string | null =>
  fields
    .list(key)
    ?.map(idOf)
    .filter((id) => id !== null)
    .join(' ') || null;

/** Adds one story: the feature, its state, its criteria. */
function addStory(
  source: SourceInput,
  fields: Fields,
  id: string,
  index: number,
  runId: string,
  out: RowSink,
): void {
  const feature = featureId(runId, id);
  const { line } = fields.node;
  const priority = fields.number('priority', 0, LIMITS.sourceEntries);
  const passes = fields.flag('passes');
  out.add('features_told', {
    feature_id: feature,
    run_id: runId,
    ext_id: id,
    ord: priority ?? index + 1,
    title: fields.text('title'),
    description: fields.text('description'),
    depends_on: dependsOn(fields, 'dependsOn') ?? dependsOn(fields, 'dependencies'),
    rank: 0,
    ...at(source, line),
  });
  if (passes === null) {
    fields.issues.add('missing_field', 'warning', line, `story ${id} does not say whether it passes.`);
  } else {
    const about = { source, runId, feature, line: fields.line('passes') };
    observe(out, about, 'status', passes ? 'accepted' : 'pending', 'claimed', `passes: ${passes}`);
  }
  for (const [i, node] of (fields.list('acceptanceCriteria') ?? [])
    .slice(0, LIMITS.storyCriteria)
    .entries()) {
    if (node.kind !== 'string') {
      fields.issues.add(
        'wrong_type',
        'warning',
        node.line,
        `story ${id}: criterion ${i + 1} is not text, so it was not read.`,
      );
      continue;
    }
    out.add('requirements_told', {
      requirement_id: `${feature}.r${i + 1}`,
      run_id: runId,
      feature_id: feature,
      ext_id: `${id}.${i + 1}`,
      text: cut(visibleText(node.value)),
      kind: 'criterion',
      claimed_pass: passes,
      rank: 0,
      ...at(source, node.line),
    });
  }
  const notes = fields.text('notes')?.trim() ?? '';
  if (notes !== '') {
    event(out, source, fields.line('notes'), {
      run_id: runId,
      feature_id: feature,
      kind: 'story_note',
      message: notes,
    });
  }
}

/**
 * Adds the stories of a ledger. `passes` is written by the agent itself, so it is a claim.
 * @returns ids of the stories that were read
 */
export function addStories(source: SourceInput, ledger: Ledger, runId: string, out: RowSink): Set<string> {
  const issues = new SourceIssues(source);
  const ids = new Set<string>();
  const list = ledger.fields?.list('userStories') ?? null;
  let bad = 0;
  if (list === null) {
    bad += 1;
    issues.add(
      'unknown_shape',
      'error',
      ledger.document.root?.line ?? null,
      'The file has no list of stories.',
    );
  }
  for (const [index, node] of (list ?? []).slice(0, LIMITS.sourceEntries).entries()) {
    const fields =
      node.kind === 'object' && node.complete ? new Fields(node, `story ${index + 1}`, issues) : null;
    const id = fields?.id('id') ?? null;
    if (fields === null || id === null || ids.has(id)) {
      bad += 1;
      if (id !== null)
        issues.add('duplicate_id', 'warning', node.line, `The story ${id} stands twice; the first was read.`);
      else if (node.kind !== 'object')
        issues.add(
          'wrong_type',
          'warning',
          node.line,
          `Story ${index + 1} is no object, so it was not read.`,
        );
      else if (node.complete)
        issues.add(
          'missing_field',
          'warning',
          node.line,
          `Story ${index + 1} has no id, so it was not read.`,
        );
      continue;
    }
    ids.add(id);
    addStory(source, fields, id, index, runId, out);
  }
  const more = (list?.length ?? 0) - LIMITS.sourceEntries;
  if (more > 0) issues.add('too_many_entries', 'warning', null, `${more} more stories were not read.`);
  if (list?.length === 0)
    issues.add('no_features', 'warning', ledger.document.root?.line ?? null, 'The list of stories is empty.');
  reportDocument(ledger.document, 'features', ids.size, issues);
  source.count(ids.size, bad);
  return ids;
}
