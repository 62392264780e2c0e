import type { CardData } from '../../shared/cards.ts';
import type { Report } from '../../shared/wire.ts';
import { createCompiler } from '../a2ui/compiler.ts';
import type { Remade, Settled } from '../answer/ports.ts';
import { statCard } from '../answer/test-ports.ts';

/** An answer that follows a record of one number a card. For tests only. */

export const reportOn = (record: string, cards: number): Report => ({
  ok: true,
  code: null,
  cards,
  figures: cards,
  rows: 30,
  sources: 1,
  record,
  ms: 1,
  passes: 1,
  changed: 0,
  verdicts: [],
  since: null,
});

const verified = (card: CardData): CardData => ({
  ...card,
  mark: { state: 'verified', have: null, of: null, why: null },
});

export interface FollowedDouble {
  settled: Settled;
  /** What the record says now, by title of a card; and its fingerprint. */
  values: Map<string, number>;
  fingerprint: string;
  /** Answers instead of the record, once each. */
  fails: Remade[];
  /** How often it was made again. */
  made: number;
  change(): void;
  listeners(): number;
}

/** @param wait before a making is done */
export function followed(id: string, wait: () => Promise<void> = async () => undefined): FollowedDouble {
  const listeners = new Set<() => void>();
  const surface = createCompiler(id);
  const cards = (): CardData[] =>
    [...double.values].map(([title, value], at) => verified(statCard(`c${at}`, title, value)));
  const shown = () => ({
    title: null,
    cards: cards(),
    chat: [],
    report: reportOn(double.fingerprint, double.values.size),
  });
  const double: FollowedDouble = {
    values: new Map([
      ['Build time', 415],
      ['Attempts', 1],
    ]),
    fingerprint: 'aaaaaaaaaaaa',
    fails: [],
    made: 0,
    change: () => {
      for (const listener of [...listeners]) listener();
    },
    listeners: () => listeners.size,
    settled: {
      surface,
      shown: { title: null, cards: [], chat: [], report: null },
      plan: '{}',
      question: 'how long did it take?',
      folder: '',
      planner: { kind: 'builtin', name: 'Built-in planner', model: null },
      plannedAt: 0,
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      change: async () => 'not_found',
      async again() {
        double.made += 1;
        await wait();
        return double.fails.shift() ?? { ok: true, shown: shown() };
      },
    },
  };
  double.settled.shown = shown();
  surface.open();
  surface.final(double.settled.shown.cards);
  return double;
}
