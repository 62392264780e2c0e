import type { Basis } from '../../../../shared/cards.ts';
import type { ToldAttempt } from '../facts.ts';
import { Fields } from '../json-fields.ts';
import { acceptThreshold, SCORE_MAX } from './thresholds.ts';

/** Largest figures taken for real. */
export const MAX = {
  seconds: 10_000_000,
  count: 1_000_000_000_000,
  lines: 1_000_000_000,
  usd: 1_000_000_000,
} as const;

/** The attempts a feature lists, in order; null when it has no list. */
export function attemptsOf(fields: Fields, category: string | null, basis: Basis): ToldAttempt[] | null {
  const list = fields.list('attempts');
  if (list === null) return null;
  const threshold = acceptThreshold(category).value;
  const attempts: ToldAttempt[] = [];
  for (const [i, node] of list.entries()) {
    const owner = `${fields.owner}, attempt ${i + 1}`;
    if (node.kind !== 'object') {
      fields.issues.add('wrong_type', 'warning', node.line, `${owner} is not an object, so it was not read.`);
      continue;
    }
    const attempt = new Fields(node, owner, fields.issues);
    const score = attempt.number('score', 0, SCORE_MAX);
    attempts.push({
      // Position, and not the written number: numbers can repeat or be missing, and an attempt must still have one place.
      n: attempts.length + 1,
      score,
      durationS: attempt.number('duration_sec', 0, MAX.seconds),
      feedback: attempt.text('feedback') || null,
      tokensCoder: attempt.number('tokens_coder', 0, MAX.count),
      tokensEvaluator: attempt.number('tokens_evaluator', 0, MAX.count),
      passed: score === null ? null : score >= threshold,
      basis,
      line: node.line,
    });
  }
  return attempts;
}

/** Sum of one figure over attempts, or null when one of them does not have it: a part of a sum is not the sum. */
export function total(
  attempts: readonly ToldAttempt[],
  of: (attempt: ToldAttempt) => number | null,
): number | null {
  let sum = 0;
  for (const attempt of attempts) {
    const value = of(attempt);
    if (value === null) return null;
    sum += value;
  }
  return attempts.length === 0 ? null : sum;
}

/** How a sum over attempts was made. */
export const sumText = (numbers: readonly (number | null)[]): string =>
  numbers.length === 1
    ? 'as written'
    : numbers.length <= 12
      ? numbers.join(' + ')
      : `sum over ${numbers.length} attempts`;
