import type { Unit } from '../../../shared/cards.ts';
import { unitWord } from './units.ts';

/** Words that say an amount by themselves: "twice", "a couple", "dozens", "half again", "on the first try". */

export interface Amount {
  value: number;
  unit: Unit | null;
  /** The least and the most it may stand for; both are the value where it is exact. */
  low: number;
  high: number;
  /** How many words it takes, and whether an article in front belongs to it. */
  words: number;
  article: boolean;
  /** A place in an order. */
  isOrdinal: boolean;
}

/** Words around a place in a text; '' past its ends. */
export interface Around {
  /** The nth word from here: 0 is the word itself, -1 the one before, 1 the one after. */
  word(offset: number): string;
  /** Whether only a hyphen stands between the word and the next one. */
  hyphened: boolean;
}

const exact = (value: number, unit: Unit | null = null, words = 1, article = false): Amount => ({
  value,
  unit,
  low: value,
  high: value,
  words,
  article,
  isOrdinal: false,
});
const ordinal = (value: number, unit: Unit | null = null): Amount => ({
  ...exact(value, unit),
  isOrdinal: true,
});
const vague = (low: number, high: number): Amount => ({ ...exact(low), low, high });

const MULTIPLES = new Map<string, number>([
  ['doubled', 2],
  ['doubling', 2],
  ['tripled', 3],
  ['tripling', 3],
  ['trebled', 3],
  ['quadrupled', 4],
  ['quadruple', 4],
  ['quintupled', 5],
  ['halved', 0.5],
  ['halving', 0.5],
  ['twofold', 2],
  ['threefold', 3],
  ['fourfold', 4],
  ['fivefold', 5],
  ['sixfold', 6],
  ['sevenfold', 7],
  ['eightfold', 8],
  ['ninefold', 9],
  ['tenfold', 10],
  ['hundredfold', 100],
  ['doppelt', 2],
  ['doppelte', 2],
  ['doppelten', 2],
  ['verdoppelt', 2],
  ['verdreifacht', 3],
  ['zweifach', 2],
  ['dreifach', 3],
  ['vierfach', 4],
  ['halbiert', 0.5],
  ['einmal', 1],
  ['zweimal', 2],
  ['dreimal', 3],
  ['viermal', 4],
  ['funfmal', 5],
  ['sechsmal', 6],
  ['siebenmal', 7],
  ['achtmal', 8],
  ['neunmal', 9],
  ['zehnmal', 10],
]);
/** Twice as much of something, unless the word belongs to another one ("double-check", "double quotes"). */
const DOUBLES = new Map([
  ['double', 2],
  ['triple', 3],
  ['doble', 2],
]);
const DOUBLED = new Set('the that what its it le la de el du of as than'.split(' '));

const DOZENS = new Map<string, Amount>([
  ['dozens', vague(20, 199)],
  ['hundreds', vague(150, 1_999)],
  ['thousands', vague(1_500, 19_999)],
  ['millions', vague(1.5e6, 1.9999e7)],
  ['billions', vague(1.5e9, 1.9999e10)],
  ['dutzende', vague(20, 199)],
  ['hunderte', vague(150, 1_999)],
  ['tausende', vague(1_500, 19_999)],
  ['douzaines', vague(20, 199)],
  ['centaines', vague(150, 1_999)],
  ['milliers', vague(1_500, 19_999)],
  ['docenas', vague(20, 199)],
  ['cientos', vague(150, 1_999)],
  ['miles', vague(1_500, 19_999)],
]);

const PARTS = new Map<string, number>([
  ['third', 1 / 3],
  ['thirds', 1 / 3],
  ['quarter', 0.25],
  ['quarters', 0.25],
  ['fifths', 0.2],
  ['sixths', 1 / 6],
  ['eighths', 1 / 8],
  ['tenths', 0.1],
  ['drittel', 1 / 3],
  ['viertel', 0.25],
  ['tiers', 1 / 3],
  ['quart', 0.25],
  ['tercio', 1 / 3],
  ['tercios', 1 / 3],
]);
/** What a part a number word stands before is: two "thirds". */
export const partOf = (word: string): number | undefined => PARTS.get(word);

const ORDINALS = new Map<string, number>();
for (const [at, forms] of [
  'first|erste|erster|ersten|premier|premiere|primer|primera|primero',
  'second|zweite|zweiter|zweiten|deuxieme|segundo|segunda',
  'third|dritte|dritter|dritten|troisieme|tercer|tercera|tercero',
  'fourth|vierte|vierter|vierten|quatrieme|cuarto|cuarta',
  'fifth|funfte|funfter|funften|cinquieme|quinto|quinta',
  'sixth|sechste|sechster|sechsten|sixieme|sexto|sexta',
  'seventh|siebte|siebter|siebten|septieme|septimo|septima',
  'eighth|achte|achter|achten|huitieme|octavo|octava',
  'ninth|neunte|neunter|neunten|neuvieme|noveno|novena',
  'tenth|zehnte|zehnter|zehnten|dixieme|decimo|decima',
  'eleventh',
  'twelfth',
].entries())
  for (const form of forms.split('|')) ORDINALS.set(form, at + 1);

const RANKED =
  /^(?:\p{L}{2,20}est|most|least|best|worst|place|rank|platz|meist\p{L}{0,6}|langsamste\p{L}{0,2}|plus|moins|mas|menos)$/u;
/** Superlative-looking words that rank nothing. */
const NO_RANK = new Set([
  'test',
  'request',
  'rest',
  'guest',
  'quest',
  'west',
  'latest',
  'honest',
  'interest',
]);

const isArticle = (word: string): boolean => word === 'a' || word === 'an' || word === 'the';
const HALVES = new Set(['half', 'halfte', 'moitie', 'mitad']);

function half({ word, hyphened }: Around): Amount | null {
  // "the other half", "the second half": a part of something, not how much of it.
  if (ORDINALS.has(word(-1)) || word(-1) === 'other') return null;
  if (word(0) !== 'half') return exact(0.5, 'ratio');
  if (word(1) === 'again') return exact(1.5, 'times', 2);
  const article = word(1) === 'a' || word(1) === 'an';
  if (article && word(2) === 'dozen') return exact(6, null, 3);
  const unit = unitWord(word(article ? 2 : 1));
  if (unit?.unit === 's' && (article || hyphened)) return exact(0.5 * unit.factor, 's', article ? 3 : 2);
  return exact(0.5, word(1) === 'as' ? 'times' : 'ratio');
}

/** An article before a time says how long: "took a minute", "almost an hour". */
const BEFORE_TIME = new Set(
  'took takes take lasted about almost nearly roughly over under within after than only just in for'.split(
    ' ',
  ),
);
const LATER = new Set(
  'the it this that these those a an all they we you he she every each more its'.split(' '),
);

/** The amount a word stands for where it stands, or null. */
export function amountAt(around: Around): Amount | null {
  const { word, hyphened } = around;
  const here = word(0);
  if (HALVES.has(here)) return half(around);
  const vagueOne = DOZENS.get(here);
  if (vagueOne !== undefined) return vagueOne;
  const multiple = MULTIPLES.get(here);
  if (multiple !== undefined) return exact(multiple, 'times');
  const double = DOUBLES.get(here);
  if (double !== undefined) return !hyphened && DOUBLED.has(word(1)) ? exact(double, 'times') : null;
  switch (here) {
    case 'once':
      // "once it was accepted", "at once".
      return LATER.has(word(1)) || word(-1) === 'at' ? null : exact(1);
    case 'single':
      return exact(1);
    case 'twice':
    case 'both':
      return exact(2);
    case 'thrice':
      return exact(3);
    case 'couple':
    case 'pair':
      return isArticle(word(-1)) && word(1) === 'of' ? exact(2, null, 1, true) : null;
    case 'a':
    case 'an':
    case 'eine':
    case 'une':
    case 'una': {
      const unit = unitWord(word(1));
      if (unit?.unit !== 's' || unit.factor < 60 || word(1).length < 3) return null;
      return BEFORE_TIME.has(word(-1)) ? exact(unit.factor, 's', 2) : null;
    }
  }
  const part = PARTS.get(here);
  if (part !== undefined && isArticle(word(-1)) && word(-1) !== 'the' && word(1) === 'of')
    return exact(part, 'ratio', 1, true);
  return ordinalAt(around);
}

/** "first try", "third slowest", "the third feature": a place in an order, where something follows that is counted. */
function ordinalAt({ word }: Around): Amount | null {
  const value = ORDINALS.get(word(0));
  if (value === undefined) return null;
  const next = word(1);
  const unit = unitWord(next)?.unit;
  if (unit === 'attempts') return ordinal(value, 'attempts');
  if (RANKED.test(next) && !NO_RANK.has(next)) return ordinal(value);
  return value > 2 && unit !== undefined ? ordinal(value) : null;
}
