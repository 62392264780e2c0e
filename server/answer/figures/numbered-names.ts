import { findTypedFigures } from '../figures.ts';
import { plainName } from './names.ts';

/** Names of one record that are looked for in a text. */
const MOST = 2_000;

/**
 * Those of a record's names that a number would be found in, in the form texts are searched in. A name that is nothing but a
 * figure ("404", "three attempts") is left out: a number is not borne out by somebody being called so.
 */
export function numberedNames(names: Iterable<string>): string[] {
  const kept = new Set<string>();
  for (const name of names) {
    if (kept.size >= MOST) break;
    const plain = plainName(name);
    const figures = findTypedFigures(plain);
    const rest = figures.reduceRight(
      (text, { start, unitEnd }) => text.slice(0, start) + text.slice(unitEnd),
      plain,
    );
    if (figures.length > 0 && /\p{L}/u.test(rest)) kept.add(plain);
  }
  return [...kept];
}
