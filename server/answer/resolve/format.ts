import { bounded, dollarText, NOUNS } from '../../../shared/amounts.ts';
import type { Figure } from '../../../shared/cards.ts';

const grouped = (value: number, digits: number): string => {
  const rounded = Number(value.toFixed(digits));
  return rounded.toLocaleString('en-US', { maximumFractionDigits: digits });
};

/** A figure as text, for places that hold only text (titles, CSV, conversation): "415 s", "9/10", "3.2×", "97 %", "≥ $12.40". */
export function figureText(figure: Pick<Figure, 'value' | 'unit' | 'missing' | 'atLeast'>): string {
  const { value, unit } = figure;
  if (value === null) return figure.missing ?? 'not recorded';
  return bounded(textOf(value, unit), figure.atLeast);
}

function textOf(value: number, unit: Figure['unit']): string {
  switch (unit) {
    case 's':
      return `${grouped(value, 1)} s`;
    case 'points':
      return `${grouped(value, 1)}/10`;
    case 'usd':
      return dollarText(value);
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
