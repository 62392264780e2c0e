/** What a word on how a turn ended means for its attempt. */
export interface Outcome {
  verdict: string | null;
  passed: boolean | null;
}

/**
 * The first that fits counts. That a turn "succeeded" says that it came to its end and nothing on its work, so it is no
 * verdict either way; only a word that speaks of passing is.
 */
const OUTCOMES: readonly (readonly [RegExp, Outcome])[] = [
  [
    /no[ _-](?:explicit[ _-])?(?:completion|signal|verdict)|partial|incomplete/i,
    { verdict: 'no_verdict', passed: null },
  ],
  [/time[d]?[ _-]?out/i, { verdict: 'timeout', passed: null }],
  [/cancel|interrupt|abort|killed/i, { verdict: 'cancelled', passed: null }],
  [/block|reject/i, { verdict: 'block', passed: false }],
  [/fail|error|crash/i, { verdict: 'error', passed: null }],
  [/\bpass(?:ed)?\b|accepted/i, { verdict: 'pass', passed: true }],
];
const NOTHING: Outcome = { verdict: null, passed: null };
export const outcomeOf = (word: string): Outcome =>
  OUTCOMES.find(([pattern]) => pattern.test(word))?.[1] ?? NOTHING;
