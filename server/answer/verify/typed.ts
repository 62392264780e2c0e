import type { Figure, Inline, Unit } from '../../../shared/cards.ts';

/**
 * Numbers a model typed itself. Each is read together with the unit that stands in it or after it, and set against the
 * facts of the answer: supported, replaced by the one fact it must mean, or left marked as unverified.
 */

const WORDS = new Map<string, number>(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
    .split(' ')
    .map((word, value) => [word, value]),
);
for (const [at, word] of 'thirty forty fifty sixty seventy eighty ninety hundred'.split(' ').entries())
  WORDS.set(word, 10 * (at + 3));
for (const [word, value] of Object.entries({ no: 0, once: 1, single: 1, twice: 2, both: 2, thrice: 3 }))
  WORDS.set(word, value);

/** Unit words, and how many of the base unit one of them is. */
const UNIT_WORDS = new Map<string, { unit: Unit; factor: number }>();
const name = (unit: Unit, factor: number, words: string): void => {
  for (const word of words.split(' ')) UNIT_WORDS.set(word, { unit, factor });
};
name('s', 1, 's sec secs second seconds');
name('s', 60, 'min mins minute minutes');
name('s', 3_600, 'h hour hours');
name('points', 1, 'point points');
name('attempts', 1, 'attempt attempts try tries');
name('features', 1, 'feature features');
name('lines', 1, 'line lines');
name('files', 1, 'file files');
name('commits', 1, 'commit commits');
name('tokens', 1, 'token tokens');
name('findings', 1, 'finding findings');
name('usd', 1, 'usd dollar dollars');
name('ratio', 0.01, 'percent %');
name('times', 1, 'times ×');

export interface TypedNumber {
  value: number;
  /** Half of the last digit written: what rounding may have taken away. */
  tolerance: number;
  /** Null when no unit stands there. */
  unit: Unit | null;
  /** How many characters of the text after it belong to the unit. */
  eaten: number;
}

/**
 * Reads a typed number.
 * @param text what was marked as typed ("415 s", "9/10", "three")
 * @param after the text that follows it on the page
 */
export function readTyped(text: string, after: string): TypedNumber | null {
  const trimmed = text.trim().toLowerCase();
  const match =
    /^(\$?)([+-]?\d{1,3}(?:[ ,\u202f]\d{3})+|[+-]?\d{1,15})(\.\d{1,6})?\s*(\/\s*10\b)?\s*([a-z%×]*)$/.exec(
      trimmed,
    ) ?? null;
  let value: number;
  let decimals = 0;
  let unitWord = '';
  let unit: { unit: Unit; factor: number } | undefined;
  if (match !== null) {
    value = Number(`${(match[2] ?? '').replace(/[ ,\u202f]/g, '')}${match[3] ?? ''}`);
    decimals = (match[3] ?? '.').length - 1;
    unitWord = match[5] ?? '';
    if (match[1] === '$') unit = UNIT_WORDS.get('usd');
    if (match[4] !== undefined) unit = UNIT_WORDS.get('points');
  } else {
    const [first = '', second = '', ...rest] = trimmed.split(/[\s-]+/);
    const tens = WORDS.get(first);
    const ones = WORDS.get(second);
    if (tens === undefined || rest.length > 0) return null;
    if (ones !== undefined && tens >= 20 && tens < 100 && ones < 10) value = tens + ones;
    else {
      value = tens;
      unitWord = second;
    }
  }
  if (!Number.isFinite(value)) return null;
  let eaten = 0;
  if (unit === undefined && unitWord !== '') {
    unit = UNIT_WORDS.get(unitWord);
    if (unit === undefined) return null;
  }
  if (unit === undefined) {
    const next = /^(?:\s*(%|×)|\s+([A-Za-z]+)\b)/.exec(after.slice(0, 40));
    const word = (next?.[1] ?? next?.[2] ?? '').toLowerCase();
    unit = UNIT_WORDS.get(word);
    if (unit !== undefined) eaten = next?.[0].length ?? 0;
  }
  const factor = unit?.factor ?? 1;
  return {
    value: value * factor,
    tolerance: 0.5 * 10 ** -decimals * factor,
    unit: unit?.unit ?? null,
    eaten,
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
 */
export function judge(
  text: string,
  before: string,
  after: string,
  facts: readonly Figure[],
  features: ReadonlySet<string>,
): Judgement {
  if (/\bfeatures?\s+(?:\d+(?:,| and)\s*)*$/i.test(before.slice(-60)) && features.has(text.trim()))
    return { kind: 'supported' };
  const typed = readTyped(text, after);
  if (typed === null) return { kind: 'unverified' };
  if (facts.some((figure) => says(typed, figure))) return { kind: 'supported' };
  if (typed.unit === null) return { kind: 'unverified' };
  const meant = facts.filter((figure) => figure.unit === typed.unit && figure.value !== null);
  const only = meant[0];
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

/**
 * Numbers in digits in a title that neither a figure of the card, nor the question, nor the number of a feature bears out.
 * Titles are plain text, so such a number can be told but not replaced.
 */
export function checkTitle(
  title: string,
  figures: readonly Figure[],
  features: ReadonlySet<string>,
  question: string,
): string[] {
  const asked = new Set(question.match(/\d+(?:\.\d+)?/g) ?? []);
  return (title.match(/\d+(?:\.\d+)?/g) ?? []).filter((number) => {
    if (features.has(number) || asked.has(number)) return false;
    const typed = readTyped(number, '');
    return typed === null || !figures.some((figure) => says(typed, figure));
  });
}
