import type { Unit } from '../../../shared/cards.ts';

/** Words that name a unit of figures, in the languages number words are read in; without accents, lower case. */

export interface UnitWord {
  unit: Unit;
  /** How many of the unit one of them is. */
  factor: number;
}

const DAY = 86_400;
const WORDS: readonly [unit: Unit, factor: number, words: string][] = [
  ['s', 0.001, 'ms msec msecs millisecond milliseconds millisekunden millisecondes milisegundos'],
  ['s', 1, 's sec secs second seconds sekunde sekunden sek seconde secondes segundo segundos'],
  ['s', 60, 'm min mins minute minutes minuten minuto minutos'],
  ['s', 3_600, 'h hr hrs hour hours stunde stunden std heure heures hora horas'],
  ['s', DAY, 'd day days tag tage tagen jour jours dia dias'],
  ['s', 7 * DAY, 'week weeks woche wochen semaine semaines semana semanas'],
  ['s', 30.4375 * DAY, 'month months monat monate monaten mois mes meses'],
  ['s', 365.25 * DAY, 'year years jahr jahre jahren ans annees ano anos'],
  ['points', 1, 'point points punkt punkte punkten punto puntos pts'],
  [
    'attempts',
    1,
    'attempt attempts try tries retry retries iteration iterations versuch versuche versuchen anlauf anlaufe tentative tentatives essai essais intento intentos intentona iteracion iteraciones iteration iterationen',
  ],
  [
    'features',
    1,
    'feature features funktion funktionen merkmale fonctionnalite fonctionnalites caracteristica caracteristicas funcionalidad funcionalidades',
  ],
  ['lines', 1, 'line lines loc zeile zeilen ligne lignes linea lineas'],
  ['files', 1, 'file files datei dateien fichier fichiers archivo archivos fichero ficheros'],
  ['commits', 1, 'commit commits'],
  ['tokens', 1, 'token tokens'],
  ['findings', 1, 'finding findings befund befunde hallazgo hallazgos'],
  ['requirements', 1, 'requirement requirements anforderung anforderungen exigences requisito requisitos'],
  ['gates', 1, 'gate gates'],
  ['entries', 1, 'entry entries eintrag eintrage entrees entradas'],
  ['tests', 1, 'test tests prueba pruebas'],
  ['usd', 1, 'dollar dollars usd bucks dolares'],
  ['usd', 0.01, 'cents'],
  ['ratio', 0.01, 'percent pct prozent pourcent percentage'],
  ['times', 1, 'times fold mal fach fois veces vez'],
];

const UNITS = new Map<string, UnitWord>();
for (const [unit, factor, words] of WORDS)
  for (const word of words.split(' ')) UNITS.set(word, { unit, factor });

/** What a word means as a unit, or undefined. */
export const unitWord = (word: string): UnitWord | undefined => UNITS.get(word);

/** Two words that mean one unit: "per cent". */
export const PER_CENT: ReadonlySet<string> = new Set(['per cent', 'pour cent', 'por ciento', 'v h']);

/** Words and letters that make a number larger, right behind it. Letters of which the case matters are asked as written. */
const LARGER = new Map([
  ['k', 1e3],
  ['tsd', 1e3],
  ['thousand', 1e3],
  ['tausend', 1e3],
  ['mille', 1e3],
  ['mil', 1e3],
  ['hundred', 100],
  ['hundert', 100],
  ['dozen', 12],
  ['dutzend', 12],
  ['mio', 1e6],
  ['mn', 1e6],
  ['mln', 1e6],
  ['million', 1e6],
  ['millions', 1e6],
  ['millionen', 1e6],
  ['millones', 1e6],
  ['bn', 1e9],
  ['mrd', 1e9],
  ['billion', 1e9],
  ['milliarden', 1e9],
  ['milliards', 1e9],
]);
const CAPITAL = new Map([
  ['M', 1e6],
  ['B', 1e9],
  ['G', 1e9],
  ['T', 1e12],
]);

/** @param written the word in the case it stands in */
export const largerBy = (written: string): number | undefined =>
  CAPITAL.get(written) ?? LARGER.get(written.toLowerCase());

/** Money that is no dollar: a number of it is no figure of the record. */
export const OTHER_MONEY: ReadonlySet<string> = new Set([
  '€',
  '£',
  '¥',
  'eur',
  'euro',
  'euros',
  'gbp',
  'pounds',
  'yen',
  'jpy',
  'chf',
]);
