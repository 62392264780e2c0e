/**
 * The A2UI catalog both sides agree on: its id and the names of its components.
 * Every card component takes one opaque binding, `spec: {path}`; the root takes its children and a layout.
 */
export const PROTOCOL = 'v0.9' as const;
export const CATALOG_ID = 'https://looplight.dev/catalogs/cards/v1/catalog.json';

export const CARD_COMPONENTS = [
  'PremiseCard',
  'ConflictCard',
  'AttemptsCard',
  'StatCard',
  'LineChart',
  'BarChart',
  'DonutChart',
  'TableCard',
  'LedgerCard',
  'LogCard',
  'TimelineCard',
  'NoteCard',
  'EmptyCard',
  'CardSkeleton',
] as const;
export type CardComponent = (typeof CARD_COMPONENTS)[number];

/** The container with id `root`: `children` are card ids, `layout` binds `/layout`. */
export const ROOT_COMPONENT = 'Dashboard';
export const ROOT_ID = 'root';

/** The one action of the catalog, and the keys its context carries. */
export const REFINE = 'refine';

/** JSON Schema (draft 2020-12) of the props of each component, for the check before a message leaves. */
const binding = {
  type: 'object',
  properties: { path: { type: 'string', pattern: '^/[A-Za-z0-9/_-]{1,80}$' } },
  required: ['path'],
  additionalProperties: false,
} as const;

/**
 * Props schema of one component, without `id` and `component`.
 * @param name a component of the catalog
 */
export function propsSchema(name: CardComponent | typeof ROOT_COMPONENT): Record<string, unknown> {
  if (name === ROOT_COMPONENT) {
    return {
      type: 'object',
      properties: { children: { type: 'array', items: { type: 'string' } }, layout: binding },
      required: ['children', 'layout'],
      additionalProperties: false,
    };
  }
  return { type: 'object', properties: { spec: binding }, required: ['spec'], additionalProperties: false };
}
