import { LIMITS } from '../../shared/limits.ts';
import type { RecordProfile, Store } from '../record/store.ts';
import { AbortedError, within } from './deadline.ts';
import type { AnswerPorts, AnswerRequest } from './ports.ts';
import type { Progress } from './progress.ts';
import type { EvidenceItem, PremiseFinding } from './types.ts';

/** What is done before a planner is asked. Each step has its time; only the record itself is indispensable. */

/** The record as it is now. Throws when it cannot be asked, DeadlineError, AbortedError. */
export async function openRecord(ports: AnswerPorts, signal: AbortSignal): Promise<RecordProfile> {
  try {
    await within(ports.refresh(), LIMITS.resolveMs, 'refresh', signal);
  } catch (error) {
    if (error instanceof AbortedError) throw error;
    // What was read before still stands, and every figure says where it was read.
    ports.log.warn({ err: error }, 'the record could not be read again');
  }
  return within(ports.profile(), LIMITS.resolveMs, 'profile', signal);
}

/** Heading of a view without a question, or null when there is none. */
export async function headingOf(
  title: AnswerRequest['title'],
  profile: RecordProfile,
  ports: AnswerPorts,
  signal: AbortSignal,
): Promise<string | null> {
  if (title === null) return null;
  try {
    return await within(title(profile, ports.store()), LIMITS.queryMs, 'title', signal);
  } catch (error) {
    ports.log.warn({ err: error }, 'the heading could not be made');
    return null;
  }
}

/**
 * Premise check and evidence pack, side by side. Without either an answer is poorer, not impossible. Throws AbortedError.
 * @param about features the conversation is about
 */
export async function lookAhead(
  question: string,
  about: readonly string[],
  { profile, store }: { profile: RecordProfile; store: Store },
  ports: AnswerPorts,
  progress: Progress,
  signal: AbortSignal,
): Promise<[PremiseFinding[], EvidenceItem[]]> {
  const step = progress.begin('premise', 'Checking the premise against the record');
  const orNothing = <T>(work: Promise<T[]>, ms: number, stage: string): Promise<T[]> =>
    within(work, ms, stage, signal).catch((error: unknown) => {
      if (error instanceof AbortedError) throw error;
      ports.log.warn({ err: error, stage }, 'a step before the plan failed');
      return [];
    });
  const found = await Promise.all([
    orNothing(ports.checkPremises(question, profile, store), LIMITS.premiseMs, 'premise'),
    orNothing(ports.collectEvidence(question, profile, store, about), LIMITS.evidenceMs, 'evidence'),
  ]);
  step.end('Premise checked against the record', found[0].length, null);
  return found;
}
