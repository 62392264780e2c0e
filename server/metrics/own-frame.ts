import type { Axis, Frame } from './frame.ts';

const plain = (key: string): Axis => ({ key, label: null, order: 'NULL', rank: null, joins: [] });

/** Looplight's own answers as rows to count and sum: one a kept answer, all of them measured by itself. */
export const OWN_FRAME: Frame = {
  from: 'own_answers w',
  row: 'w.answer_id',
  observation: null,
  current: 'TRUE',
  rank: '1',
  hits: { own_failed: 'w.end_code IS NOT NULL', own_reused: 'w.reused' },
  columns: {
    first_card: 'w.first_card_ms / 1000.0',
    took: 'w.took_ms / 1000.0',
    tokens: 'w.tokens_in + w.tokens_out',
    cards: 'w.cards',
    dropped: 'w.dropped',
    repaired: 'w.repaired',
    unverified: 'w.unverified',
  },
  axes: {
    own_answer: { ...plain('w.answer_id'), label: 'w.question', order: 'w.asked_at_ms' },
    own_planner: plain('w.planner'),
    own_end: plain("coalesce(w.end_code, 'ended well')"),
    own_asked_at: { ...plain('w.asked_at_ms'), label: 'w.question', order: 'w.asked_at_ms' },
  },
};
