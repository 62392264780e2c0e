import { LIMITS } from '../../../shared/limits.ts';
import { type JsonNode, readJson } from '../ingest/json-tree.ts';
import { readTime } from '../ingest/time.ts';
import { visibleText } from '../ingest/visible.ts';
import type { RowOf } from '../tables.ts';

export type Price = RowOf<'prices'>;

/** What is wrong with a price list, and where; `line` counts from 1. */
export interface PriceProblem {
  line: number;
  text: string;
}

/** Classes of tokens, in dollars per million in the file. */
const CLASSES = {
  input: 'in_uusd_per_mtok',
  cacheRead: 'cache_read_uusd_per_mtok',
  cacheWrite5m: 'cache_write_5m_uusd_per_mtok',
  cacheWrite1h: 'cache_write_1h_uusd_per_mtok',
  output: 'out_uusd_per_mtok',
} as const;
const SPEEDS = ['standard', 'fast'] as const;
const TIERS = ['standard', 'batch', 'priority', 'flex'] as const;
const LIST_KEYS = ['provider', 'checked', 'origin', 'prices'] as const;
const ENTRY_KEYS = [
  'models',
  'from',
  'to',
  'speed',
  'tier',
  'overInputTokens',
  ...Object.keys(CLASSES),
  'webSearch',
  'origin',
  'checked',
  'note',
];
const MICRO = 1_000_000;
/** Dollars per million tokens; far above any price there is, and far below what an integer holds. */
const DEAREST = 1_000_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

type ObjectNode = Extract<JsonNode, { kind: 'object' }>;

/** Reads one list; what is wrong with it is gathered, since all of it is told at once. */
class Reader {
  readonly problems: PriceProblem[] = [];

  say(node: { line: number }, text: string): null {
    if (this.problems.length < LIMITS.priceProblems) this.problems.push({ line: node.line, text });
    return null;
  }

  keys(node: ObjectNode, known: readonly string[], owner: string): void {
    for (const [key, value] of node.members)
      if (!known.includes(key))
        this.say(value, `${owner} has no field "${visibleText(key)}"; it has ${known.join(', ')}.`);
  }

  text(node: ObjectNode, key: string): string | null {
    const value = node.members.get(key);
    if (value === undefined) return null;
    if (value.kind !== 'string' || value.value.trim() === '')
      return this.say(value, `"${key}" takes a text.`);
    return visibleText(value.value.trim()).slice(0, LIMITS.sourceText);
  }

  choice<T extends string>(node: ObjectNode, key: string, among: readonly T[], usual: T): T {
    const value = node.members.get(key);
    if (value === undefined) return usual;
    const known = among.find((one) => value.kind === 'string' && value.value === one);
    if (known === undefined) this.say(value, `"${key}" takes one of ${among.join(', ')}.`);
    return known ?? usual;
  }

  /** The start of a day, UTC. */
  day(node: ObjectNode, key: string): number | null {
    const value = node.members.get(key);
    if (value === undefined) return null;
    const time =
      value.kind === 'string' && DATE.test(value.value) ? readTime(`${value.value}T00:00:00Z`) : null;
    return time?.ms ?? this.say(value, `"${key}" takes a day such as 2026-10-07.`);
  }

  /** Dollars as whole micro-dollars. */
  money(node: ObjectNode, key: string): number | null {
    const value = node.members.get(key);
    if (value === undefined || value.kind === 'null') return null;
    if (value.kind !== 'number' || value.value < 0 || value.value > DEAREST)
      return this.say(value, `"${key}" takes dollars, from 0 to ${DEAREST}.`);
    const micro = Math.round(value.value * MICRO);
    if (Math.abs(value.value * MICRO - micro) > 1e-3)
      return this.say(value, `"${key}" takes dollars with at most 6 digits behind the point.`);
    return micro;
  }

  count(node: ObjectNode, key: string): number {
    const value = node.members.get(key);
    if (value === undefined) return 0;
    if (value.kind === 'number' && Number.isSafeInteger(value.value) && value.value >= 0) return value.value;
    this.say(value, `"${key}" takes a whole number of tokens.`);
    return 0;
  }

  models(node: ObjectNode): string[] {
    const value = node.members.get('models');
    if (value?.kind !== 'array' || value.items.length === 0) {
      this.say(value ?? node, 'An entry needs "models", a list of the names it is the price of.');
      return [];
    }
    return value.items.flatMap((item) => {
      if (item.kind === 'string' && item.value.trim() !== '' && item.value.length <= LIMITS.cellText)
        return [visibleText(item.value.trim().toLowerCase())];
      this.say(item, 'A name of a model is a text that is not empty.');
      return [];
    });
  }

  entry(
    node: JsonNode,
    list: { provider: string | null; origin: string | null; checked: number | null },
    source: string,
  ): Price[] {
    if (node.kind !== 'object') {
      this.say(node, 'An entry of "prices" is an object.');
      return [];
    }
    this.keys(node, ENTRY_KEYS, 'An entry');
    const from = this.day(node, 'from');
    const to = this.day(node, 'to');
    if (from !== null && to !== null && from >= to)
      this.say(
        node,
        '"from" lies before "to"; "to" is the first day on which the price is not valid any more.',
      );
    const speed = this.choice(node, 'speed', SPEEDS, 'standard');
    const tier = this.choice(node, 'tier', TIERS, 'standard');
    const over = this.count(node, 'overInputTokens');
    const prices = Object.fromEntries(
      Object.entries(CLASSES).map(([key, column]) => [column, this.money(node, key)]),
    );
    const rest = {
      provider: list.provider,
      valid_from_ms: from,
      valid_to_ms: to,
      speed,
      tier,
      over_input_tokens: over,
      ...prices,
      web_search_uusd: this.money(node, 'webSearch'),
      origin: this.text(node, 'origin') ?? list.origin ?? 'a price list without an origin',
      checked_at_ms: this.day(node, 'checked') ?? list.checked,
      source_id: source,
      source_line: node.line,
    };
    this.text(node, 'note');
    return this.models(node).map((model) => ({
      ...rest,
      price_id: [source, node.line, model].join('.'),
      model,
    }));
  }
}

/** What a price is for: of two prices for the same, one has to end before the other begins. */
const subjectOf = ({ model, speed, tier, over_input_tokens }: Price): string =>
  [model, speed, tier, over_input_tokens].join('|');

/** The first day on which both are valid, or none. */
const overlap = (a: Price, b: Price): boolean =>
  (a.valid_from_ms ?? Number.NEGATIVE_INFINITY) < (b.valid_to_ms ?? Number.POSITIVE_INFINITY) &&
  (b.valid_from_ms ?? Number.NEGATIVE_INFINITY) < (a.valid_to_ms ?? Number.POSITIVE_INFINITY);

function reportOverlaps(prices: readonly Price[], reader: Reader): void {
  const seen = new Map<string, Price[]>();
  for (const price of prices) {
    const subject = subjectOf(price);
    const others = seen.get(subject) ?? [];
    const other = others.find((one) => overlap(one, price));
    if (other)
      reader.say(
        { line: price.source_line ?? 1 },
        `${price.model} has a price for the same time on line ${other.source_line ?? 1} already.`,
      );
    seen.set(subject, [...others, price]);
  }
}

/**
 * Reads a price list (docs/money.md has its form).
 * @param text the JSON text of the file
 * @param source id of the list, the start of the ids of its prices
 * @returns its prices, and everything that is wrong with it; a list with problems should not be used
 */
export function readPriceList(text: string, source: string): { prices: Price[]; problems: PriceProblem[] } {
  const { root, broken, duplicates } = readJson(text);
  const reader = new Reader();
  if (broken !== null)
    reader.say(broken, broken.why === 'cut' ? 'The list is cut off here.' : 'This is not JSON.');
  for (const { line, key } of duplicates) reader.say({ line }, `"${visibleText(key)}" is there twice.`);
  if (root?.kind !== 'object') {
    if (broken === null) reader.say(root ?? { line: 1 }, 'A price list is an object with a list "prices".');
    return { prices: [], problems: reader.problems };
  }
  reader.keys(root, LIST_KEYS, 'A price list');
  const entries = root.members.get('prices');
  if (entries?.kind !== 'array') {
    reader.say(entries ?? root, 'A price list has a list "prices".');
    return { prices: [], problems: reader.problems };
  }
  if (entries.items.length > LIMITS.priceEntries) {
    reader.say(entries, `A price list has at most ${LIMITS.priceEntries} entries.`);
    return { prices: [], problems: reader.problems };
  }
  const list = {
    provider: reader.text(root, 'provider'),
    origin: reader.text(root, 'origin'),
    checked: reader.day(root, 'checked'),
  };
  const prices = entries.items.flatMap((entry) => reader.entry(entry, list, source));
  reportOverlaps(prices, reader);
  return { prices, problems: reader.problems };
}

/** All prices that count: those of a person's own list take the place of all bundled ones for the same model, speed and tier. */
export function withOwnPrices(bundled: readonly Price[], own: readonly Price[]): Price[] {
  const subject = ({ model, speed, tier }: Price): string => [model, speed, tier].join('|');
  const replaced = new Set(own.map(subject));
  return [...bundled.filter((price) => !replaced.has(subject(price))), ...own];
}
