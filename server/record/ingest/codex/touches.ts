import { isAbsolute, posix } from 'node:path';
import { visibleText } from '../visible.ts';
import type { Touch } from './patch.ts';
import { at, type Entry } from './rollout-entry.ts';

/** A path below the folder of the session, spelled one way; absolute only where it lies outside. */
export function spelled(cwd: string | null, path: string): string {
  const clean = posix.normalize(path.replaceAll('\\', '/'));
  return cwd !== null && clean.startsWith(`${cwd}/`)
    ? clean.slice(cwd.length + 1)
    : clean.replace(/^\.\//, '');
}

/** Files a call touched, by the paths it gives them. */
export function touched(entry: Entry, call: string, touches: readonly Touch[]): void {
  const { state, session, ms } = entry;
  for (const [index, { path, op, added, removed }] of touches.entries()) {
    if (path === '') continue;
    const raw = visibleText(path);
    const full = isAbsolute(raw) || state.cwd === null ? raw : posix.join(state.cwd, raw);
    entry.add('file_touches', {
      touch_id: `${entry.source.id}.${entry.no}.${index}`,
      tool_call_id: call,
      path: spelled(state.cwd, full),
      raw_path: raw,
      op,
      lines_added: added,
      lines_removed: removed,
      at_ms: ms,
      session_id: session,
      copy_key: `codex:${call}:${spelled(state.cwd, full)}`,
      ...at(entry),
    });
  }
}

/**
 * A session may have worked in a folder below the project's; paths are told from the project's own, as everywhere in the record.
 * Rows of sessions whose folder lies elsewhere keep the paths they have.
 */
export const REBASED = `
 UPDATE file_touches SET path = substr(s.cwd, length(p.root_path) + 2) || '/' || file_touches.path
 FROM (SELECT session_id, any_value(cwd) AS cwd FROM sessions_told WHERE cwd IS NOT NULL GROUP BY session_id) s, projects p
 WHERE file_touches.source_kind = 'codex_rollout' AND s.session_id = file_touches.session_id AND starts_with(s.cwd, p.root_path || '/')
  AND NOT starts_with(file_touches.path, '/') AND NOT starts_with(file_touches.path, '..')
  AND NOT starts_with(file_touches.path, substr(s.cwd, length(p.root_path) + 2) || '/')`;
