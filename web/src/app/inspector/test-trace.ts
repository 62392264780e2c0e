import type { Trace, TraceCard } from '../../../../shared/wire.ts';

export const card = (more: Partial<TraceCard>): TraceCard => ({
  card: 'c0',
  type: 'stat',
  title: 'Build time',
  draftMs: null,
  readMs: null,
  readyMs: null,
  resolveMs: null,
  notes: [],
  code: null,
  issues: [],
  ...more,
});

/** The way of a small answer: one card verified, one refused, one trimmed. */
export const trace: Trace = {
  version: 1,
  answerId: 'A1',
  question: 'why?',
  planner: { kind: 'builtin', name: 'Built-in planner', model: null },
  startedAt: '2026-01-02T03:04:05.000Z',
  ended: true,
  plan: {
    text: '{"blocks":[{"title":"<img src=x>"}]}',
    pieces: [
      { ms: 12, chars: 20 },
      { ms: 40, chars: 16 },
    ],
    endMs: 45,
    code: null,
  },
  premises: [{ feature: '28', measure: 'attempts', claimed: 'three attempts', verdict: 'disputed' }],
  evidence: [{ id: 'E1', place: 'metrics.json:1417' }],
  scan: [],
  preamble: { notes: [], code: null, issues: [] },
  cards: [
    card({ card: 'c0', draftMs: 20, readMs: 30, readyMs: 50, resolveMs: 18 }),
    card({ card: 'c1', title: null, readMs: 35, code: 'block_unknown', issues: ['type: hologram'] }),
    card({ card: 'premise', title: 'Premise', readMs: 10, readyMs: 16, notes: ['4 of 6 figures shown'] }),
  ],
  steps: [
    { step: 'premise', from: 1, to: 9, says: 'Premise checked against the record' },
    { step: 'plan', from: 10, to: 46, says: 'Plan read, 2 cards' },
    { step: 'verify', from: 55, to: 90, says: 'Every figure checked a second time' },
  ],
  verdicts: [
    { card: 'c0', state: 'corrected', reasons: ['3 s was shown; it is 4 s'] },
    { card: 'premise', state: 'verified', reasons: [] },
  ],
  frames: [
    { id: 1, event: 'open', about: '', bytes: 120, ms: 0 },
    { id: 2, event: 'a2ui', about: 'updateDataModel /cards/c0', bytes: 2_048, ms: 50 },
    { id: 3, event: 'done', about: '', bytes: 80, ms: 100 },
  ],
};
