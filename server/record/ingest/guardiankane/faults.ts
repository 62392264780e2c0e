import { batchOf, NO_SUMMARY } from './log-grammar.ts';

export type Attribution = 'agent' | 'verifier' | 'infra' | 'provider' | 'spec' | 'unknown';

/** Whose fault a failure was, and the positive evidence for it in words; without evidence it is unknown. */
export interface Fault {
  attribution: Attribution;
  basis: string | null;
}

export const UNKNOWN: Fault = { attribution: 'unknown', basis: null };

/** Reasons the verifier gives for a success. Beside "FAILED" they contradict it. */
export const REASONS_OF_SUCCESS = ['all members passed', 'Objective completed'] as const;

/** A failed scripted test: the verifier is at fault where its own words tell of a success. */
export function testFault(summary: string, reason: string): Fault {
  const success = REASONS_OF_SUCCESS.find((text) => text === reason.trim());
  if (success !== undefined) {
    return { attribution: 'verifier', basis: `The line says failed, its own reason says "${success}".` };
  }
  const batch = batchOf(summary);
  if (batch && batch.run > 0 && batch.passed === batch.run) {
    return {
      attribution: 'verifier',
      basis: `The line says failed, its own summary counts ${batch.passed} of ${batch.run} passed.`,
    };
  }
  return UNKNOWN;
}

/** A sweep that found an issue without a word on it did not find one: it never wrote its end. */
export const sweepFault = (summary: string): Fault =>
  summary.trim() === NO_SUMMARY
    ? { attribution: 'verifier', basis: 'The sweep left no summary: it ended before it could write one.' }
    : UNKNOWN;

/** The check looks for packs which the verifier itself writes; where the tests had passed, a missing pack is its own. */
export const evidenceFault = (detail: string, tested: boolean): Fault =>
  tested && /no (?:evidence pack path reported|matching evidence pack found)/.test(detail)
    ? {
        attribution: 'verifier',
        basis: 'The tests had passed; the evidence pack that is missing is one the verifier writes.',
      }
    : UNKNOWN;

export const infraFault = (what: string, exit: string): Fault => ({
  attribution: 'infra',
  basis: `The log calls it ${what === 'timeout' ? 'a timeout' : `an ${what}`} (exit ${exit}) and changes no state.`,
});

/** The verifier's own family of a failure, as one of ours; a family that names no one is unknown. */
export function familyFault(family: string, confidence: number | null): Fault {
  const sure = confidence === null ? '' : `, confidence ${confidence}`;
  const basis = `The verifier's own triage calls it ${family}${sure}.`;
  if (/^(?:automation|test|oracle|script)(?:_|$)/.test(family)) return { attribution: 'verifier', basis };
  if (/^(?:product|app|application|code)(?:_|$)/.test(family)) return { attribution: 'agent', basis };
  if (/^(?:infra|infrastructure|environment|env|network)(?:_|$)/.test(family))
    return { attribution: 'infra', basis };
  if (/^(?:spec|requirement)(?:_|$)/.test(family)) return { attribution: 'spec', basis };
  return UNKNOWN;
}
