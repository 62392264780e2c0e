import { type Token, vulgarValue } from './tokens.ts';
import { largerBy } from './units.ts';

/** A number as it may be meant. */
export interface Meant {
  value: number;
  /** What one more of its last digit would be: what rounding may have taken away is half of it. */
  step: number;
}

/** A number in digits: where it ends, and the values it may be meant to have ("4.011" is two). Empty when it is not read. */
export interface DigitNumber {
  end: number;
  meant: Meant[];
  /** "9/10": what it is part of. */
  of: number | null;
}

interface Part {
  sep: string;
  digits: string;
}

const MOST_PARTS = 12;
const SEPARATORS = new Set([',', '.', "'", '_', '\u00a0', ' ']);
const decimals = (digits: string): number => 10 ** -digits.length;

/** Further groups of digits that touch the first by a single separator. */
function partsAfter(tokens: readonly Token[], start: number): Part[] {
  const parts: Part[] = [];
  for (let at = start; parts.length < MOST_PARTS; at += 2) {
    const sep = tokens[at];
    const digits = tokens[at + 1];
    if (sep === undefined || digits?.kind !== 'digits' || !SEPARATORS.has(sep.text)) break;
    if ((sep.text === ' ' || sep.text === '\u00a0') && digits.text.length !== 3) break;
    parts.push({ sep: sep.text, digits: digits.text });
  }
  return parts;
}

/** What a first group of digits and what follows it say together, and how many of the parts belong to it. */
function interpret(first: string, parts: readonly Part[]): { used: number; meant: Meant[] } {
  const whole: Meant = { value: Number(first), step: 1 };
  const [one] = parts;
  const last = parts.at(-1);
  if (one === undefined || last === undefined) return { used: 0, meant: [whole] };
  const inThrees = (some: readonly Part[]): boolean =>
    /^[1-9]\d{0,2}$/.test(first) && some.every(({ digits }) => digits.length === 3);
  const joined = (some: readonly Part[]): string => first + some.map(({ digits }) => digits).join('');
  const grouped = (): Meant => ({ value: Number(joined(parts)), step: 1 });
  const kinds = new Set(parts.map(({ sep }) => sep));
  if (kinds.size === 1) {
    const point = one.sep === '.' || one.sep === ',';
    if (point && parts.length === 1) {
      const decimal: Meant = { value: Number(`${first}.${one.digits}`), step: decimals(one.digits) };
      if (!inThrees(parts)) return { used: 1, meant: [decimal] };
      return { used: 1, meant: one.sep === ',' ? [grouped(), decimal] : [decimal, grouped()] };
    }
    return inThrees(parts) ? { used: parts.length, meant: [grouped()] } : { used: 0, meant: [whole] };
  }
  const before = parts.slice(0, -1);
  const point = last.sep === '.' || last.sep === ',';
  if (point && inThrees(before) && !before.some(({ sep }) => sep === last.sep))
    return {
      used: parts.length,
      meant: [{ value: Number(`${joined(before)}.${last.digits}`), step: decimals(last.digits) }],
    };
  return { used: 0, meant: [whole] };
}

const scaled = (meant: readonly Meant[], by: number): Meant[] =>
  meant.map(({ value, step }) => ({ value: value * by, step: step * by }));

/** A power of ten written behind a number ("1.2e6", "10^3"), or null. */
function power(tokens: readonly Token[], at: number, base: readonly Meant[]): [number, Meant[]] | null {
  const mark = tokens[at];
  if (mark === undefined || (mark.text !== 'e' && mark.text !== '^')) return null;
  const sign = tokens[at + 1]?.text;
  const signed = sign === '-' || sign === '+';
  const digits = tokens[at + (signed ? 2 : 1)];
  if (digits?.kind !== 'digits') return null;
  const exponent = Number(digits.text) * (sign === '-' ? -1 : 1);
  const end = at + (signed ? 3 : 2);
  if (mark.text === 'e') return [end, scaled(base, 10 ** exponent)];
  return [end, base.map(({ value }) => ({ value: value ** exponent, step: 1 }))];
}

/**
 * The number in digits that begins at a token: groups of thousands and decimals in the ways of several countries, vulgar
 * fractions, powers, quotients, and letters that make it larger ("45k", "1.2 M").
 * @param written the word of a token in the case it was written in
 */
export function digitNumber(
  tokens: readonly Token[],
  start: number,
  written: (token: Token) => string,
): DigitNumber | null {
  const first = tokens[start];
  if (first === undefined) return null;
  let end = start + 1;
  let meant: Meant[];
  if (first.kind === 'vulgar') {
    const value = vulgarValue(first.text);
    meant = value === null ? [] : [{ value, step: 0.01 }];
  } else if (first.text === '.') {
    // ".5"
    const digits = tokens[start + 1];
    if (digits?.kind !== 'digits') return null;
    end += 1;
    meant = [{ value: Number(`0.${digits.text}`), step: decimals(digits.text) }];
  } else if (first.kind === 'digits') {
    const read = interpret(first.text, partsAfter(tokens, end));
    end += 2 * read.used;
    meant = read.meant;
    const vulgar = tokens[end];
    const more = vulgar?.kind === 'vulgar' ? vulgarValue(vulgar.text) : null;
    if (more !== null) {
      end += 1;
      meant = meant.map(({ value }) => ({ value: value + more, step: 0.01 }));
    }
  } else return null;

  const raised = power(tokens, end, meant);
  if (raised !== null) [end, meant] = raised;

  const quotient = tokens[end]?.text === '/' ? tokens[end + 1] : undefined;
  if (quotient?.kind === 'digits') return { end: end + 2, meant, of: Number(quotient.text) };

  for (let words = 0; words < 2; words += 1) {
    const gap = tokens[end]?.kind === 'space' || tokens[end]?.kind === 'group' || tokens[end]?.text === '-';
    const word = tokens[end + (gap ? 1 : 0)];
    const by = word?.kind === 'word' ? largerBy(written(word)) : undefined;
    if (by === undefined) break;
    end += gap ? 2 : 1;
    meant = scaled(meant, by);
  }
  return { end, meant: meant.filter(({ value }) => Number.isFinite(value)), of: null };
}
