import type { Figure, Inline } from '../../../shared/cards.ts';
import type { Reading, TypedFigure } from '../figures.ts';
import { typedIn } from '../typed-spans.ts';

/**
 * Numbers a model typed itself. Each is read where it stands and set against the facts of the answer: supported, replaced
 * by the one fact it must mean, or left marked as unverified. Only a fact about the plan's own subject can be meant: one
 * about the whole run is no measure of it.
 */

/** What typed numbers of one answer are set against. */
export interface Known {
  facts: readonly Figure[];
  /** Those of the facts that are about the plan's own subject. */
  own: ReadonlySet<Figure>;
  /** Ids of features the record has. */
  features: ReadonlySet<string>;
  /** Names of the record that hold numbers. */
  names: readonly string[];
}

/** A reading counts as said by a figure when rounding alone lies between them, and the units do not differ. */
function says({ low, high, unit }: Reading, { value, unit: of }: Figure): boolean {
  if (value === null || (unit !== null && unit !== of)) return false;
  const slack = 1e-9 * Math.max(1, Math.abs(value));
  return value >= low - slack && value <= high + slack;
}

/** Whether some fact says a typed number in some way it can be read. */
const isSaid = (typed: TypedFigure, facts: readonly Figure[]): boolean =>
  typed.readings.some((reading) => facts.some((figure) => says(reading, figure)));

/** The one fact a number with this unit must mean: about the plan's subject, and not one of several. */
function meantBy({ unit }: Reading, { facts, own }: Known): Figure | null {
  if (unit === null) return null;
  const alike = facts.filter((figure) => figure.unit === unit && figure.value !== null);
  const only = alike.find((figure) => own.has(figure));
  return only !== undefined && alike.every((figure) => figure.value === only.value) ? only : null;
}

export type Judgement = { kind: 'supported' } | { kind: 'replaced'; figure: Figure } | { kind: 'unverified' };

/** "features 3, 13 and" before a number: it is the next of them. */
const NAMED = /(?<!\p{L})features?\s(?:\d{1,9}(?:,\s?|\s(?:and|or)\s)){0,20}$/iu;

/**
 * Judges one typed number against the facts of the answer.
 * @param before the text that stands before it, to know the number of a feature from a figure
 */
export function judge(typed: TypedFigure, before: string, known: Known): Judgement {
  if (known.features.has(typed.text) && NAMED.test(before.slice(-120))) return { kind: 'supported' };
  if (isSaid(typed, known.facts)) return { kind: 'supported' };
  const [first] = typed.readings;
  const meant = first === undefined ? null : meantBy(first, known);
  if (first === undefined || meant === null || meant.value === null) return { kind: 'unverified' };
  // A bound holds or does not: the fact in its place would say something else.
  if (typed.bound !== null) {
    const holds = typed.bound === 'more' ? meant.value > first.value : meant.value < first.value;
    return { kind: holds ? 'supported' : 'unverified' };
  }
  // "on the third try" is a place in an order; "1 attempt" cannot stand there.
  return typed.isOrdinal ? { kind: 'unverified' } : { kind: 'replaced', figure: meant };
}

export interface CheckedProse {
  inlines: Inline[];
  /** Typed numbers looked at. */
  typed: number;
  /** In words, for the report. */
  corrections: string[];
  unverified: string[];
}

/** In words, what became of a number. */
export const replacedBy = (text: string): string => `"${text}" is not what the record says and was replaced`;
export const unsupported = (text: string): string => `no fact of this answer supports "${text}"`;

/** Decides every typed number in one run of prose. */
export function checkProse(inlines: readonly Inline[], known: Known): CheckedProse {
  const result: CheckedProse = { inlines: [], typed: 0, corrections: [], unverified: [] };
  const typed = typedIn(inlines, known.names);
  let before = '';
  for (const inline of inlines) {
    if (inline.kind !== 'typed') {
      before = inline.kind === 'text' ? (before + inline.text).slice(-200) : '';
      result.inlines.push(inline);
      continue;
    }
    result.typed += 1;
    const figure = typed.get(inline) ?? null;
    const verdict = figure === null ? null : judge(figure, before, known);
    before = (before + inline.text).slice(-200);
    if (verdict?.kind === 'replaced') {
      result.inlines.push({ kind: 'figure', figure: verdict.figure });
      result.corrections.push(replacedBy(inline.text));
      continue;
    }
    const supported = verdict?.kind === 'supported';
    result.inlines.push({ ...inline, state: supported ? 'supported' : 'unverified' });
    if (!supported) result.unverified.push(unsupported(inline.text));
  }
  return result;
}
