import { bounded, dollarText, NOUNS } from '../../../shared/amounts.ts';
import type { Figure, Unit } from '../../../shared/cards.ts';

/** Every number, unit and time a person reads is written here, in one language, so that cards agree with each other. */
const LOCALE = 'en-US';
const NARROW = '\u00a0';
export const DASH = '—';

const plain = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });
const small = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 2 });
const compact = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumSignificantDigits: 3 });
const scientific = new Intl.NumberFormat(LOCALE, { notation: 'scientific', maximumSignificantDigits: 3 });
const exact = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 15 });

/** Largest amount written out; from here on it is shortened and the exact value stands in the title. */
const LONG = 1e7;
const HUGE = 1e15;
const TINY = 1e-4;
/** Prices of single tokens are written out; what is smaller would be a row of zeros. */
const TINY_PRICE = 1e-6;

/** The minus sign of typesetting instead of a hyphen. */
const signed = (text: string): string => text.replace('-', '\u2212');

/** A number without a unit: grouped, at most one decimal, two digits below one, shortened from ten million. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return DASH;
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= HUGE || size < TINY) return signed(scientific.format(value));
  if (size >= LONG) return signed(compact.format(value));
  return signed(size < 1 ? small.format(value) : plain.format(value));
}

/** A quotient near one keeps its decimal: "1.0×" says it was looked at, "1×" looks like a count. */
const factor = (value: number): string => {
  const text = formatNumber(value);
  return Math.abs(value) >= 0.95 && Math.abs(value) < 10 && /^\S?\d$/.test(text) ? `${text}.0×` : `${text}×`;
};

const money = (value: number): string => {
  const size = Math.abs(value);
  if (size >= LONG || (size > 0 && size < TINY_PRICE))
    return `${value < 0 ? '\u2212' : ''}$${formatNumber(size)}`;
  return signed(dollarText(value));
};

const MINUTE = 60;
const HOUR = 3_600;
/** Seconds from which a single duration is told in minutes, and in hours. */
const IN_MINUTES = 600;
const IN_HOURS = 3 * HOUR;

export interface FigureParts {
  /** The number with the signs that belong to it ("$0.95", "3.2×"), or a dash. */
  value: string;
  /** What stands beside it, smaller: "s", "min", "lines", "of 10"; empty when nothing does. */
  unit: string;
  /** The full value in its own unit, for a title: "4,275 s"; of a lower bound also why it is one. */
  exact: string;
}

/** What a share is divided by to be told in per cent. */
const PER_CENT = 0.01;

/** A quotient that stays a number: a value that is there must not turn into a missing one by being written. */
const over = (value: number, divisor: number): number =>
  Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE, value / divisor));

type Amount = Pick<Figure, 'value' | 'unit' | 'atLeast'>;

/** Seconds below which a duration is told in milliseconds. */
const IN_MILLISECONDS = 0.1;

function duration(seconds: number): readonly [value: string, unit: string] {
  const size = Math.abs(seconds);
  if (size > 0 && size < IN_MILLISECONDS) return [formatNumber(seconds * 1000), 'ms'];
  if (size >= IN_HOURS) return [formatNumber(seconds / HOUR), 'h'];
  if (size >= IN_MINUTES) return [formatNumber(Math.round(seconds / MINUTE)), 'min'];
  return [formatNumber(seconds), 's'];
}

function shown(value: number, unit: Unit): readonly [value: string, unit: string] {
  switch (unit) {
    case 's':
      return duration(value);
    case 'points':
      return [formatNumber(value), 'of 10'];
    case 'usd':
      return [money(value), ''];
    case 'ratio':
      return [formatNumber(over(value, PER_CENT)), '%'];
    case 'times':
      return [factor(value), ''];
    default: {
      const text = formatNumber(value);
      const nouns = NOUNS[unit];
      return [text, nouns === undefined ? '' : nouns[text === '1' ? 0 : 1]];
    }
  }
}

/** The value to its last digit with the unit it is recorded in. */
function exactly(value: number, unit: Unit): string {
  const digits = signed(exact.format(value));
  switch (unit) {
    case 's':
      return `${digits}${NARROW}s`;
    case 'points':
      return `${digits} of 10`;
    case 'usd':
      return `${digits} US dollars`;
    case 'ratio':
      return `${signed(exact.format(over(value, PER_CENT)))}${NARROW}%`;
    case 'times':
      return `${digits}×`;
    default: {
      const nouns = NOUNS[unit];
      return nouns === undefined ? digits : `${digits} ${nouns[value === 1 ? 0 : 1]}`;
    }
  }
}

/** A figure in the parts a page sets differently. A missing one has a dash and no unit. */
export function figureParts(figure: Amount): FigureParts {
  const { value, unit, atLeast } = figure;
  if (value === null || !Number.isFinite(value)) return { value: DASH, unit: '', exact: DASH };
  const [text, beside] = shown(value, unit);
  const exact = exactly(value, unit);
  return {
    value: bounded(text, atLeast),
    unit: beside,
    exact: atLeast === undefined ? exact : `at least ${exact}: ${atLeast}`,
  };
}

/** Joins a value and its unit: "9/10", "415 s", "3.2×". */
export const joined = (parts: Pick<FigureParts, 'value' | 'unit'>): string => {
  if (parts.unit === '') return parts.value;
  return parts.unit === 'of 10' ? `${parts.value}/10` : `${parts.value}${NARROW}${parts.unit}`;
};

/** A figure as one piece of text: "415 s", "9/10", "3.2×", "97 %", "226 lines", "$0.95"; missing is a dash. */
export const formatFigure = (figure: Amount): string => joined(figureParts(figure));

/** Whether a unit is a plural noun, which a heading beside the number may already say. */
export const isNoun = (unit: Unit): boolean => NOUNS[unit] !== undefined;

/** One way to write all values of an axis or a column, so that they compare at a glance. */
export interface Scale {
  unit: Unit;
  /** What a value is divided by before it is written. */
  divisor: number;
  /** Unit as an axis title says it ("seconds"); empty when there is none. */
  word: string;
  /** Unit beside one number ("s"); empty when there is none. */
  short: string;
}

const scale = (unit: Unit, divisor: number, word: string, short: string): Scale => ({
  unit,
  divisor,
  word,
  short,
});

/**
 * The scale for a set of values of one unit.
 * @param values in the unit they are recorded in
 */
export function scaleOf(unit: Unit, values: readonly number[]): Scale {
  const most = values.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  switch (unit) {
    case 's':
      if (most >= 2 * IN_HOURS) return scale(unit, HOUR, 'hours', 'h');
      if (most >= 1_800) return scale(unit, MINUTE, 'minutes', 'min');
      return scale(unit, 1, 'seconds', 's');
    case 'points':
      return scale(unit, 1, 'of 10', '');
    case 'usd':
      return scale(unit, 1, 'US dollars', '');
    case 'ratio':
      return scale(unit, PER_CENT, 'per cent', '%');
    case 'times':
      return scale(unit, 1, 'times', '');
    case 'none':
      return scale(unit, 1, '', '');
    default:
      return scale(unit, 1, NOUNS[unit]?.[1] ?? '', '');
  }
}

/** Share of the scale's unit below which a value would be written with fewer digits than it needs to compare. */
const TOO_SMALL = 0.1;

/**
 * The scale for the figures of a column: that of their middle value, so that one extreme does not make the others small.
 * @param values in the unit they are recorded in
 */
export function columnScaleOf(unit: Unit, values: readonly number[]): Scale {
  const sizes = values
    .map(Math.abs)
    .filter((value) => value > 0)
    .sort((a, b) => a - b);
  const middle = sizes[Math.floor((sizes.length - 1) / 2)] ?? 0;
  const found = scaleOf(unit, [middle]);
  const small = unit === 's' && sizes.some((value) => value / found.divisor < TOO_SMALL);
  return small ? scale(unit, 1, 'seconds', 's') : found;
}

/** A value on a scale, without its unit: what stands at a tick or a bar. */
export function formatOn(on: Scale, value: number): string {
  if (on.unit === 'usd') return money(value);
  const text = formatNumber(over(value, on.divisor));
  return on.unit === 'times' ? `${text}×` : text;
}

/** A value on a scale with its unit, for a label that stands alone. */
export const formatOnWithUnit = (on: Scale, value: number): string =>
  on.short === '' ? formatOn(on, value) : `${formatOn(on, value)}${NARROW}${on.short}`;

/** "build time, seconds"; a unit the label already says is not said twice. */
export const titled = (label: string, word: string): string => {
  if (word === '') return label;
  if (label === '') return word;
  const [first = ''] = word.toLowerCase().split(' ');
  // "Gate failures, gate runs" says gate twice and runs for nothing.
  const said = first.length > 3 && first !== word.toLowerCase() && label.toLowerCase().includes(first);
  return said || label.toLowerCase().includes(word.toLowerCase()) ? label : `${label}, ${word}`;
};

const OFFSET = /^([+-])(\d{2}):?(\d{2})$/;
const MOST_MS = 8.64e15;

/** Milliseconds to add to UTC for a fixed offset, or null when the zone is a name. */
function fixedOffset(zone: string): number | null {
  const match = OFFSET.exec(zone);
  if (match === null) return null;
  const minutes = Number(match[2]) * MINUTE + Number(match[3]);
  return (match[1] === '-' ? -1 : 1) * minutes * 60_000;
}

const clocks = new Map<string, Intl.DateTimeFormat>();
const MOST_CLOCKS = 32;
/** Formatter for a zone; a zone nobody knows is read as UTC. */
function clockFor(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const options = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
  let clock: Intl.DateTimeFormat;
  try {
    clock = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone });
  } catch {
    clock = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  }
  if (clocks.size < MOST_CLOCKS) clocks.set(zone, clock);
  return clock;
}

/**
 * A moment as people of its zone write it: "28 Mar, 14:10".
 * @param ms UTC epoch milliseconds
 * @param zone `+01:00`, `-0700`, or a name such as `Europe/Berlin`
 * @returns the text, and the full moment for a title and for machines; null when there is no such moment
 */
export function formatTime(ms: number, zone: string): { text: string; iso: string } | null {
  if (!Number.isFinite(ms) || Math.abs(ms) > MOST_MS) return null;
  const offset = fixedOffset(zone);
  const local = offset === null ? ms : ms + offset;
  if (Math.abs(local) > MOST_MS) return null;
  const text = clockFor(offset === null ? zone : 'UTC').format(local);
  return { text, iso: new Date(ms).toISOString() };
}

/** How closely a moment is told. */
export type Closeness = 'day' | 'minute' | 'second' | 'millisecond';

const MOMENT = {
  day: { month: 'short', day: 'numeric' },
  minute: { hour: '2-digit', minute: '2-digit' },
  second: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  millisecond: { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
} as const satisfies Record<Closeness, Intl.DateTimeFormatOptions>;
const moments = new Map<string, Intl.DateTimeFormat>();

function momentFormat(zone: string, close: Closeness): Intl.DateTimeFormat {
  const key = `${close} ${zone}`;
  const known = moments.get(key);
  if (known !== undefined) return known;
  // British days are written in the order wanted here, but their months are not short everywhere ("Sept").
  const locale = close === 'day' ? 'en-US' : 'en-GB';
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat(locale, { ...MOMENT[close], timeZone: zone });
  } catch {
    format = new Intl.DateTimeFormat(locale, { ...MOMENT[close], timeZone: 'UTC' });
  }
  if (moments.size < MOST_CLOCKS) moments.set(key, format);
  return format;
}

/**
 * A moment in its zone, as closely as is asked: "29 Aug", "16:48", "16:48:02", "16:48:02.424".
 * @param ms UTC epoch milliseconds
 * @returns a dash when there is no such moment
 */
export function formatMoment(ms: number, zone: string, close: Closeness): string {
  const offset = fixedOffset(zone);
  const local = offset === null ? ms : ms + offset;
  if (!Number.isFinite(local) || Math.abs(local) > MOST_MS) return DASH;
  const text = momentFormat(offset === null ? zone : 'UTC', close).format(local);
  return close === 'day' ? text.split(' ').toReversed().join(' ') : text;
}

/** Milliseconds a zone is ahead of UTC at a moment; 0 for a zone nobody knows. */
export function zoneOffset(ms: number, zone: string): number {
  const fixed = fixedOffset(zone);
  if (fixed !== null) return fixed;
  try {
    const name = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' })
      .formatToParts(ms)
      .find(({ type }) => type === 'timeZoneName')?.value;
    return fixedOffset((name ?? '').replace(/^GMT/, '')) ?? 0;
  } catch {
    return 0;
  }
}

/** A zone as people say it: "UTC", "UTC−07:00", "Europe/Berlin". */
export function zoneName(zone: string): string {
  const fixed = fixedOffset(zone);
  if (fixed === 0 || zone === '' || /^(?:z|utc)$/i.test(zone)) return 'UTC';
  return fixed === null ? zone : `UTC${zone.startsWith('-') ? '\u2212' : '+'}${zone.slice(1)}`;
}
