import type { Layout } from '../../../shared/cards.ts';
import { CARD_COMPONENTS, CATALOG_ID, type CardComponent, PROTOCOL } from '../../../shared/catalog.ts';
import { type Sample, samples } from '../cards/fixtures/index.ts';

/** The cards of one kind, as one surface. */
export interface Shelf {
  component: CardComponent;
  cards: readonly Sample[];
  /** The A2UI messages that draw them. */
  messages: readonly object[];
}

type Span = Layout['spans'][string];

/** Cards that stand two in a row, wide and narrow in turn, as they do in answers. */
const PAIRED: ReadonlySet<CardComponent> = new Set([
  'BarChart',
  'LineChart',
  'DonutChart',
  'NoteCard',
  'EmptyCard',
]);
const PAIRS: readonly Span[] = [7, 5, 6, 6, 5, 7];

const spanOf = (component: CardComponent, at: number): Span =>
  PAIRED.has(component) ? (PAIRS[at % PAIRS.length] ?? 12) : 12;

function messagesOf(component: CardComponent, cards: readonly Sample[]): object[] {
  const surfaceId = `gallery-${component}`;
  const header = { version: PROTOCOL };
  const ids = cards.map((_, at) => `c${at}`);
  const spans = Object.fromEntries(ids.map((id, at) => [id, spanOf(component, at)]));
  return [
    { ...header, createSurface: { surfaceId, catalogId: CATALOG_ID } },
    { ...header, updateDataModel: { surfaceId, path: '/layout', value: { spans, slot: 0 } } },
    ...cards.map(({ data }, at) => ({
      ...header,
      updateDataModel: { surfaceId, path: `/cards/c${at}`, value: { ...data, id: `c${at}` } },
    })),
    {
      ...header,
      updateComponents: {
        surfaceId,
        components: [
          ...ids.map((id) => ({ id, component, spec: { path: `/cards/${id}` } })),
          { id: 'root', component: 'Dashboard', children: ids, layout: { path: '/layout' } },
        ],
      },
    },
  ];
}

/** Every kind of card that has samples, in the order of the catalog. */
export const shelves: readonly Shelf[] = CARD_COMPONENTS.flatMap((component) => {
  const cards = samples.filter((sample) => sample.component === component);
  return cards.length === 0 ? [] : [{ component, cards, messages: messagesOf(component, cards) }];
});
