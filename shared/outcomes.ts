/**
 * How gates, attempts and requirements can come out, and the word for each. Verdict and attribution are two things: what a
 * check said, and whose doing it was when it did not pass. Attribution is never taken to be the agent without evidence.
 */
export const VERDICTS = {
  pass: 'passed',
  block: 'blocked',
  error: 'error',
  timeout: 'timed out',
  cancelled: 'cancelled',
  no_verdict: 'no verdict',
  impossible: 'impossible',
  bypassed: 'bypassed',
} as const;
export type Verdict = keyof typeof VERDICTS;

export const ATTRIBUTIONS = {
  agent: 'the agent',
  verifier: 'the verifier',
  infra: 'the infrastructure',
  provider: 'the provider',
  spec: 'the specification',
  unknown: 'not known',
} as const;
export type Attribution = keyof typeof ATTRIBUTIONS;

/** States of a requirement, the strongest first. */
export const REQUIREMENT_STATES = {
  proven: 'proven',
  likely: 'likely',
  stale: 'stale',
  claimed_only: 'claimed only',
  refuted: 'refuted',
  open: 'open',
} as const;
export type RequirementState = keyof typeof REQUIREMENT_STATES;

const keysOf = <T extends Record<string, string>>(words: T): readonly (keyof T & string)[] =>
  Object.keys(words);
export const VERDICT_IDS: readonly Verdict[] = keysOf(VERDICTS);
export const ATTRIBUTION_IDS: readonly Attribution[] = keysOf(ATTRIBUTIONS);
export const STATE_IDS: readonly RequirementState[] = keysOf(REQUIREMENT_STATES);

/** A name of a record as people read it: "scripted_test" is "scripted test". */
export const plainName = (id: string): string => id.replaceAll('_', ' ').trim();
