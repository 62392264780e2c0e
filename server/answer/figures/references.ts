/** What holds digits or number words without being a figure. All patterns are bounded, and read a plain text (see plain.ts). */

const MONTH =
  '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mai|okt|dez|janv|fevr|mars|avril|juin|juil|aout|enero|abril|mayo|agosto|dic|marz)[a-z]{0,8}\\.?';
const DAY = '\\d{1,2}(?:st|nd|rd|th|er|\\.)?';
const AND = '(?:\\s?,\\s?|\\s(?:and|or|to|und|oder|bis|et|ou|y|o)\\s|\\s?[-–]\\s?)';
/** Numbers of the things a person can point at one by one. */
const THING =
  '(?:feature|run|attempt|commit|line|card|item|row|pass|step|no\\.|nr\\.|number|version|node|issue|story|requirement|iteration|session|versuch|zeile|tentative|ligne|intento|linea|page|port|python|release|phase|sprint|task)';
const THINGS =
  '(?:features|runs|attempts|commits|lines|cards|items|rows|passes|steps|issues|stories|iterations|sessions|versuche|zeilen|tentatives|lignes|intentos|lineas|tasks)';
/** What stands behind a number that counts something: then the word before it names no single thing. */
const COUNTED =
  '(?![\\d.,]{0,8}\\s?(?:%|×|(?:s|ms|min|h|times|(?:second|minute|hour|point|attempt|feature|line|file|token|test|requirement)s?)(?![a-z])))';

const PATTERNS: readonly RegExp[] = [
  // #28, #3 and #4
  new RegExp(`#\\s?\\d{1,9}(?:${AND}#\\s?\\d{1,9}){0,20}`, 'g'),
  // feature 28, line 71-80; features 3, 13 and 28
  new RegExp(`(?<![\\p{L}\\d])${THING}\\s#?[a-f]{0,8}\\d{1,9}[\\da-f]{0,32}(?![\\da-f])${COUNTED}`, 'gu'),
  new RegExp(
    `(?<![\\p{L}\\d])${THINGS}\\s#?\\d{1,9}(?:${AND}#?\\d{1,9}){1,20}(?![\\d.,]{0,8}\\d)${COUNTED}`,
    'gu',
  ),
  // [E3]
  /\[e\d{1,3}(?:\s?,\s?e\d{1,3}){0,20}\]/g,
  // 2026-03-28, with or without its time; 28.03.2026, 3/28/2026
  /(?<!\d)\d{4}-\d{2}(?:-\d{2})?(?!\d)(?:[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:z|[+-]\d{2}:?\d{2})?)?/g,
  /(?<![\d.])\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})?(?![\d.])/g,
  /(?<![\d/])\d{1,2}\/\d{1,2}\/(?:\d{4}|\d{2})(?![\d/])/g,
  // 28 March 2026, March 28, 28 de marzo
  new RegExp(
    `(?<![\\p{L}\\d])${DAY}\\s(?:of\\s|de\\s)?${MONTH}(?![a-z])(?:,?\\s(?:de\\s)?\\d{4}(?!\\d))?`,
    'gu',
  ),
  new RegExp(`(?<![\\p{L}\\d])${MONTH}\\s${DAY}(?![\\p{L}\\d])(?:,?\\s\\d{4}(?!\\d))?`, 'gu'),
  new RegExp(`(?<![\\p{L}\\d])${MONTH}\\s(?:19|20)\\d{2}(?![\\p{L}\\d])`, 'gu'),
  // in 2026
  /(?<!\p{L})(?:in|since|until|by|year|seit|im jahr|en|depuis|desde)\s(?:19|20)\d{2}(?![\d.,%×]|\s?\p{L})/gu,
  // metrics.json:1412, src/a.ts:3-9, figure (c):4
  /(?<![\w./-])[\w./-]{0,80}[a-z_)][\w.-]{0,80}:\d{1,9}(?:[-–]\d{1,9})?/g,
  // 1.2.3, v4, 127.0.0.1:3000
  /(?<![\w.])(?!\d{1,3}(?:\.\d{3}){2,6}(?!\d))v?\d{1,6}(?:\.\d{1,6}){2,8}(?::\d{1,5})?(?![\w.]?\d)/g,
  // b5460df
  /(?<![\w])(?=[\da-f]{0,40}\d)(?=[\da-f]{0,40}[a-f])[\da-f]{7,40}(?!\w)/g,
];

/** A clock time; after a word that begins a stretch of time, or before a unit of one, it is a figure. */
const CLOCK = /(?<![\d:.])\d{1,2}:\d{2}(?::\d{2})?(?![\d:])/g;
const LASTING =
  /(?:took|takes|take|lasted|lasts|lasting|spent|ran|for|within|duration|dauerte|dure|duro|tardo)\s(?:about\s|only\s|just\s|almost\s)?$/;
const LONG = /^\s?(?:min|minutes|h|hours|hrs|long|s|seconds|minuten|stunden|heures|horas)(?![a-z])/;

/** Whether a clock-like number says how long something took. */
const isLasting = (text: string, start: number, end: number): boolean =>
  LONG.test(text.slice(end, end + 12)) || LASTING.test(text.slice(Math.max(0, start - 24), start));

/** Words of files and ids: letters with digits in them, such as `h264`, `us-003`, `t5`, `src/a1.ts`. */
const NAMED = /(?<![\p{L}\d])(?=[\w./-]{0,63}\d)(?=[\w./-]{0,63}\p{L})[\p{L}_][\w./-]{0,80}/gu;

const isCurrency = (word: string): boolean => /^(?:usd|eur|gbp|chf|x|n)[-=]?\d/.test(word);
/** "took999 s": a unit behind it shows that the digits count something. */
const COUNTS =
  /^\d{0,9}\s?(?:s|sec|seconds?|m|min|minutes?|h|hours?|%|×|x|points?|lines?|attempts?|tokens?|dollars?)(?![\p{L}\d])/u;

function namesIn(text: string): [number, number][] {
  const spans: [number, number][] = [];
  for (const match of text.matchAll(NAMED)) {
    const word = match[0].replace(/[./-]+$/, '');
    const end = match.index + word.length;
    if (!/\p{L}[-_]?\d/u.test(word) || isCurrency(word)) continue;
    const lead = /^\p{L}{3,40}(?=\d{1,9}(?:[.,]\d{1,9})?(?:s|min|h|m)?$)/u.exec(word);
    if (lead !== null && COUNTS.test(text.slice(match.index + lead[0].length, end + 16))) continue;
    spans.push([match.index, end]);
  }
  return spans;
}

/**
 * Spans of a plain text that are no figures: things named by number, dates and clock times, places in files, hashes,
 * citations, versions, names with a number in them.
 * @returns in order of their beginnings
 */
export function referencesIn(text: string): [start: number, end: number][] {
  const spans = namesIn(text);
  for (const pattern of PATTERNS)
    for (const match of text.matchAll(pattern)) spans.push([match.index, match.index + match[0].length]);
  for (const match of text.matchAll(CLOCK)) {
    const end = match.index + match[0].length;
    if (!isLasting(text, match.index, end)) spans.push([match.index, end]);
  }
  return spans.sort(([a], [b]) => a - b);
}
