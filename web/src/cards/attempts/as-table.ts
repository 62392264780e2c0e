import type { AttemptsCard, Cell, TableColumn } from '../../../../shared/cards.ts';

export const ATTEMPT_COLUMNS: readonly TableColumn[] = [
  { id: 'source', label: 'source', align: 'start' },
  { id: 'attempt', label: 'attempt', align: 'end' },
  { id: 'score', label: 'score', align: 'end' },
  { id: 'time', label: 'build time', align: 'end' },
  { id: 'verdict', label: 'verdict', align: 'start' },
  { id: 'feedback', label: 'feedback', align: 'start' },
];

const verdict = (passed: boolean | null): Cell =>
  passed === null
    ? { kind: 'none', why: 'no verdict recorded' }
    : { kind: 'text', text: passed ? 'passes' : 'fails' };

/** The same story as rows: every attempt of every source, and each source's own totals where it lists no attempts. */
export function attemptRows(card: AttemptsCard): Cell[][] {
  return card.tellings.flatMap((telling): Cell[][] => {
    const source: Cell = { kind: 'cite', cite: { ...telling.cite, basis: telling.basis } };
    if (telling.attempts.length === 0)
      return [
        [
          source,
          { kind: 'figure', figure: telling.count },
          { kind: 'figure', figure: telling.score },
          { kind: 'figure', figure: telling.total },
          verdict(null),
          { kind: 'none', why: 'attempts not listed' },
        ],
      ];
    return telling.attempts.map((attempt) => [
      source,
      { kind: 'text', text: String(attempt.n) },
      { kind: 'figure', figure: attempt.score },
      { kind: 'figure', figure: attempt.duration },
      verdict(attempt.passed),
      attempt.feedback === null
        ? { kind: 'none', why: 'no feedback recorded' }
        : { kind: 'text', text: attempt.feedback },
    ]);
  });
}
