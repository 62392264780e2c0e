import type { CardData, Cell, Cite, Figure, Inline } from '../../../shared/cards.ts';

/** Ways through a card, for whoever must look at every number, place or sentence in it. All pure. */

const inlineFigures = (inlines: readonly Inline[]): Figure[] =>
  inlines.flatMap((inline) => (inline.kind === 'figure' ? [inline.figure] : []));

function cellFigures(cell: Cell): Figure[] {
  if (cell.kind === 'figure') return [cell.figure];
  return cell.kind === 'change' ? [cell.claimed, cell.counted] : [];
}

/** Every figure of a card, in reading order. */
export function figuresOf(card: CardData): Figure[] {
  switch (card.type) {
    case 'stat':
      return card.figures.flatMap((one) => [
        one.figure,
        ...(one.compare === null ? [] : [one.compare.figure]),
        ...inlineFigures(one.caption),
      ]);
    case 'chart':
      return card.points.flatMap((point) => point.figures);
    case 'table':
    case 'conflict':
      return card.rows.flat().flatMap(cellFigures);
    case 'attempts':
      return card.tellings.flatMap((telling) => [
        telling.count,
        telling.total,
        telling.score,
        ...telling.attempts.flatMap((attempt) => [attempt.score, attempt.duration]),
      ]);
    case 'ledger':
      return [
        ...card.shares.map(({ figure }) => figure),
        ...card.states.map(({ figure }) => figure),
        card.total,
      ];
    case 'timeline':
      return card.lanes.flatMap((lane) => lane.marks.map(({ duration }) => duration));
    case 'premise':
      return [
        ...card.rows.flatMap((row) => row.cells.flatMap((cell) => cell.figures)),
        ...inlineFigures(card.counted),
      ];
    case 'note':
      return card.body.flatMap((paragraph) => inlineFigures(paragraph.inlines));
    case 'log':
    case 'empty':
    case 'skeleton':
      return [];
  }
}

/** Every place of a source that a card points at. */
export function citesOf(card: CardData): Cite[] {
  switch (card.type) {
    case 'table':
    case 'conflict':
      return card.rows.flat().flatMap((cell) => (cell.kind === 'cite' ? [cell.cite] : []));
    case 'attempts':
      return card.tellings.flatMap((telling) => [
        telling.cite,
        ...telling.attempts.map((attempt) => attempt.cite),
      ]);
    case 'premise':
      return card.rows.map((row) => row.cite);
    case 'ledger':
      return card.groups.flatMap(({ rows }) =>
        rows.flatMap(({ cite, proof }) => [cite, ...proof.map((one) => one.cite)]),
      );
    case 'log':
      return card.entries.map(({ cite }) => cite);
    case 'timeline':
      return card.lanes.flatMap((lane) => lane.marks.map(({ cite }) => cite));
    case 'note':
      return card.cites.map((one) => one.cite);
    default:
      return [];
  }
}

/** Ids that sentences of a card cite (`[E3]`, quotations), whether or not the card lists them. */
export function citedIds(card: CardData): string[] {
  if (card.type !== 'note') return [];
  return card.body.flatMap((paragraph) =>
    paragraph.inlines.flatMap((inline) =>
      inline.kind === 'cite' || inline.kind === 'quote' ? [inline.id] : [],
    ),
  );
}

/** A card with each run of prose in it put through `change`; parts without prose stay the same objects. */
export function mapProse(card: CardData, change: (inlines: Inline[]) => Inline[]): CardData {
  switch (card.type) {
    case 'stat':
      return { ...card, figures: card.figures.map((one) => ({ ...one, caption: change(one.caption) })) };
    case 'premise':
      return { ...card, counted: change(card.counted) };
    case 'note':
      return { ...card, body: card.body.map((one) => ({ ...one, inlines: change(one.inlines) })) };
    default:
      return card;
  }
}

/** Every run of prose in a card. */
export function proseOf(card: CardData): Inline[][] {
  const runs: Inline[][] = [];
  mapProse(card, (inlines) => {
    runs.push(inlines);
    return inlines;
  });
  return runs;
}
