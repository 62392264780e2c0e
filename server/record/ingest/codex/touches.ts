import { isAbsolute, posix } from 'node:path';
import { visibleText } from '../visible.ts';
import type { Touch } from './patch.ts';
import { at, type Entry } from './rollout-entry.ts';

/** A path without detours; from the folder of the session on where it is not absolute. */
export function fullPath(cwd: string | null, path: string): string {
  const clean = posix.normalize(path.replaceAll('\\', '/'));
  return cwd === null || isAbsolute(clean) ? clean : posix.join(cwd, clean);
}

/** Files a call touched, by the paths it gives them. */
export function touched(entry: Entry, call: string, touches: readonly Touch[]): void {
  const { state, session, ms } = entry;
  for (const [index, { path, op, added, removed }] of touches.entries()) {
    if (path === '') continue;
    const raw = visibleText(path);
    const full = fullPath(state.cwd, raw);
    entry.add('file_touches', {
      touch_id: `${entry.source.id}.${entry.no}.${index}`,
      tool_call_id: call,
      path: full,
      raw_path: raw,
      op,
      lines_added: added,
      lines_removed: removed,
      at_ms: ms,
      session_id: session,
      copy_key: `codex:${call}:${full}`,
      ...at(entry),
    });
  }
}

/**
 * Paths are told from the project's folder on, as everywhere in the record; those of a session that worked elsewhere (on another
 * machine, for one) from its own folder on. What lies outside stays absolute.
 */
export const REBASED: readonly string[] = [
  `UPDATE file_touches SET path = substr(path, length(p.root_path) + 2) FROM projects p
   WHERE source_kind IN ('codex_rollout', 'codex_exec') AND starts_with(path, p.root_path || '/')`,
  `UPDATE file_touches SET path = substr(path, length(s.cwd) + 2)
   FROM (SELECT session_id, any_value(cwd) AS cwd FROM sessions_told WHERE cwd IS NOT NULL GROUP BY session_id) s
   WHERE source_kind = 'codex_rollout' AND s.session_id = file_touches.session_id AND starts_with(path, s.cwd || '/')`,
];
