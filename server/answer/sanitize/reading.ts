import type { Code } from '../../../shared/codes.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { Checked } from '../types.ts';
import { cleanText, cutText } from './text.ts';

/** An object whose own keys can be asked for; nothing of it is ever called or inherited. */
export type Raw = Readonly<Record<string, unknown>>;

const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value as an object, or null. */
export const rawOf = (value: unknown): Raw | null => (isRaw(value) ? value : null);

/** An own property, or undefined; `null` counts as not given, as in the plan's optional slots. */
export const own = (raw: Raw, key: string): unknown =>
  Object.hasOwn(raw, key) ? (raw[key] ?? undefined) : undefined;

/** What one reading of a value found out besides the value. */
export class Findings {
  /** Why the value cannot be used, in words for the log. */
  readonly issues: string[] = [];
  /** What was trimmed, in words for the card. */
  readonly notes: string[] = [];

  /** Records an issue; gives null, so that a reader can end with it. */
  refuse(issue: string): null {
    // One reason is enough to leave a card out; many are noise.
    if (this.issues.length < 20) this.issues.push(issue);
    return null;
  }

  trimmed(shown: number, all: number, what: string): void {
    if (shown < all) this.notes.push(`${shown} of ${all} ${what} shown`);
  }
}

/** Ends a reading: the value with its notes, or the code with its issues. */
export function checked<T>(value: T | null, findings: Findings, code: Code = 'block_invalid'): Checked<T> {
  return value === null
    ? { ok: false, code, issues: findings.issues }
    : { ok: true, value, notes: findings.notes };
}

/** A text without line breaks, at most `max` long; null when there is none. */
export function textOf(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null;
  const text = cutText(cleanText(value.slice(0, LIMITS.planBytes)), max);
  return text === '' ? null : text;
}

/** Text that names a thing: cut, it would name another, so one that is too long is none. A number is written out. */
export function nameOf(value: unknown, max: number = LIMITS.title): string | null {
  const given = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  if (typeof given !== 'string' || given.length > max * 4) return null;
  const text = cleanText(given);
  return text === '' || text.length > max ? null : text;
}

/** One of a closed list; the default when the slot is empty, null when it holds anything else. */
export function oneOf<T extends string>(value: unknown, list: readonly T[], fallback: T): T | null {
  if (value === undefined) return fallback;
  return list.find((entry) => entry === value) ?? null;
}

/** A list, whose absence is an empty one; a single thing stands for a list of it. */
export const listOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** Reads entries until `max` are good, so that bad ones take no place. Looks at a bounded number of them. */
export function readList<T>(
  values: readonly unknown[],
  max: number,
  read: (value: unknown, index: number) => T | null,
): T[] {
  const found: T[] = [];
  const end = Math.min(values.length, LIMITS.planDepth * max);
  for (let index = 0; index < end && found.length < max; index++) {
    const value = read(values[index], index);
    if (value !== null) found.push(value);
  }
  return found;
}
