import { findTypedFigures, type TypedFigure } from '../figures.ts';
import { clip } from '../placeholders.ts';
import { figureText } from '../resolve/format.ts';
import { judge, type Known, replacedBy, unsupported } from './typed.ts';

/**
 * Numbers a model typed where a page has plain text only: titles, labels, buttons, questions to ask next. They are judged as
 * in prose; what nothing supports is marked in words, because plain text carries no other mark.
 */

export interface CheckedLabel {
  text: string;
  /** Typed numbers looked at. */
  typed: number;
  /** In words. */
  corrections: string[];
  unverified: string[];
}

export interface Asked {
  /** Numbers of the question: what repeats the question as a question claims nothing. */
  question: readonly TypedFigure[];
  /** How many entries the card shows ("the 10 slowest"), or null; `any` where the text asks for as many as it likes. */
  shown: number | 'any' | null;
}

const UNVERIFIED = ' (unverified)';

/** "top 10", "first three": how many are to be seen, not how many there are. */
const AMOUNT_BEFORE = /(?<!\p{L})(?:top|bottom|first|last|show|list|compare)\s(?:me\s)?(?:the\s)?$/iu;
/** "the 10 slowest". */
const AMOUNT_AFTER = /^\s(?:\p{L}{2,20}est|most|least|best|worst)(?!\p{L})/iu;

const isAmount = (text: string, { start, end }: TypedFigure): boolean =>
  AMOUNT_BEFORE.test(text.slice(Math.max(0, start - 24), start)) ||
  AMOUNT_AFTER.test(text.slice(end, end + 24));

const sameValue = (one: TypedFigure, others: readonly TypedFigure[]): boolean =>
  one.value !== null && others.some(({ value }) => value === one.value);

/** Whether a number in a plain text claims nothing that a fact would have to bear out. */
function isAsked(text: string, figure: TypedFigure, { question, shown }: Asked): boolean {
  const repeated = sameValue(figure, question);
  if (repeated && /\?\s*$/.test(text)) return true;
  return isAmount(text, figure) && (repeated || shown === 'any' || figure.value === shown);
}

/**
 * Decides every number in a plain text: replaced where it stands for one fact, marked in words where nothing supports it.
 * @param length characters the text may have
 */
export function checkLabel(text: string, length: number, known: Known, asked: Asked): CheckedLabel {
  const result: CheckedLabel = { text, typed: 0, corrections: [], unverified: [] };
  const figures = findTypedFigures(text, known.names);
  result.typed = figures.length;
  for (const figure of figures.toReversed()) {
    if (isAsked(text, figure, asked)) continue;
    const verdict = judge(figure, text.slice(0, figure.start), known);
    if (verdict.kind === 'supported') continue;
    const typed = text.slice(figure.start, figure.unitEnd);
    const head = result.text.slice(0, figure.start);
    const tail = result.text.slice(figure.unitEnd);
    if (verdict.kind === 'replaced') {
      result.text = head + figureText(verdict.figure) + tail;
      result.corrections.unshift(replacedBy(typed));
      continue;
    }
    const marked = head + typed + UNVERIFIED + tail;
    // Where there is no room for the mark, the number goes: it must not stand there unmarked.
    result.text = marked.length <= length ? marked : `${head}…${UNVERIFIED}${tail}`;
    result.unverified.unshift(unsupported(typed));
  }
  result.text = clip(result.text, length);
  return result;
}

/**
 * Decides a button or a question to ask next. It is there to be pressed: one with a number nothing supports is left out.
 * @returns the text as it may be asked, or null, and what was done in words
 */
export function checkRequest(
  text: string,
  length: number,
  known: Known,
  question: readonly TypedFigure[],
): Omit<CheckedLabel, 'text'> & { text: string | null } {
  const checked = checkLabel(text, length, known, { question, shown: 'any' });
  return checked.unverified.length > 0 ? { ...checked, text: null } : checked;
}
