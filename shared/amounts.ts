import type { Unit } from './cards.ts';

/** How units and money are written, in one place for server and page. */

/** Units that are nouns beside their number: "226 lines", "1 gate run". */
export const NOUNS: Readonly<Partial<Record<Unit, readonly [one: string, many: string]>>> = {
  attempts: ['attempt', 'attempts'],
  features: ['feature', 'features'],
  lines: ['line', 'lines'],
  files: ['file', 'files'],
  commits: ['commit', 'commits'],
  tokens: ['token', 'tokens'],
  findings: ['finding', 'findings'],
  requirements: ['requirement', 'requirements'],
  gates: ['gate run', 'gate runs'],
  entries: ['entry', 'entries'],
  tests: ['test', 'tests'],
  answers: ['answer', 'answers'],
  cards: ['card', 'cards'],
  sessions: ['session', 'sessions'],
  requests: ['request', 'requests'],
  calls: ['call', 'calls'],
};

/** Stands before a value that is only a lower bound: "≥ $12.40". */
export const AT_LEAST = '≥\u00a0';

/** A value as it is, or as the lower bound it is. */
export const bounded = (text: string, atLeast: string | undefined): string =>
  atLeast === undefined ? text : `${AT_LEAST}${text}`;

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const cents = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumSignificantDigits: 2,
});

/** Dollars with cents, below ten cents with two digits that say something: "$12.40", "$0.0042". The minus sign is a hyphen. */
export const dollarText = (value: number): string => {
  const size = Math.abs(value);
  return size > 0 && size < 0.1 ? cents.format(value) : dollars.format(value);
};
