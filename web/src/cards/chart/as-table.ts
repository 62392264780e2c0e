import type { Cell, ChartCard, TableColumn } from '../../../../shared/cards.ts';
import { titled } from '../format.ts';

/** The columns of the table behind a chart: what is grouped by, then every series. */
export const chartColumns = (card: ChartCard): TableColumn[] => [
  { id: 'x', label: card.x.label || 'group', align: 'start' },
  ...card.series.map(
    (series, index): TableColumn => ({
      id: `s${index}`,
      label: card.series.length === 1 ? card.y.label || series.label : titled(series.label, ''),
      align: 'end',
    }),
  ),
];

/** The same values as rows. */
export const chartRows = (card: ChartCard): Cell[][] =>
  card.points.map((point) => [
    point.ref === null
      ? { kind: 'text', text: point.label || point.key }
      : { kind: 'feature', id: point.ref, title: point.label },
    ...point.figures.map((figure): Cell => ({ kind: 'figure', figure })),
  ]);
