import { CODES } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { AnswerSink } from './answers.ts';
import { AbortedError, within } from './deadline.ts';
import type { AnswerPorts, PlanText } from './ports.ts';
import type { Progress } from './progress.ts';
import type { VerifiedAnswer } from './types.ts';

export interface SecondReadingParts {
  sink: Pick<AnswerSink, 'signal'>;
  ports: Pick<AnswerPorts, 'verify' | 'store' | 'log'>;
  plan: PlanText;
  question: string | null;
  /** Features the conversation is about, as the planner was told. */
  about: readonly string[];
}

/** The verifier at work on one answer. */
export interface SecondReading {
  /** Its word, once all cards stand; null when there is none. Never rejects. */
  verdict(progress: Progress): Promise<VerifiedAnswer | null>;
  /** Ends it without a word: another plan has taken the place of the one it reads. */
  drop(): void;
}

/**
 * Begins the second reading of a plan that has been read to its end. It is told the text and the question and nothing of the
 * cards, so it need not wait for them; only the first one must not wait for it.
 * @param start when it may begin; never rejects
 */
export function beginSecondReading(parts: SecondReadingParts, start: Promise<void>): SecondReading {
  const { sink, ports, plan, question, about } = parts;
  const own = new AbortController();
  const signal = AbortSignal.any([sink.signal, own.signal]);
  const verify = (): Promise<VerifiedAnswer> =>
    within(
      ports.verify({ text: plan.text, question, about, signal }),
      LIMITS.verifyMs,
      'verify',
      sink.signal,
    );
  const early = start.then(() => {
    signal.throwIfAborted();
    return verify();
  });
  early.catch(() => undefined);

  return {
    drop: () => own.abort(),
    async verdict(progress) {
      const step = progress.begin('verify', 'Checking every figure a second time');
      try {
        let verified = await early;
        // What was found while cards were still being made holds if the record stood still until they were.
        if (
          verified.code !== 'record_moved' &&
          (await ports.store().fingerprint()) !== verified.fingerprint
        ) {
          const { passes, ms } = verified;
          const again = await verify();
          verified = { ...again, passes: again.passes + passes, ms: again.ms + ms };
        }
        step.end(
          verified.code === 'record_moved' ? CODES.record_moved.title : 'Every figure checked a second time',
          verified.figures,
          null,
        );
        return verified;
      } catch (error) {
        if (!(error instanceof AbortedError) && !signal.aborted)
          ports.log.warn({ err: error }, 'the check failed');
        step.end(CODES.verify_failed.title, null, null);
        return null;
      } finally {
        own.abort();
      }
    },
  };
}
