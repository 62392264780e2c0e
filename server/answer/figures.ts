import type { Unit } from '../../shared/cards.ts';
import { type Amount, type Around, amountAt, partOf } from './figures/amounts.ts';
import { digitNumber } from './figures/digits.ts';
import { nameSpans } from './figures/names.ts';
import { isDoubtful, LANGUAGES, type Language, languagesOf, wordNumber } from './figures/number-words.ts';
import { plainOf } from './figures/plain.ts';
import { referencesIn } from './figures/references.ts';
import { type Token, tokensOf } from './figures/tokens.ts';
import { OTHER_MONEY, PER_CENT, type UnitWord, unitWord } from './figures/units.ts';

/** One way to read a typed number; figures from `low` to `high` are rounded to it. */
export interface Reading {
  value: number;
  low: number;
  high: number;
  /** Null when it names no unit; figures of every unit can be meant. */
  unit: Unit | null;
}

/** A number somebody typed in a text. */
export interface TypedFigure {
  /** Where it stands: `text` is `source.slice(start, end)`, the number with the sign that belongs to it ("9/10", "97 %", "$5"). */
  start: number;
  end: number;
  text: string;
  /** Where the unit behind it ends: "415 s", "6 min 55 s". */
  unitEnd: number;
  /** In the unit, if there is one: "7 minutes" is 420 s. Null when the number could not be read. */
  value: number | null;
  unit: Unit | null;
  /** Everything it may mean, the likeliest first; empty when nothing bears it out whatever the record says. */
  readings: Reading[];
  /** "more than", "at most": the number is a bound. */
  bound: 'more' | 'less' | null;
  /** A place in an order ("third", "3rd"). */
  isOrdinal: boolean;
}

const HEDGED =
  /(?:(?:^|[^\p{L}])(?:about|around|roughly|approximately|approx\.?|ca\.?|circa|some|nearly|almost|ungefahr|etwa|rund|fast|environ|presque|casi|unos|unas|aproximadamente|alrededor de)\s|[~≈±]\s?)$/u;
const MORE =
  /(?:(?:^|[^\p{L}])(?:more than|over|at least|above|longer than|greater than|mehr als|uber|mindestens|plus de|au moins|mas de|al menos)\s|[>≥]\s?)$/u;
const LESS =
  /(?:(?:^|[^\p{L}])(?:less than|fewer than|under|at most|below|up to|no more than|not more than|weniger als|unter|hochstens|moins de|au plus|menos de|como mucho)\s|[<≤]\s?)$/u;
const LOOK_BACK = 32;

/** Characters of private use stand for values the server filled in; a number that touches one is no number by itself. */
const SLOT = /[\ue000-\uf8ff]/;

/** Words after which, and before which, "one" counts nothing: "the one that", "no one", "one of". */
const ONE_AFTER = new Set(
  'the this that which no each every any some another last next such only'.split(' '),
);
const ONE_BEFORE = new Set('of another that which who by has is was can'.split(' '));
const ONES = new Set('one ein eins eine einen einem einer un une uno una'.split(' '));

interface Found {
  /** Tokens of the number, and of the unit behind it: indexes after the last. */
  from: number;
  end: number;
  unitEnd: number;
  readings: Reading[];
  isDigits: boolean;
  isOrdinal?: boolean;
}

/** Reads one text. Indexes are of tokens. */
class Reader {
  readonly #text: string;
  readonly #source: string;
  readonly #at: (index: number) => number;
  readonly #tokens: Token[];
  readonly #languages: Set<Language>;

  constructor(source: string, text: string, at: (index: number) => number) {
    this.#source = source;
    this.#text = text;
    this.#at = at;
    this.#tokens = tokensOf(text);
    this.#languages = languagesOf(this.#tokens);
  }

  get tokens(): readonly Token[] {
    return this.#tokens;
  }

  #written = (token: Token): string => this.#source.slice(this.#at(token.start), this.#at(token.end));

  #isGap(at: number): boolean {
    const token = this.#tokens[at];
    return token !== undefined && (token.kind === 'space' || token.kind === 'group' || token.text === '-');
  }

  #isWord(at: number, ...words: string[]): boolean {
    const token = this.#tokens[at];
    return token?.kind === 'word' && words.includes(token.text);
  }

  /** The words around a token, whatever stands between them but letters and digits. */
  #around(at: number): Around {
    return {
      word: (offset) => this.#tokens[at + 2 * offset]?.text ?? '',
      hyphened: this.#tokens[at + 1]?.text === '-',
    };
  }

  /** The unit that stands at a place or one gap after it. */
  #unitAt(at: number): { end: number; word: UnitWord | null } | null {
    const gap = this.#isGap(at) ? 1 : 0;
    const token = this.#tokens[at + gap];
    if (token === undefined) return null;
    const is = (unit: Unit, factor: number, length = 1) => ({
      end: at + gap + length,
      word: { unit, factor },
    });
    if (token.kind === 'sign') {
      if (this.#tokens[at]?.text === '-') return null;
      if (token.text === '%') return is('ratio', 0.01);
      if (token.text === '‰') return is('ratio', 0.001);
      if (token.text === '×') return is('times', 1);
      if (token.text === '$') return gap === 0 ? is('usd', 1) : null;
      return OTHER_MONEY.has(token.text) ? { end: at + gap + 1, word: null } : null;
    }
    if (token.kind !== 'word') return null;
    const two = `${token.text} ${this.#tokens[at + gap + 2]?.text ?? ''}`;
    if (PER_CENT.has(two)) return is('ratio', 0.01, 3);
    if (token.text === 'x') return is('times', 1);
    if (OTHER_MONEY.has(token.text)) return { end: at + gap + 1, word: null };
    const word = unitWord(token.text);
    // "2D" is no time.
    if (word === undefined || (gap === 0 && this.#written(token) === 'D')) return null;
    return { end: at + gap + 1, word };
  }

  /** "and a half", "et demie", "y media" at a place: the index after it. */
  #andHalf(at: number): number | null {
    if (!this.#isGap(at)) return null;
    if (this.#isWord(at + 1, 'and') && this.#isWord(at + 3, 'a') && this.#isWord(at + 5, 'half'))
      return at + 6;
    const [and, half] = [at + 1, at + 3];
    if (this.#isWord(and, 'et') && this.#isWord(half, 'demi', 'demie')) return at + 4;
    return this.#isWord(and, 'y') && this.#isWord(half, 'medio', 'media') ? at + 4 : null;
  }

  /** The number at a token, in digits or words, without a unit. */
  #number(at: number): { end: number; meant: { value: number; step: number }[]; of: number | null } | null {
    const token = this.#tokens[at];
    if (token === undefined) return null;
    const number = token.kind === 'word' ? this.#words(at) : digitNumber(this.#tokens, at, this.#written);
    if (number === null || number.of !== null) return number;
    const half = this.#andHalf(number.end);
    if (half === null) return number;
    const meant = number.meant.map(({ value }) => ({ value: value + 0.5, step: 0.1 }));
    return { end: half, meant, of: null };
  }

  #words(at: number): { end: number; meant: { value: number; step: number }[]; of: null } | null {
    let end = at;
    let meant: { value: number; step: number }[] = [];
    for (const language of LANGUAGES) {
      const number = wordNumber(this.#tokens, at, language);
      if (number === null || number.end < end || !this.#isSure(at, number.end, language)) continue;
      if (number.end > end) meant = [];
      end = number.end;
      meant.push({ value: number.value, step: number.step });
    }
    return meant.length === 0 ? null : { end, meant, of: null };
  }

  /** Whether words of a language are a number there: the text shows the language, or a word is a number in it only. */
  #isSure(from: number, end: number, language: Language): boolean {
    const words = this.#tokens.slice(from, end).filter(({ kind }) => kind === 'word');
    const [first] = words;
    if (words.length === 1 && first !== undefined && ONES.has(first.text))
      return this.#isCountingOne(from, end, language);
    if (this.#languages.has(language)) return true;
    return words.some(({ text }) => !isDoubtful(text, language)) || this.#unitAt(end) !== null;
  }

  #isCountingOne(from: number, end: number, language: Language): boolean {
    const unit = this.#unitAt(end);
    if (unit !== null) return true;
    if (language !== 'en') return false;
    const after = this.#tokens[this.#isGap(end) ? end + 1 : end];
    const before = this.#tokens[from - 2]?.text ?? '';
    return !ONE_AFTER.has(before) && !(after?.kind === 'word' && ONE_BEFORE.has(after.text));
  }

  /** Digits with colons between them that say how long something took. */
  #clock(at: number): Found | null {
    const parts: string[] = [];
    let end = at;
    while (parts.length < 3 && this.#tokens[end]?.kind === 'digits') {
      parts.push(this.#tokens[end]?.text ?? '');
      end += 1;
      if (this.#tokens[end]?.text !== ':' || this.#tokens[end + 1]?.kind !== 'digits') break;
      end += 1;
    }
    if (parts.length < 2) return null;
    const unit = this.#unitAt(end);
    const hours = parts.length === 3 || unit?.word?.factor === 3_600;
    const value = parts.reduce((sum, part) => sum * 60 + Number(part), 0);
    const step = hours && parts.length === 2 ? 60 : 1;
    const readings = [readingOf(value * step, step, 's')];
    const unitEnd = unit?.word?.unit === 's' ? unit.end : end;
    return { from: at, end, unitEnd, readings, isDigits: true };
  }

  /** Further parts of a time: "6 min 55 s", "an hour and ten minutes". */
  #further(at: number, factor: number): { end: number; value: number; step: number } | null {
    let end = at;
    let value = 0;
    let step: number | null = null;
    let least = factor;
    for (let parts = 0; parts < 4; parts += 1) {
      let next = end;
      if (this.#tokens[next]?.text === ',') next += 1;
      if (this.#isGap(next) && this.#tokens[next]?.text !== '-') next += 1;
      if (this.#isWord(next, 'and', 'und', 'et', 'y') && this.#isGap(next + 1)) next += 2;
      const number = next === end && this.#tokens[end]?.kind !== 'digits' ? null : this.#number(next);
      const [meant] = number?.meant ?? [];
      if (number === null || meant === undefined || number.of !== null) break;
      const unit = this.#unitAt(number.end);
      if (unit?.word?.unit !== 's' || unit.word.factor >= least) break;
      least = unit.word.factor;
      value += meant.value * least;
      step = meant.step * least;
      end = unit.end;
    }
    return step === null ? null : { end, value, step };
  }

  /** A number with its unit, whatever it is made of. */
  #quantity(at: number): Found | null {
    const number = this.#number(at);
    if (number === null) return null;
    const isDigits = this.#tokens[at]?.kind !== 'word';
    const found = (end: number, unitEnd: number, readings: Reading[]): Found => ({
      from: at,
      end,
      unitEnd,
      readings,
      isDigits,
    });
    let { end } = number;
    const { meant, of } = number;
    if (of !== null) {
      const quotient = meant.map(({ value }) => readingOf(value / of, 0.01, 'ratio'));
      const points = of === 10 ? meant.map(({ value, step }) => readingOf(value, step, 'points')) : [];
      const unit = of === 10 ? this.#unitAt(end) : null;
      return found(end, unit?.word?.unit === 'points' ? unit.end : end, [...points, ...quotient]);
    }
    const outOf = this.#outOfTen(end);
    if (outOf !== null)
      return found(
        outOf,
        outOf,
        meant.map(({ value, step }) => readingOf(value, step, 'points')),
      );
    const part = this.#isGap(end) ? partOf(this.#tokens[end + 1]?.text ?? '') : undefined;
    if (part !== undefined)
      return found(
        end + 2,
        end + 2,
        meant.map(({ value }) => readingOf(value * part, 0.01, 'ratio')),
      );
    const unit = this.#unitAt(end);
    if (unit === null)
      return found(
        end,
        end,
        meant.map(({ value, step }) => readingOf(value, step, null)),
      );
    if (unit.word === null) return found(unit.end, unit.end, []);
    const { unit: id, factor } = unit.word;
    const signed = this.#tokens[unit.end - 1]?.kind === 'sign' || this.#isWord(unit.end - 1, 'x');
    if (signed) end = unit.end;
    const readings = meant.map(({ value, step }) => readingOf(value * factor, step * factor, id));
    // "1.2m tokens": a lone letter that may be minutes or millions.
    const counted = this.#isWord(unit.end - 1, 'm') ? this.#unitAt(unit.end) : null;
    if (counted?.word && counted.word.unit !== 's') {
      const { word } = counted;
      const millions = meant.map(({ value, step }) => readingOf(value * 1e6, step * 1e6, word.unit));
      return found(unit.end, counted.end, millions);
    }
    if (id !== 's') return found(end, unit.end, readings);
    const half = this.#andHalf(unit.end);
    if (half !== null)
      return found(
        half,
        half,
        meant.map(({ value }) => readingOf((value + 0.5) * factor, 0.1 * factor, 's')),
      );
    const more = this.#further(unit.end, factor);
    if (more === null) return found(end, unit.end, readings);
    return found(
      more.end,
      more.end,
      meant.map(({ value }) => readingOf(value * factor + more.value, more.step, 's')),
    );
  }

  /** "out of 10", "of ten" behind a score: the index after it. */
  #outOfTen(at: number): number | null {
    if (!this.#isGap(at)) return null;
    const of = this.#isWord(at + 1, 'out') && this.#isWord(at + 3, 'of') ? at + 4 : at + 2;
    if (!this.#isWord(of - 1, 'of', 'von', 'sur', 'sobre') || !this.#isGap(of)) return null;
    const ten = this.#tokens[of + 1]?.text ?? '';
    return ['10', 'ten', 'zehn', 'dix', 'diez'].includes(ten) ? of + 2 : null;
  }

  #amount(at: number, amount: Amount): Found {
    const { value, low, high, unit, words, article, isOrdinal } = amount;
    const end = at + 2 * words - 1;
    const behind = words === 1 ? this.#unitAt(end) : null;
    const own = unit === null || behind?.word?.unit === unit ? behind : null;
    const counted = unit === null ? (own?.word ?? null) : null;
    const slack = unit === 'ratio' || unit === 'times' ? 0.005 : 0;
    const reading = (by: number, of: Unit | null): Reading => ({
      value: value * by,
      low: low * by - slack,
      high: high * by + slack,
      unit: of,
    });
    const half = unit === 's' ? this.#andHalf(end) : null;
    if (half !== null)
      return {
        from: at,
        end: half,
        unitEnd: half,
        readings: [readingOf(value * 1.5, value * 0.1, 's')],
        isDigits: false,
      };
    return {
      from: article ? Math.max(0, at - 2) : at,
      end,
      unitEnd: own?.word == null ? end : own.end,
      readings: [
        counted === null ? reading(1, unit) : reading(counted.factor, counted.unit),
        ...(unit === 'times' ? [reading(1, null)] : []),
      ],
      isDigits: false,
      isOrdinal,
    };
  }

  /** A sign, a currency or an "x" in front of a number in digits. */
  #prefixed(at: number): { from: number; sign: number; unit: Unit | null; foreign: boolean } {
    let from = at;
    let unit: Unit | null = null;
    let foreign = false;
    const before = (index: number): Token | undefined => this.#tokens[index];
    const lead = before(from - 1);
    if (lead?.text === '$' || lead?.text === 'usd' || lead?.text === 'x') {
      unit = lead.text === 'x' ? 'times' : 'usd';
      from -= 1;
    } else if (lead !== undefined && OTHER_MONEY.has(lead.text)) {
      foreign = true;
      from -= 1;
    }
    const sign = before(from - 1)?.text;
    const outside = before(from - 2);
    if (
      (sign === '-' || sign === '+') &&
      (outside === undefined || outside.kind === 'space' || outside.text === '(')
    )
      return { from: from - 1, sign: sign === '-' ? -1 : 1, unit, foreign };
    return { from, sign: 1, unit, foreign };
  }

  /** What stands right behind digits makes them an ordinal ("3rd"), a name ("4b") or nothing of the kind. */
  #suffix(at: number): 'ordinal' | 'name' | null {
    const token = this.#tokens[at];
    if (token?.kind !== 'word') return null;
    if (['st', 'nd', 'rd', 'th', 'er', 'ere', 'eme', 'e', 'o'].includes(token.text)) return 'ordinal';
    return token.text.length < 3 ? 'name' : null;
  }

  /** The figure that begins at a token, or null. */
  find(at: number): Found | 'name' | null {
    const token = this.#tokens[at];
    switch (token?.kind) {
      case 'word': {
        const quantity = this.#quantity(at);
        const amount = amountAt(this.#around(at));
        if (quantity === null) return amount === null ? null : this.#amount(at, amount);
        const article = this.#tokens[at - 2];
        if (/^(?:hundred|thousand|million|dozen)$/.test(token.text) && this.#isWord(at - 2, 'a', 'an'))
          return { ...quantity, from: article === undefined ? at : at - 2 };
        if (amount !== null && amount.value !== quantity.readings[0]?.value)
          return { ...quantity, readings: [...this.#amount(at, amount).readings, ...quantity.readings] };
        return quantity;
      }
      case 'digits':
      case 'vulgar':
        return this.#digits(at);
      case 'odd':
        return { from: at, end: at + 1, unitEnd: at + 1, readings: [], isDigits: true };
      case 'sign': {
        const before = this.#tokens[at - 1];
        const leads = before === undefined || before.kind === 'space' || before.kind === 'sign';
        return token.text === '.' && leads && this.#tokens[at + 1]?.kind === 'digits'
          ? this.#digits(at)
          : null;
      }
      default:
        return null;
    }
  }

  #digits(at: number): Found | 'name' | null {
    const found = this.#clock(at) ?? this.#quantity(at);
    if (found === null) return null;
    const { from, sign, unit, foreign } = this.#prefixed(at);
    let { end, unitEnd, readings } = found;
    let isOrdinal = false;
    if (end === unitEnd) {
      const suffix = this.#suffix(end);
      if (suffix === 'name') return 'name';
      if (suffix === 'ordinal') {
        isOrdinal = true;
        end += 1;
        unitEnd = end;
        const counted = this.#unitAt(end);
        if (counted?.word?.unit === 'attempts') {
          unitEnd = counted.end;
          readings = readings.map((reading) => ({ ...reading, unit: 'attempts' as const }));
        }
      }
    }
    if (unit !== null) readings = readings.map((reading) => ({ ...reading, unit }));
    if (sign < 0)
      readings = readings.map(({ value, low, high, unit: of }) => ({
        value: -value,
        low: -high,
        high: -low,
        unit: of,
      }));
    return { from, end, unitEnd, readings: foreign ? [] : readings, isDigits: true, isOrdinal };
  }

  /** A found number as it is told, with the places of the text as given. */
  told({ from, end, unitEnd, readings, isDigits, isOrdinal = false }: Found): TypedFigure {
    const first = this.#tokens[from]?.start ?? 0;
    const last = this.#tokens[end - 1]?.end ?? first;
    const after = this.#tokens[unitEnd - 1]?.end ?? last;
    const before = this.#text.slice(Math.max(0, first - LOOK_BACK), first);
    const glued = SLOT.test(
      this.#text.slice(Math.max(0, first - 1), first) + this.#text.slice(after, after + 1),
    );
    const meant = glued ? [] : HEDGED.test(before) && isDigits ? readings.map(hedged) : readings;
    const [start, stop] = [this.#at(first), this.#at(last)];
    return {
      start,
      end: stop,
      text: this.#source.slice(start, stop),
      unitEnd: this.#at(after),
      value: meant[0]?.value ?? null,
      unit: meant[0]?.unit ?? null,
      readings: meant,
      bound: MORE.test(before) ? 'more' : LESS.test(before) ? 'less' : null,
      isOrdinal,
    };
  }
}

const readingOf = (value: number, step: number, unit: Unit | null): Reading => ({
  value,
  low: value - step / 2,
  high: value + step / 2,
  unit,
});

/** "About 4,000": the zeros at its end may be rounded. */
function hedged(reading: Reading): Reading {
  const factor = reading.unit === 's' ? timeFactor(reading.value) : 1;
  const plain = Math.abs(reading.value / factor);
  let step = 1;
  if (Number.isInteger(plain) && plain > 0) while (plain % (step * 10) === 0) step *= 10;
  const slack = (step * factor) / 2;
  return {
    ...reading,
    low: Math.min(reading.low, reading.value - slack),
    high: Math.max(reading.high, reading.value + slack),
  };
}

/** The largest of hours, minutes and seconds that a time is a whole number of. */
const timeFactor = (seconds: number): number => [3_600, 60].find((size) => seconds % size === 0) ?? 1;

/**
 * Numbers typed in a text: digits and number words of English, German, French and Spanish, decimals, per cent, quotients,
 * times of several parts, "45k", "both", "twice", "a couple", "dozens", "half again", "first try". Ids ("#28", "feature 28",
 * "E3", "US-003"), dates, clock times, hashes, versions and places in files are references, not figures.
 * Hidden characters, accents, other scripts' digits and look-alike letters make no difference. Takes time in proportion to
 * the text.
 * @param text plain text; only the first LIMITS.planBytes characters are read
 * @param names names of the record that hold numbers, as `numberedNames` gives them: references too
 * @returns in order of the text, never overlapping
 */
export function findTypedFigures(text: string, names: readonly string[] = []): TypedFigure[] {
  const { text: plain, at } = plainOf(text);
  const reader = new Reader(text, plain, at);
  const references = [...referencesIn(plain), ...nameSpans(plain, names)].sort(([a], [b]) => a - b);
  const found: TypedFigure[] = [];
  const { tokens } = reader;
  let next = 0;
  let covered = 0;
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index];
    if (token === undefined) break;
    // Both are in order, so one pass is enough: `covered` is how far the references seen so far reach.
    for (let span = references[next]; span && span[0] <= token.start; span = references[next]) {
      covered = Math.max(covered, span[1]);
      next += 1;
    }
    if (token.start < covered) {
      index += 1;
      continue;
    }
    const figure = reader.find(index);
    if (figure === null) {
      index += 1;
      continue;
    }
    if (figure === 'name') {
      index += 2;
      continue;
    }
    found.push(reader.told(figure));
    index = Math.max(index + 1, figure.end);
  }
  return found;
}
