import type { Where } from '../../shared/plan.ts';
import type { Bindings, Dialect } from './dialect.ts';
import type { Dimension } from './dimensions.ts';
import { QueryRefused } from './fit.ts';
import type { Axis } from './frame.ts';
import { type QueryContext, readerZone } from './query.ts';
import { parseWhen } from './time.ts';

const numberOf = (text: string): number | null => {
  const value = /^[+-]?\d{1,15}(?:\.\d{1,9})?$/.test(text.trim()) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : null;
};

function bad(dimension: Dimension, text: string): QueryRefused {
  const form = dimension.kind === 'time' ? 'a time such as 13:30' : 'a number';
  return new QueryRefused(
    'block_invalid',
    `"${text.slice(0, 40)}" is not ${form} for ${dimension.label}.`,
    null,
  );
}

/** "#28", "feature 28" and "28" name one feature; texts compare in lower case. */
const keyText = (dimension: Dimension, text: string): string =>
  (dimension.id === 'feature' ? text.replace(/^\s*(?:feature\s*)?#?\s*/i, '') : text).trim().toLowerCase();

/** What `disputed` may be called in a filter. */
function disputedKey(text: string): string {
  return /^(?:disputed|true|yes)$/i.test(text.trim()) ? 'disputed' : 'undisputed';
}

/**
 * One filter as a condition over an axis. A negated filter keeps rows without a value, so that a filter and its
 * opposite always part the rows in two.
 * @throws QueryRefused for a bound that cannot be read
 */
export function condition(
  where: Where,
  dimension: Dimension,
  axis: Pick<Axis, 'key' | 'reader'>,
  context: QueryContext,
  bindings: Bindings,
  dialect: Dialect,
): string {
  const clock = axis.reader ? { zone: readerZone(context), startedAtMs: context.startedAtMs } : context;
  if (where.type === 'range') {
    const key = dimension.id === 'feature' ? dialect.lastNumber(axis.key) : axis.key;
    const read = (text: string, edge: 'from' | 'to') => {
      const value = dimension.kind === 'time' ? parseWhen(text, edge, clock) : numberOf(text);
      if (value === null) throw bad(dimension, text);
      return bindings.bind(value);
    };
    const ends = [
      where.from === null ? null : `${key} >= ${read(where.from, 'from')}`,
      where.to === null ? null : `${key} <= ${read(where.to, 'to')}`,
    ].filter((end) => end !== null);
    return ends.length === 0 ? 'TRUE' : `(${ends.join(' AND ')})`;
  }
  const values = [...new Set(where.any_of)];
  let inside: string;
  if (dimension.kind === 'time') {
    const spans = values.map((text) => {
      const from = parseWhen(text, 'from', clock);
      const to = parseWhen(text, 'to', clock);
      if (from === null || to === null) throw bad(dimension, text);
      return `${axis.key} BETWEEN ${bindings.bind(from)} AND ${bindings.bind(to)}`;
    });
    inside = `(${spans.join(' OR ')})`;
  } else if (dimension.kind === 'number') {
    const numbers = values.map((text) => {
      const value = numberOf(text);
      if (value === null) throw bad(dimension, text);
      return bindings.bind(value);
    });
    inside = `${axis.key} IN (${numbers.join(', ')})`;
  } else {
    const texts = values.map((text) =>
      bindings.bind(dimension.id === 'disputed' ? disputedKey(text) : keyText(dimension, text)),
    );
    inside = `lower(${axis.key}) IN (${texts.join(', ')})`;
  }
  return where.not ? `(${inside}) IS NOT TRUE` : inside;
}
