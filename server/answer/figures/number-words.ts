import type { Token } from './tokens.ts';

/** Number words of English, German, French and Spanish, without accents. */

export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

type Kind = 'small' | 'tens' | 'hundreds' | 'hundred' | 'dozen' | 'scale';
interface Entry {
  kind: Kind;
  value: number;
}

const WORDS: Record<Language, Map<string, Entry>> = {
  en: new Map(),
  de: new Map(),
  fr: new Map(),
  es: new Map(),
};
const add = (language: Language, kind: Kind, values: readonly number[], words: string): void => {
  for (const [at, forms] of words.split(' ').entries())
    for (const word of forms.split('|')) WORDS[language].set(word, { kind, value: values[at] ?? 0 });
};
const upTo = (most: number, from = 0): number[] =>
  Array.from({ length: most - from + 1 }, (_, at) => from + at);
const TENS = [20, 30, 40, 50, 60, 70, 80, 90];
const SCALES = [1e3, 1e6, 1e9];

add(
  'en',
  'small',
  upTo(19),
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
);
add('en', 'tens', TENS, 'twenty thirty forty|fourty fifty sixty seventy eighty ninety');
add('en', 'hundred', [100], 'hundred');
add('en', 'dozen', [12], 'dozen');
add('en', 'scale', [...SCALES, 1e12], 'thousand million billion trillion');
add(
  'de',
  'small',
  upTo(19, 1),
  'ein|eins|eine|einen|einem|einer zwei|zwo drei vier funf|fuenf sechs sieben acht neun zehn elf zwolf|zwoelf dreizehn vierzehn funfzehn|fuenfzehn sechzehn siebzehn achtzehn neunzehn',
);
add('de', 'tens', TENS, 'zwanzig dreissig|dreizig vierzig funfzig|fuenfzig sechzig siebzig achtzig neunzig');
add('de', 'hundred', [100], 'hundert');
add('de', 'dozen', [12], 'dutzend');
add('de', 'scale', SCALES, 'tausend million|millionen milliarde|milliarden');
add(
  'fr',
  'small',
  upTo(16),
  'zero un|une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize',
);
add('fr', 'tens', TENS, 'vingt|vingts trente quarante cinquante soixante septante huitante|octante nonante');
add('fr', 'hundred', [100], 'cent|cents');
add('fr', 'dozen', [12], 'douzaine');
add('fr', 'scale', SCALES, 'mille million|millions milliard|milliards');
add(
  'es',
  'small',
  upTo(19),
  'cero un|uno|una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve',
);
add(
  'es',
  'hundreds',
  upTo(29, 21),
  'veintiuno|veintiun|veintiuna veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve',
);
add('es', 'tens', TENS, 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa');
add(
  'es',
  'hundreds',
  [200, 300, 400, 500, 600, 700, 800, 900],
  'doscientos|doscientas trescientos|trescientas cuatrocientos|cuatrocientas quinientos|quinientas seiscientos|seiscientas setecientos|setecientas ochocientos|ochocientas novecientos|novecientas',
);
add('es', 'hundred', [100], 'cien|ciento');
add('es', 'dozen', [12], 'docena');
add('es', 'scale', [1e3, 1e6], 'mil millon|millones');

/** Words that are a number in one language and something else in another: read as one only where the language shows. */
const DOUBTFUL: Record<Language, ReadonlySet<string>> = {
  en: new Set(),
  de: new Set('ein eine einen einem einer elf million'.split(' ')),
  fr: new Set('un une sept seize cent cents six million millions'.split(' ')),
  es: new Set('un una uno dos tres once quince mil'.split(' ')),
};

/** Words that only that language has, and common ones. */
const SIGNS: Record<Language, ReadonlySet<string>> = {
  en: new Set(),
  de: new Set(
    'der das und nicht wurde wurden dauerte brauchte ist mit nach hat auf zum beim sind war dass'.split(' '),
  ),
  fr: new Set('le les des est dans pour avec du ont sont apres a ete fallu pris il elle cette'.split(' ')),
  es: new Set('el los las fue fueron con para del tardo despues se necesito en hubo duro esta'.split(' ')),
};

/** Languages a text shows signs of, beside English. */
export function languagesOf(tokens: readonly Token[]): Set<Language> {
  const seen: Record<Language, Set<string>> = { en: new Set(), de: new Set(), fr: new Set(), es: new Set() };
  for (const token of tokens)
    if (token.kind === 'word')
      for (const language of LANGUAGES) if (SIGNS[language].has(token.text)) seen[language].add(token.text);
  return new Set<Language>(['en', ...LANGUAGES.filter((language) => seen[language].size > 1)]);
}

/** Whether a word is read as a number of a language only where the text shows that language. */
export const isDoubtful = (word: string, language: Language): boolean => DOUBTFUL[language].has(word);

const AND: Record<Language, string | null> = { en: 'and', de: null, fr: 'et', es: 'y' };
/** Longest word that is taken apart, and most words of one number. */
const LONGEST = 60;
const MOST = 14;

const german = (word: string): number | undefined => {
  const entry = WORDS.de.get(word);
  return entry?.kind === 'small' || entry?.kind === 'tens' ? entry.value : undefined;
};

function germanTens(word: string): number | undefined {
  const known = german(word);
  if (known !== undefined) return known;
  const at = word.indexOf('und');
  if (at <= 0) return undefined;
  const [ones, tens] = [german(word.slice(0, at)), german(word.slice(at + 3))];
  return ones !== undefined && tens !== undefined && ones < 10 && tens >= 20 ? ones + tens : undefined;
}

/** What stands around a part of a German number ("zwei" hundert "fünf"): a value each, or undefined where one is no number. */
function around(
  word: string,
  part: string,
  size: number,
  read: (word: string) => number | undefined,
  rest: (word: string) => number | undefined,
): number | undefined {
  const at = word.indexOf(part);
  if (at < 0) return rest(word);
  const [before, after] = [word.slice(0, at), word.slice(at + part.length).replace(/^und(?=.)/, '')];
  const many = before === '' ? 1 : read(before);
  const more = after === '' ? 0 : rest(after);
  return many === undefined || more === undefined ? undefined : many * size + more;
}

const germanHundreds = (word: string): number | undefined =>
  around(word, 'hundert', 100, germanTens, germanTens);

/** A German number written as one word ("dreihundertfünfundzwanzig"). */
const germanWhole = (word: string): number | undefined =>
  word.length > LONGEST ? undefined : around(word, 'tausend', 1_000, germanHundreds, germanHundreds);

function entryOf(word: string, language: Language): Entry | undefined {
  const known = WORDS[language].get(word);
  if (known !== undefined || language !== 'de') return known;
  const value = germanWhole(word);
  return value === undefined ? undefined : { kind: 'hundreds', value };
}

/** What a number has become with one more word, or null where that word does not continue it. */
function joined(current: number | null, { kind, value }: Entry, language: Language): number | null {
  switch (kind) {
    case 'small': {
      if (current === null) return value;
      const open = current % 100;
      if (value === 0 || current === 0) return null;
      if (open === 0) return current + value;
      if (value < 10 && open >= 20 && open % 10 === 0) return current + value;
      if (language !== 'fr') return null;
      // "soixante et onze", "quatre-vingt-dix-sept".
      if (value >= 10 && (open === 60 || open === 80)) return current + value;
      return value < 10 && value > 6 && (open === 10 || open === 70 || open === 90) ? current + value : null;
    }
    case 'tens':
      if (language === 'fr' && value === 20 && current !== null && current % 100 === 4) return current + 76;
      return current === null || (current > 0 && current % 100 === 0) ? (current ?? 0) + value : null;
    case 'hundreds':
      return current === null || (current > 0 && current % 100 === 0 && value < 100)
        ? (current ?? 0) + value
        : null;
    case 'hundred':
      return current === null ? 100 : current > 0 && current < 100 ? current * 100 : null;
    case 'dozen':
      return current === null ? 12 : current > 0 && current < 100 ? current * 12 : null;
    case 'scale':
      return null;
  }
}

export interface WordNumber {
  /** Index after its last token. */
  end: number;
  value: number;
  /** What one more of its last word would be: 1 000 for "forty thousand". */
  step: number;
}

/** Where the next word of a number stands: after one space or hyphen, perhaps with "and" between. */
function nextWord(tokens: readonly Token[], at: number, language: Language): number | null {
  const gap = (index: number): boolean => {
    const token = tokens[index];
    return token !== undefined && (token.kind === 'space' || token.kind === 'group' || token.text === '-');
  };
  if (!gap(at)) return null;
  const and = AND[language];
  if (and !== null && tokens[at + 1]?.text === and && gap(at + 2)) return at + 3;
  return at + 1;
}

/** The number in words of one language that begins at a token, as far as it goes; null when none does. */
export function wordNumber(tokens: readonly Token[], start: number, language: Language): WordNumber | null {
  let total = 0;
  let current: number | null = null;
  let scale = Number.POSITIVE_INFINITY;
  let end: number | null = null;
  let at: number | null = start;
  for (let words = 0; at !== null && words < MOST; words += 1) {
    const token: Token | undefined = tokens[at];
    const entry = token?.kind === 'word' ? entryOf(token.text, language) : undefined;
    if (entry === undefined) break;
    if (entry.kind === 'scale') {
      if (entry.value >= scale || current === 0 || (current === null && end !== null)) break;
      total += (current ?? 1) * entry.value;
      scale = entry.value;
      current = null;
    } else {
      const next = joined(current, entry, language);
      if (next === null || next >= scale) break;
      current = next;
    }
    end = at + 1;
    at = nextWord(tokens, end, language);
  }
  if (end === null) return null;
  return { end, value: total + (current ?? 0), step: current === null ? scale : 1 };
}
