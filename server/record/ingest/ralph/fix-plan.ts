import { LIMITS } from '../../../../shared/limits.ts';
import type { SourceLine } from '../adapter.ts';
import type { Status } from '../facts.ts';

/** One task of a plan in Markdown. */
export interface PlanTask {
  text: string;
  /** The heading it stands under. */
  section: string | null;
  status: Status;
  mark: string;
  line: number;
}

/** Exactly one character stands in a checkbox: `[2026-01-29]` at the start of an entry is a date, and `[a](b)` a link. */
const BOX = /^\s{0,40}(?:[-*+]|\d{1,4}[.)])\s+\[([ xX~/-])\](?!\()\s+(\S.*)$/;
const HEADING = /^#{1,6}\s+(.{1,200}?)\s*#*$/;
const FENCE = /^\s*(?:```|~~~)/;

const STATES: Readonly<Record<string, Status>> = {
  ' ': 'pending',
  x: 'accepted',
  X: 'accepted',
  '~': 'in_progress',
  '/': 'in_progress',
  '-': 'skipped',
};

/** Tasks of fix_plan.md in order. Lines inside code fences are no tasks. */
export async function* planTasks(lines: AsyncIterable<SourceLine>): AsyncGenerator<PlanTask> {
  let section: string | null = null;
  let fenced = false;
  for await (const line of lines) {
    if (FENCE.test(line.text)) fenced = !fenced;
    if (fenced) continue;
    const box = BOX.exec(line.text);
    const mark = box?.[1];
    const text = box?.[2]?.trim();
    if (mark !== undefined && text !== undefined) {
      yield {
        text: text.slice(0, LIMITS.sourceText),
        section,
        status: STATES[mark] ?? 'pending',
        mark,
        line: line.no,
      };
    } else section = HEADING.exec(line.text)?.[1] ?? section;
  }
}
