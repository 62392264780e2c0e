import type { CardBase, CardData, Figure } from '../../shared/cards.ts';

/** Cards of every type for tests of the compiler. */

export const figure = (value: number | null): Figure => ({
  value,
  unit: 's',
  basis: 'measured',
  evidence: 'q1',
  disputed: false,
  n: value === null ? 0 : 1,
  missing: value === null ? 'not recorded' : null,
});

const base = (id: string, title: string): CardBase => ({
  id,
  title,
  sub: null,
  mark: { state: 'checking', have: null, of: null, why: null },
  actions: [{ label: 'By category', request: 'Build time by category' }],
  evidence: ['q1'],
  trimmed: null,
  rule: { measured: 1, claimed: 0, missing: 0 },
});

const cite = { source: 'p', label: 'claude-progress.txt', line: 12, basis: 'measured' } as const;

export const stat = (id: string, value: number | null = 415): CardData => ({
  ...base(id, 'Build time'),
  type: 'stat',
  figures: [{ label: 'Feature 28', figure: figure(value), compare: null, caption: [], strip: null }],
});
export const chart = (id: string, draw: 'line' | 'bar' | 'donut' = 'bar'): CardData => ({
  ...base(id, 'Build time by category'),
  type: 'chart',
  draw,
  x: { label: 'category', kind: 'category' },
  y: { label: 'build time', unit: 's' },
  series: [{ id: 'build_time', label: 'build time', unit: 's' }],
  points: [{ key: 'polish', label: 'polish', ref: null, figures: [figure(129)], subject: false }],
  rest: [],
  reference: null,
  other: 0,
});
export const note = (id: string, text = 'Why it was slow is not recorded.'): CardData => ({
  ...base(id, 'Note'),
  type: 'note',
  body: [{ kind: 'p', inlines: [{ kind: 'text', text }] }],
  cites: [{ id: 'E1', cite }],
  code: null,
  suggestions: [],
});
export const table = (id: string): CardData => ({
  ...base(id, 'Features'),
  type: 'table',
  columns: [{ id: 'feature', label: 'feature', align: 'start' }],
  rows: [[{ kind: 'feature', id: '28', title: 'Loading skeletons' }]],
  total: 1,
});
export const conflict = (id: string, columns: number): CardData => ({
  ...base(id, 'The record contradicts itself'),
  type: 'conflict',
  columns: Array.from({ length: columns }, (_, n) => ({
    id: `k${n}`,
    label: `k${n}`,
    align: 'end' as const,
  })),
  rows: [],
  total: 0,
});
export const attempts = (id: string): CardData => ({
  ...base(id, 'Attempts'),
  type: 'attempts',
  feature: { id: '28', title: 'Loading skeletons', category: 'polish', status: 'accepted' },
  scoreMax: 10,
  threshold: null,
  tellings: [
    {
      source: 'claude-progress.txt',
      basis: 'measured',
      counted: true,
      cite,
      attempts: [],
      count: figure(1),
      total: figure(415),
      score: figure(9),
    },
  ],
});
export const premise = (id: string): CardData => ({
  ...base(id, 'The question takes three attempts for granted'),
  type: 'premise',
  columns: [{ label: 'attempts', unit: 'attempts' }],
  rows: [],
  counted: [{ kind: 'figure', figure: figure(1) }],
});
export const empty = (id: string): CardData => ({
  ...base(id, 'No token counts'),
  type: 'empty',
  why: 'not_ingested',
  says: 'No token counts in this record.',
  next: 'Add a session log to see cost.',
});
export const ledger = (id: string): CardData => ({
  ...base(id, 'What is proven'),
  type: 'ledger',
  zone: '+00:00',
  states: [{ state: 'proven', figure: { ...figure(1), unit: 'requirements' } }],
  total: { ...figure(1), unit: 'requirements' },
  shares: [{ label: 'proven', figure: { ...figure(1), unit: 'ratio' } }],
  groups: [
    {
      ref: 'T1',
      title: 'Cart lines',
      counts: [{ state: 'proven', count: 1 }],
      total: 1,
      rows: [
        {
          id: 'ac-1',
          text: 'The cart keeps its lines.',
          kind: 'criterion',
          state: 'proven',
          claimed: true,
          cite,
          open: 'q1',
          proof: [
            { polarity: 'supports', kind: 'test', link: 'tag', says: 'cart ran', atMs: 0, cite, open: 'q1' },
          ],
          proofs: 1,
        },
      ],
    },
  ],
});
export const log = (id: string): CardData => ({
  ...base(id, 'The log of T1'),
  type: 'log',
  zone: '+00:00',
  entries: [
    {
      id: 'e1',
      atMs: 0,
      kind: 'test start',
      level: 'info',
      feature: { id: 'T1', title: 'Cart lines' },
      text: 'running scripted test',
      cut: false,
      lastLine: null,
      cite,
      open: 'q1',
      outcome: null,
      openStart: true,
      anchor: false,
    },
  ],
  total: 1,
  before: 0,
  kinds: [{ kind: 'test start', count: 1 }],
});
export const timeline = (id: string): CardData => ({
  ...base(id, 'Timeline of the run'),
  type: 'timeline',
  of: 'gates',
  zone: '+00:00',
  zoneUnsure: false,
  lanes: [
    {
      id: 'T1',
      title: 'Cart lines',
      status: 'accepted',
      marks: [
        {
          id: 'g1',
          what: 'scripted test',
          startMs: 0,
          endMs: 415_000,
          open: false,
          verdict: 'block',
          attribution: 'verifier',
          why: null,
          level: null,
          text: null,
          attempt: { n: 1, of: 3 },
          duration: figure(415),
          evidence: 'q1',
          disputed: false,
          cite,
        },
      ],
    },
  ],
  total: 1,
  untimed: 0,
});
