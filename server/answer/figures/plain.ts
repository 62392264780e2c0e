import { LIMITS } from '../../../shared/limits.ts';

/** A text as numbers are looked for in it, and for each place in it (and its end) the place in the text as given. */
export interface Plain {
  /** Lower case, without accents and hidden characters, digits of every script as ASCII digits. */
  text: string;
  at(index: number): number;
}

/** Letters of other scripts that look like a Latin one: a word written with them reads the same. */
const LOOKALIKES = new Map(
  Object.entries({
    а: 'a',
    е: 'e',
    о: 'o',
    р: 'p',
    с: 'c',
    у: 'y',
    х: 'x',
    і: 'i',
    ј: 'j',
    ѕ: 's',
    һ: 'h',
    ԁ: 'd',
    ո: 'n',
    α: 'a',
    ε: 'e',
    ι: 'i',
    κ: 'k',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    τ: 't',
    υ: 'u',
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    ł: 'l',
    ı: 'i',
    '−': '-',
    '‐': '-',
    '‑': '-',
    '‒': '-',
    '’': "'",
    '⁄': '/',
    '∕': '/',
    '٪': '%',
    '٫': '.',
    '٬': ',',
    '✕': '×',
    '✖': '×',
    '╳': '×',
  }),
);

/** Spaces that stand between groups of digits. */
const GROUP_SPACE = /[\u00a0\u2007\u2009\u202f]/;
const RAISED = /[\u00b2\u00b3\u00b9\u2070-\u209f]/;

/**
 * Value of a decimal digit of any script. The ten digits of a script stand in a row that begins at a multiple of sixteen, or
 * six after one.
 */
function digitOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const low = code & 0xf;
  return String(/\p{Nd}/u.test(String.fromCodePoint(code - low)) ? low : low - 6);
}

/** How one character reads; '' for what nobody sees. */
function reads(character: string): string {
  if (GROUP_SPACE.test(character)) return '\u00a0';
  if (/\s/.test(character)) return ' ';
  if (/[\p{Cf}\p{M}]/u.test(character)) return '';
  const known = LOOKALIKES.get(character) ?? LOOKALIKES.get(character.toLowerCase());
  if (known !== undefined) return known;
  // A Roman numeral stays what it is.
  if (/\p{Nl}/u.test(character)) return character;
  const folded = character.normalize('NFKD').replace(/\p{M}/gu, '').replace('\u2044', '/');
  // "10²" is not 102: a raised number stands apart. A vulgar fraction is read whole, by its own value.
  if (/\p{No}/u.test(character)) {
    if (RAISED.test(character) && /^\d$/.test(folded)) return `^${folded}`;
    return /^\d{1,3}$/.test(folded) ? ` ${folded} ` : character;
  }
  if (/^\p{ASCII}+$/u.test(folded)) return folded.toLowerCase();
  if (/\p{Nd}/u.test(character)) return digitOf(character);
  const low = folded.toLowerCase();
  return low === '' ? character : low;
}

const ASCII = /^[\0-\x7f]*$/;

/**
 * A text as numbers are looked for in it. Only the first LIMITS.planBytes characters are read.
 * Takes time in proportion to the text.
 */
export function plainOf(given: string): Plain {
  const source = given.slice(0, LIMITS.planBytes);
  if (ASCII.test(source)) return { text: source.toLowerCase(), at: (index) => index };
  const parts: string[] = [];
  const places: number[] = [];
  let place = 0;
  for (const character of source) {
    const code = character.charCodeAt(0);
    const read = code < 0x80 ? character.toLowerCase() : reads(character);
    parts.push(read);
    for (let n = 0; n < read.length; n += 1) places.push(place);
    place += character.length;
  }
  return { text: parts.join(''), at: (index) => places[index] ?? place };
}
