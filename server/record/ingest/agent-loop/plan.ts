import { LIMITS } from '../../../../shared/limits.ts';
import {
  type Artifact,
  bare,
  fencesOf,
  filled,
  type Item,
  itemsOf,
  sectionOf,
  type TextLine,
  textOf,
} from './markdown.ts';
import type { Said } from './task.ts';

/** `plan.md`: what is to be done, where, and the command that passes only when it is done. */
export interface Plan {
  decisions: Item[];
  steps: Item[];
  files: FileWord[];
  /** The named runnable check: lines of a command; null when there is none. */
  check: Said<string> | null;
  /** Line of the section the check should stand in; null when not even that is there. */
  checkLine: number | null;
  /** What stands where the command should, when it is none. */
  instead: string | null;
  manual: Item[];
}

/** A path an artifact names, and what it says about it. */
export interface FileWord {
  path: string;
  raw: string;
  line: number;
}

/** A path as the first thing of a point: in backticks, or up to a space or colon; it has a folder or an ending. */
const TICKED = /^`([^`]{1,300})`/;
const FIRST = /^([^\s:`]{1,300})/;
const PATH = /^[\w@.][\w@.+~/ ()[\]-]*$/;

/** Paths the points of a section begin with. */
export function filesOf(items: readonly Item[]): FileWord[] {
  return items.flatMap(({ text, line }) => {
    const raw = (TICKED.exec(text)?.[1] ?? FIRST.exec(text)?.[1] ?? '').replace(/[,;]$/, '');
    const path = raw.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
    return PATH.test(path) && /\/|\.\w{1,8}$/.test(path) ? [{ path, raw, line }] : [];
  });
}

/** A place holder of the template is no command. */
const PLACE_HOLDER = /^<[^<>]{0,80}>$/;
const MANUAL = /^\W{0,4}manual checks?\b\W{0,4}(.*)$/i;

export function readPlan(artifact: Artifact): Plan {
  const lines = (name: string) => sectionOf(artifact, name)?.lines ?? [];
  const section = sectionOf(artifact, 'Runnable check');
  return {
    decisions: itemsOf(lines('Decisions & rationale')),
    steps: itemsOf(lines('Steps')),
    files: filesOf(itemsOf(lines('Files to change'))),
    checkLine: section?.line ?? null,
    ...(section ? checkOf(section.lines) : { check: null, instead: null, manual: [] }),
  };
}

/** The check in a fenced block, or as a line of nothing but code; and the manual checks named beside it. */
function checkOf(lines: readonly TextLine[]): Pick<Plan, 'check' | 'instead' | 'manual'> {
  const at = lines.findIndex(({ text, fence }) => fence === null && MANUAL.test(text));
  const before =
    at === -1 ? lines : [...lines.slice(0, at), ...lines.slice(at).filter(({ fence }) => fence !== null)];
  const manual = at === -1 ? [] : manualOf(lines.slice(at).filter(({ fence }) => fence === null));
  for (const { line, lines: own } of fencesOf(before)) {
    const command = own
      .map((text) => text.trim().replace(/^\$\s+/, ''))
      .filter((text) => text !== '' && !text.startsWith('#'));
    if (command.length > 0 && !command.every((text) => PLACE_HOLDER.test(text)))
      return {
        check: { value: command.join('\n').slice(0, LIMITS.sourceText), line: line + 1 },
        instead: null,
        manual,
      };
  }
  const code = before.find(
    ({ text, fence }) => fence === null && /^\W{0,3}`[^`]{2,1000}`\.?$/.test(text.trim()),
  );
  if (code) {
    const command = bare(code.text.trim().replace(/^\W{0,3}(?=`)/, '')).replace(/\.$/, '');
    if (!PLACE_HOLDER.test(command))
      return { check: { value: command, line: code.no }, instead: null, manual };
  }
  return { check: null, instead: filled(before) ? textOf(before) : null, manual };
}

/** `Manual checks: open it in Excel.`, or a list below that line. */
function manualOf(lines: readonly TextLine[]): Item[] {
  const first = lines[0];
  const inline = first ? (MANUAL.exec(first.text)?.[1] ?? '').replace(/^[*_:\s]+/, '').trim() : '';
  const listed = itemsOf(lines.slice(1));
  if (!first || inline === '') return listed;
  return [{ line: first.no, lastLine: first.no, text: inline, ticked: null }, ...listed];
}
