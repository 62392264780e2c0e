import type { CardData, Cell, Figure } from '../../shared/cards.ts';
import { LIMITS } from '../../shared/limits.ts';
import { REQUIREMENT_STATES } from '../../shared/outcomes.ts';
import type { Since } from '../../shared/wire.ts';
import type { LabelledFigure } from './entry.ts';

/** The figures of an answer with words that say which is which, and what became of them in a later reading. All pure. */

interface Named {
  label: string;
  figure: Figure;
}

const words = (...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== '').join(', ');

function cellWords(cell: Cell | undefined): string {
  if (cell?.kind === 'text') return cell.text;
  return cell?.kind === 'feature' ? cell.title : '';
}

function named(card: CardData): Named[] {
  switch (card.type) {
    case 'stat':
      return card.figures.flatMap(({ label, figure, compare }) => [
        { label, figure },
        ...(compare === null ? [] : [{ label: words(label, compare.label), figure: compare.figure }]),
      ]);
    case 'chart':
      return card.points.flatMap((point) =>
        point.figures.map((figure, at) => ({
          label: words(
            point.label,
            card.series.length > 1 ? (card.series[at]?.label ?? null) : card.y.label.toLowerCase(),
          ),
          figure,
        })),
      );
    case 'table':
    case 'conflict':
      return card.rows.flatMap((row) => {
        const subject = row.map(cellWords).find((text) => text !== '') ?? '';
        return row.flatMap((cell, at): Named[] => {
          const column = card.columns[at]?.label ?? null;
          if (cell.kind === 'figure') return [{ label: words(subject, column), figure: cell.figure }];
          if (cell.kind !== 'change') return [];
          return [
            { label: words(subject, column, 'claimed'), figure: cell.claimed },
            { label: words(subject, column, 'counted'), figure: cell.counted },
          ];
        });
      });
    case 'attempts':
      return card.tellings.flatMap((telling) => [
        { label: words('attempts', telling.source), figure: telling.count },
        { label: words('build time', telling.source), figure: telling.total },
        { label: words('score', telling.source), figure: telling.score },
        ...telling.attempts.flatMap(({ n, score, duration }) => [
          { label: words(`score of attempt ${n}`, telling.source), figure: score },
          { label: words(`time of attempt ${n}`, telling.source), figure: duration },
        ]),
      ]);
    case 'ledger':
      return [
        ...card.shares,
        ...card.states.map(({ state, figure }) => ({ label: REQUIREMENT_STATES[state], figure })),
        { label: 'requirements', figure: card.total },
      ];
    case 'timeline':
      return card.lanes.flatMap(({ id, title, marks }) =>
        marks.map(({ what, duration }) => ({ label: words(id ?? title, what), figure: duration })),
      );
    case 'premise':
      return card.rows.flatMap((row) =>
        row.cells.flatMap((cell, at) =>
          cell.figures.map((figure) => ({
            label: words(card.columns[at]?.label ?? null, row.source),
            figure,
          })),
        ),
      );
    case 'note':
      return card.body.flatMap(({ inlines }) =>
        inlines.flatMap((inline) =>
          inline.kind === 'figure' ? [{ label: 'in the text', figure: inline.figure }] : [],
        ),
      );
    case 'log':
    case 'empty':
    case 'skeleton':
      return [];
  }
}

/** The figures of these cards, in reading order; of more than LIMITS.archiveFigures the first. */
export function labelledFigures(cards: readonly CardData[]): LabelledFigure[] {
  return cards
    .flatMap((card) =>
      named(card).map(({ label, figure }) => ({
        card: card.id,
        title: card.title.slice(0, LIMITS.request),
        label: label.slice(0, LIMITS.request),
        value: figure.value,
        unit: figure.unit,
      })),
    )
    .slice(0, LIMITS.archiveFigures);
}

/** Figures by card, label and, where one label stands several times, by which time it is. */
function byPlace(figures: readonly LabelledFigure[]): Map<string, LabelledFigure> {
  const seen = new Map<string, number>();
  const places = new Map<string, LabelledFigure>();
  for (const figure of figures) {
    const name = `${figure.card}\u0000${figure.label}`;
    const nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    places.set(`${name}\u0000${nth}`, figure);
  }
  return places;
}

const reading = (figure: LabelledFigure | undefined) =>
  figure === undefined ? null : { value: figure.value, unit: figure.unit };

/**
 * What changed between two readings of one plan. A card that was not there then is no change: it may be one that an answer
 * which ended early never got to.
 * @param then figures as they were kept; where they filled the bound, figures that are new now are not told
 */
export function changedFigures(
  then: readonly LabelledFigure[],
  now: readonly LabelledFigure[],
): Pick<Since, 'figures' | 'total'> {
  const was = byPlace(then);
  const is = byPlace(now);
  const cards = new Set(then.map(({ card }) => card));
  const cut = then.length >= LIMITS.archiveFigures || now.length >= LIMITS.archiveFigures;
  const figures: Since['figures'] = [];
  for (const place of new Set([...is.keys(), ...was.keys()])) {
    const before = was.get(place);
    const after = is.get(place);
    if (before?.value === after?.value && before?.unit === after?.unit) continue;
    const known = before ?? after;
    if (known === undefined || !cards.has(known.card)) continue;
    if (cut && (before === undefined || after === undefined)) continue;
    figures.push({ card: known.title, label: known.label, was: reading(before), now: reading(after) });
  }
  return { figures: figures.slice(0, LIMITS.sinceFigures), total: figures.length };
}
