import { type Entry, VERSION } from './entry.ts';

/** The id of a test's nth answer. */
export const idOf = (n: number): string => `answer-${String(n).padStart(9, '0')}`;

/** A whole entry that was asked at `n` minutes past the epoch's start of 2026. For tests only. */
export function entryOf(n: number, more: Partial<Entry> = {}): Entry {
  const at = Date.UTC(2026, 0, 1) + n * 60_000;
  return {
    version: VERSION,
    id: idOf(n),
    question: `Question ${n}?`,
    conversation: 'c1',
    context: '',
    planner: { kind: 'builtin', name: 'Built-in planner', model: null },
    plan: '{"blocks":[]}',
    plannedAt: at,
    askedAt: at,
    program: 'p1',
    meter: {
      ms: 41,
      firstCardMs: 12,
      tokensIn: null,
      tokensOut: null,
      dropped: 0,
      repaired: 0,
      corrected: 0,
      verified: 1,
      unverified: 0,
      reused: false,
    },
    record: { folder: '/runs/one', fingerprint: 'f1' },
    code: null,
    cards: 1,
    report: {
      ok: true,
      code: null,
      cards: 1,
      figures: 2,
      sources: 1,
      record: 'f1',
      ms: 3,
      passes: 1,
      changed: 0,
    },
    figures: [{ card: 'c0', title: 'How it compares', label: 'Build time', value: 415, unit: 's' }],
    ...more,
  };
}
