import { posix } from 'node:path';
import { listIn, memberOf, objectIn, textIn } from '../json-quiet.ts';
import type { JsonNode } from '../json-tree.ts';
import { at, copyKey, type Entry, shown } from './entry.ts';
import type { Call } from './state.ts';

const PATH = 1_000;

/** A path below the session's folder, spelled one way; absolute only where it lies outside. */
function spelled(folder: string | null, path: string): string {
  const clean = posix.normalize(path.replaceAll('\\', '/'));
  return folder !== null && clean.startsWith(`${folder}/`) ? clean.slice(folder.length + 1) : clean;
}

/** Lines of a text; what ends the last one is no line of its own. */
const linesOf = (text: string): number => (text === '' ? 0 : text.replace(/\n$/, '').split('\n').length);

/** Lines added and removed, from the hunks the tool tells; null where it tells none. */
function changedLines(told: JsonNode | null): { added: number | null; removed: number | null } {
  const hunks = listIn(told, 'structuredPatch');
  if (hunks.length === 0) {
    const content = textIn(told, 'type') === 'create' ? textIn(told, 'content') : null;
    return content === null ? { added: null, removed: null } : { added: linesOf(content), removed: 0 };
  }
  let [added, removed] = [0, 0];
  for (const hunk of hunks)
    for (const line of listIn(hunk, 'lines')) {
      if (line.kind !== 'string') continue;
      if (line.value.startsWith('+')) added += 1;
      else if (line.value.startsWith('-')) removed += 1;
    }
  return { added, removed };
}

/** The file a call that came back well has touched. */
export function touched(entry: Entry, call: Call, told: JsonNode | null, part: number): void {
  if (call.kind !== 'edit' && call.kind !== 'read') return;
  const raw =
    textIn(told, 'filePath') ??
    textIn(objectIn(told, 'file'), 'filePath') ??
    textIn(told, 'notebook_path') ??
    call.path;
  if (raw === null || raw === '' || raw.length > PATH) return;
  const original = memberOf(told, 'originalFile');
  const created = textIn(told, 'type') === 'create' || (call.name === 'Write' && original?.kind === 'null');
  const { added, removed } = call.kind === 'edit' ? changedLines(told) : { added: null, removed: null };
  const path = shown(raw, PATH);
  entry.add('file_touches', {
    touch_id: `${entry.source.id}.${entry.no}.${part}`,
    tool_call_id: call.id,
    path: spelled(entry.state.root, path),
    raw_path: path,
    op: call.kind === 'read' ? 'read' : created ? 'create' : 'edit',
    lines_added: added,
    lines_removed: removed,
    at_ms: entry.ms,
    session_id: entry.session,
    copy_key: copyKey(entry, part) ?? `call:${call.id}`,
    ...at(entry),
  });
}

/** Paths are told from the project's own folder where the session ran on this machine; else from the session's. */
export const REBASED = `
 UPDATE file_touches SET path = substr(raw_path, length(p.root_path) + 2) FROM projects p
 WHERE source_kind IN ('claude_session', 'claude_subagent', 'claude_result') AND starts_with(raw_path, p.root_path || '/')
  AND path <> substr(raw_path, length(p.root_path) + 2)`;
