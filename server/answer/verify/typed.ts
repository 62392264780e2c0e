import type { Figure, Inline, Unit } from '../../../shared/cards.ts';
import { findTypedFigures, plainDigits } from '../figures.ts';

/**
 * Numbers a model typed itself. Each is read together with the unit that stands in it or after it, and set against the
 * facts of the answer: supported, replaced by the one fact it must mean, or left marked as unverified. Only a fact about
 * the plan's own subject can be meant: one about the whole run is no measure of it.
 */

export interface TypedNumber {
  value: number;
  /** Half of the last digit written: what rounding may have taken away. */
  tolerance: number;
  /** Null when no unit stands there. */
  unit: Unit | null;
  /** How many characters of the text after it belong to the unit. */
  eaten: number;
}

/** The text after a number that can hold its unit. */
const REACH = 24;

/**
 * Reads a typed number.
 * @param text what was marked as typed ("415 s", "9/10", "three")
 * @param after the text that follows it on the page
 */
export function readTyped(text: string, after: string): TypedNumber | null {
  const trimmed = plainDigits(text.trim());
  const [alone] = findTypedFigures(trimmed);
  const [inPlace] = findTypedFigures(`${trimmed}${after.slice(0, REACH)}`);
  const read = inPlace?.start === 0 ? inPlace : alone;
  if (read === undefined || read.start !== 0) return null;
  const digits = /\d[\d,\u202f]*(?:\.(\d+))?/.exec(trimmed);
  const plain = digits === null ? (alone?.value ?? read.value) : Number(digits[0].replace(/[,\u202f]/g, ''));
  // "7 minutes" is 420 s: what is left of a minute after rounding is half a minute.
  const factor = plain === 0 ? 1 : Math.abs(read.value / plain);
  const outside = read.unit !== null && alone?.unit !== read.unit;
  return {
    value: read.value,
    tolerance: 0.5 * 10 ** -(digits?.[1]?.length ?? 0) * factor,
    unit: read.unit,
    eaten: outside ? (/^[\s-]{0,2}\p{L}+/u.exec(after)?.[0].length ?? 0) : 0,
  };
}

/** A number counts as said by a figure when rounding alone lies between them, and the units do not differ. */
export function says(typed: TypedNumber, figure: Figure): boolean {
  if (figure.value === null) return false;
  if (typed.unit !== null && typed.unit !== figure.unit) return false;
  return Math.abs(typed.value - figure.value) <= typed.tolerance + 1e-9;
}

export type Judgement =
  | { kind: 'supported' }
  | { kind: 'replaced'; figure: Figure; eaten: number }
  | { kind: 'unverified' };

/**
 * Judges one typed number against the facts of the answer.
 * @param before the text that stands before it, to know the number of a feature from a figure
 * @param features ids of features the record has
 * @param own those of the facts that are about the plan's own subject
 */
export function judge(
  text: string,
  before: string,
  after: string,
  facts: readonly Figure[],
  features: ReadonlySet<string>,
  own: ReadonlySet<Figure>,
): Judgement {
  if (/\bfeatures?\s+(?:\d+(?:,| and)\s*)*$/i.test(before.slice(-60)) && features.has(text.trim()))
    return { kind: 'supported' };
  const typed = readTyped(text, after);
  if (typed === null) return { kind: 'unverified' };
  if (facts.some((figure) => says(typed, figure))) return { kind: 'supported' };
  if (typed.unit === null) return { kind: 'unverified' };
  const meant = facts.filter((figure) => figure.unit === typed.unit && figure.value !== null);
  const only = meant.find((figure) => own.has(figure));
  if (only === undefined || meant.some((figure) => figure.value !== only.value))
    return { kind: 'unverified' };
  return { kind: 'replaced', figure: only, eaten: typed.eaten };
}

const textOf = (inline: Inline | undefined): string => (inline?.kind === 'text' ? inline.text : '');

export interface CheckedProse {
  inlines: Inline[];
  /** Typed numbers looked at. */
  typed: number;
  /** In words, for the report. */
  corrections: string[];
  unverified: string[];
}

/** Decides every typed number in one run of prose. */
export function checkProse(
  inlines: readonly Inline[],
  facts: readonly Figure[],
  features: ReadonlySet<string>,
  own: ReadonlySet<Figure>,
): CheckedProse {
  const out: Inline[] = [];
  const result: CheckedProse = { inlines: out, typed: 0, corrections: [], unverified: [] };
  let eat = 0;
  for (const [index, inline] of inlines.entries()) {
    if (inline.kind === 'text' && eat > 0) {
      const text = inline.text.slice(eat);
      eat = 0;
      if (text !== '') out.push({ ...inline, text });
      continue;
    }
    eat = 0;
    if (inline.kind !== 'typed') {
      out.push(inline);
      continue;
    }
    result.typed += 1;
    const verdict = judge(
      inline.text,
      textOf(inlines[index - 1]),
      textOf(inlines[index + 1]),
      facts,
      features,
      own,
    );
    if (verdict.kind === 'replaced') {
      eat = verdict.eaten;
      out.push({ kind: 'figure', figure: verdict.figure });
      result.corrections.push(`"${inline.text}" is not what the record says and was replaced`);
    } else {
      const supported = verdict.kind === 'supported';
      out.push({ ...inline, state: supported ? 'supported' : 'unverified' });
      if (!supported) result.unverified.push(`no fact of this answer supports "${inline.text}"`);
    }
  }
  return result;
}

/** Where a name with a number in it stands in a text, as whole words. A name that is only a number is none. */
function spansOf(name: string, text: string): [number, number][] {
  const wanted = name.trim().toLowerCase();
  if (!/\d/.test(wanted) || !/\p{L}/u.test(wanted)) return [];
  const low = text.toLowerCase();
  const spans: [number, number][] = [];
  for (let at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (!/[\p{L}\p{N}_]$/u.test(low.slice(0, at)) && !/^[\p{L}\p{N}_]/u.test(low.slice(end)))
      spans.push([at, end]);
  }
  return spans;
}

/**
 * Numbers in digits in a title that neither a figure of the card, nor the question, nor the number of a feature bears out.
 * Titles are plain text, so such a number can be told but not replaced. A number in the title of a feature ("Error 404
 * page") is part of a name.
 * @param names titles of the record's features
 */
export function checkTitle(
  title: string,
  figures: readonly Figure[],
  features: ReadonlySet<string>,
  question: string,
  names: readonly string[],
): string[] {
  const named = names.flatMap((name) => spansOf(name, title));
  const asked = new Set(plainDigits(question).match(/\d+(?:\.\d+)?/g) ?? []);
  return findTypedFigures(title)
    .filter(({ text, start, end, unit }) => {
      if (named.some(([from, to]) => from <= start && end <= to)) return false;
      const digits = /\d+(?:\.\d+)?/.exec(plainDigits(text))?.[0];
      if (digits === undefined || asked.has(digits)) return false;
      if (unit === null && features.has(digits)) return false;
      const typed = readTyped(text, title.slice(end));
      return typed === null || !figures.some((figure) => says(typed, figure));
    })
    .map(({ text }) => text);
}
