import { LIMITS } from '../../../../shared/limits.ts';
import type { JsonObject } from '../json-fields.ts';
import { memberOf, textIn } from '../json-quiet.ts';

/** A file that a patch touches, with its path as the patch writes it. */
export interface Touch {
  path: string;
  op: 'create' | 'edit' | 'delete' | 'rename';
  added: number | null;
  removed: number | null;
}

/** The lines a diff adds and takes away; the lines that name its files are none of them. */
function sizes(diff: string): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const line of diff.split('\n')) {
    if (line.startsWith('+') && !line.startsWith('+++ ')) added += 1;
    else if (line.startsWith('-') && !line.startsWith('--- ')) removed += 1;
  }
  return { added, removed };
}

const HEAD = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;

/** The lines of a text; that it ends with a line break does not make one more. */
const linesIn = (text: string): number =>
  text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

/** Files of a patch in the text form of `apply_patch`, at most LIMITS.commitPaths of them. */
export function touchesOfText(patch: string): Touch[] {
  const touches: Touch[] = [];
  let current: Touch | null = null;
  for (const line of patch.split('\n')) {
    const head = HEAD.exec(line.trimEnd());
    if (head) {
      if (touches.length >= LIMITS.commitPaths) break;
      const op = head[1] === 'Add' ? 'create' : head[1] === 'Delete' ? 'delete' : 'edit';
      current = {
        path: head[2] ?? '',
        op,
        added: op === 'delete' ? null : 0,
        removed: op === 'edit' ? 0 : op === 'create' ? 0 : null,
      };
      touches.push(current);
      continue;
    }
    const moved = MOVE.exec(line.trimEnd())?.[1];
    if (current === null) continue;
    if (moved !== undefined) {
      current.op = 'rename';
      current.path = moved;
    } else if (line.startsWith('*** ')) current = null;
    else if (line.startsWith('+') && current.added !== null) current.added += 1;
    else if (line.startsWith('-') && current.removed !== null) current.removed += 1;
  }
  return touches;
}

/** Files of a patch as an event lists them: by path, with what was done to each. */
export function touchesOfChanges(changes: JsonObject | null): Touch[] {
  const touches: Touch[] = [];
  for (const [path, change] of changes?.members ?? []) {
    if (touches.length >= LIMITS.commitPaths) break;
    if (change.kind !== 'object') continue;
    // Either the kind is the one member's name, or it stands in `type`.
    const [named] = change.members;
    const type = textIn(change, 'type') ?? named?.[0] ?? '';
    const body = textIn(change, 'type') === null ? (named?.[1] ?? null) : change;
    const content = textIn(body, 'content');
    if (type === 'add')
      touches.push({ path, op: 'create', added: content === null ? null : linesIn(content), removed: 0 });
    else if (type === 'delete')
      touches.push({ path, op: 'delete', added: 0, removed: content === null ? null : linesIn(content) });
    else if (type === 'update') {
      const diff = textIn(body, 'unified_diff');
      const size = diff === null ? { added: null, removed: null } : sizes(diff);
      const moved = memberOf(body, 'move_path');
      touches.push(
        moved?.kind === 'string' && moved.value !== ''
          ? { path: moved.value, op: 'rename', ...size }
          : { path, op: 'edit', ...size },
      );
    }
  }
  return touches;
}

/** The patch a command applies: `apply_patch` alone, or a shell that is given it as a document. */
export function patchIn(command: string): string | null {
  if (!command.includes('apply_patch')) return null;
  const from = command.indexOf('*** Begin Patch');
  return from === -1 ? null : command.slice(from);
}
