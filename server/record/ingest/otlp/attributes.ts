import { readTime } from '../time.ts';
import type { KeptAttributes } from './kept.ts';

/** Attributes of one record, read by what they mean: senders write numbers and booleans as text as often as not. */
export class Attributes {
  constructor(readonly all: KeptAttributes) {}

  #first(keys: readonly string[]): KeptAttributes[string] | undefined {
    for (const key of keys) {
      const value = Object.hasOwn(this.all, key) ? this.all[key] : undefined;
      if (value !== undefined && value !== null && value !== '') return value;
    }
    return undefined;
  }

  /** The first that is there, as text. */
  text(...keys: string[]): string | null {
    const value = this.#first(keys);
    return value === undefined ? null : String(value);
  }

  /** A finite number, also one written as text; null for anything else, NaN among it. */
  number(...keys: string[]): number | null {
    const value = this.#first(keys);
    if (typeof value === 'number') return Number.isFinite(value) ? value : null;
    if (typeof value !== 'string' || !/^\s*[-+]?\d{1,30}(?:\.\d{1,30})?(?:[eE][-+]?\d{1,3})?\s*$/.test(value))
      return null;
    const read = Number(value);
    return Number.isFinite(read) ? read : null;
  }

  /** A count: a whole number from 0 that is exact; null for anything else. */
  count(...keys: string[]): number | null {
    const value = this.number(...keys);
    return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null;
  }

  /** Milliseconds, to the whole one. */
  ms(...keys: string[]): number | null {
    const value = this.number(...keys);
    return value !== null && value >= 0 && value < Number.MAX_SAFE_INTEGER ? Math.round(value) : null;
  }

  flag(...keys: string[]): boolean | null {
    const value = this.#first(keys);
    if (typeof value === 'boolean') return value;
    if (typeof value !== 'string') return null;
    const word = value.trim().toLowerCase();
    return word === 'true' ? true : word === 'false' ? false : null;
  }

  /** A written time as epoch milliseconds. */
  time(...keys: string[]): number | null {
    const value = this.text(...keys);
    return value === null ? null : (readTime(value)?.ms ?? null);
  }

  /** Keys whose value should be a number and is none ("NaN", words). */
  unreadable(keys: readonly string[]): string[] {
    return keys.filter((key) => this.text(key) !== null && this.number(key) === null);
  }

  /** All but some of them, as JSON text for a `data` column. */
  rest(without: readonly string[], most: number): string | null {
    const left = Object.entries(this.all).filter(([key]) => !without.includes(key));
    if (left.length === 0) return null;
    const text = JSON.stringify(Object.fromEntries(left));
    return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
  }
}
