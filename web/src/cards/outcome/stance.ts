import type { TimelineMark } from '../../../../shared/cards.ts';
import { ATTRIBUTIONS, type Attribution, VERDICTS, type Verdict } from '../../../../shared/outcomes.ts';

/** What a mark stands for: a verdict, a start without an outcome, the level of an entry, or nothing known. */
export type Outcome = Verdict | 'open' | 'info' | 'warning' | 'bad' | 'unknown';

/**
 * Whose doing a failure was, as it is drawn: `own` solid (the agent's), `aside` hollow (the verifier's, the
 * infrastructure's, …: charged to nobody's strikes), `unsaid` grey (no evidence either way).
 */
export type Stance = 'own' | 'aside' | 'unsaid';

export const stanceOf = (attribution: Attribution): Stance =>
  attribution === 'agent' ? 'own' : attribution === 'unknown' ? 'unsaid' : 'aside';

/** The letter beside a failure that was not the agent's. */
export const LETTERS: Readonly<Record<Attribution, string>> = {
  agent: 'A',
  verifier: 'V',
  infra: 'I',
  provider: 'P',
  spec: 'S',
  unknown: '',
};

const WORDS: Readonly<Record<Outcome, string>> = {
  ...VERDICTS,
  open: 'no outcome',
  info: 'entry',
  warning: 'warning',
  bad: 'error entry',
  unknown: 'outcome not recorded',
};
export const outcomeWord = (outcome: Outcome): string => WORDS[outcome];

/** What a mark is drawn as. */
export function outcomeOf(mark: Pick<TimelineMark, 'open' | 'verdict' | 'level'>): Outcome {
  if (mark.open) return 'open';
  if (mark.verdict !== null) return mark.verdict;
  if (mark.level === null) return 'unknown';
  return mark.level === 'error' ? 'bad' : mark.level;
}

/** Whether somebody can be at fault for it at all. */
export const isFailure = (outcome: Outcome): boolean =>
  !['pass', 'open', 'info', 'warning', 'bad', 'unknown'].includes(outcome);

/** "blocked by the verifier", "timed out, whose doing is not known", "passed". */
export function cameTo(outcome: Outcome, attribution: Attribution): string {
  if (!isFailure(outcome)) return outcomeWord(outcome);
  return attribution === 'unknown'
    ? `${outcomeWord(outcome)}, whose doing is not known`
    : `${outcomeWord(outcome)}, by ${ATTRIBUTIONS[attribution]}`;
}
