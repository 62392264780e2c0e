import type { Figure, Unit } from '../../../shared/cards.ts';

const NOUNS: Readonly<Partial<Record<Unit, readonly [one: string, many: string]>>> = {
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
};

const grouped = (value: number, digits: number): string => {
  const rounded = Number(value.toFixed(digits));
  return rounded.toLocaleString('en-US', { maximumFractionDigits: digits });
};

/** A figure as text, for places that hold only text (titles, CSV, conversation): "415 s", "9/10", "3.2×", "97 %". */
export function figureText(figure: Pick<Figure, 'value' | 'unit' | 'missing'>): string {
  const { value, unit } = figure;
  if (value === null) return figure.missing ?? 'not recorded';
  switch (unit) {
    case 's':
      return `${grouped(value, 1)} s`;
    case 'points':
      return `${grouped(value, 1)}/10`;
    case 'usd':
      return `$${value.toFixed(2)}`;
    case 'ratio':
      return `${grouped(value * 100, 1)} %`;
    case 'times':
      return `${grouped(value, 1)}×`;
    default: {
      const text = grouped(value, 1);
      const nouns = NOUNS[unit];
      return nouns ? `${text} ${text === '1' ? nouns[0] : nouns[1]}` : text;
    }
  }
}
