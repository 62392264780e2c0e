import type { Code } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import { AbortedError, DeadlineError, within } from './deadline.ts';
import type { PlanText, StepLog } from './ports.ts';
import type { Scanner } from './scanner.ts';
import { type NamedPlanner, PlannerError, type PlannerRequest, type ScanEvent } from './types.ts';

export interface PlanTimes {
  plannerFirstMs: number;
  plannerMs: number;
}

export interface ReadPlan {
  planner: NamedPlanner;
  request: Omit<PlannerRequest, 'signal'>;
  scanner: Scanner;
  signal: AbortSignal;
  /** Nothing is handed on before this; the planner is asked at once all the same. */
  ready: Promise<unknown>;
  onEvent(event: ScanEvent): void;
  /** Each piece of text as it arrives. */
  onText?(text: string): void;
  log: StepLog;
  times?: PlanTimes;
}

function codeOf(error: unknown): Code {
  if (error instanceof PlannerError) return error.code;
  return error instanceof DeadlineError ? 'model_timeout' : 'model_failed';
}

/**
 * Asks a planner and reads its text as it comes, within the times for the first block and for the whole. The planner is
 * told to end in every case, and not waited for. Throws AbortedError when the answer was ended from outside; every other
 * failure becomes the code of the result.
 */
export async function readPlan(options: ReadPlan): Promise<PlanText> {
  const { planner, scanner, log, times = LIMITS } = options;
  const own = new AbortController();
  const signal = AbortSignal.any([options.signal, own.signal]);
  const started = Date.now();
  const parts: string[] = [];
  let length = 0;
  let code: Code | null = null;
  let sawBlock = false;

  const take = (events: readonly ScanEvent[]): void => {
    for (const event of events) {
      if (event.kind === 'draft' || event.kind === 'block') sawBlock = true;
      if (event.kind === 'problem' && event.index === null) code ??= event.code;
      else options.onEvent(event);
    }
  };
  const left = (): number => {
    const spent = Date.now() - started;
    return (sawBlock ? times.plannerMs : Math.min(times.plannerMs, times.plannerFirstMs)) - spent;
  };

  let iterator: AsyncIterator<string> | null = null;
  try {
    iterator = planner.plan({ ...options.request, signal })[Symbol.asyncIterator]();
    let next = iterator.next();
    // Waited for below; until then a failure must not count as unhandled.
    next.catch(() => undefined);
    await within(options.ready, times.plannerFirstMs, 'premise cards', options.signal);
    while (code === null) {
      const step = await within(next, left(), 'planner', options.signal);
      if (step.done) break;
      parts.push(step.value.slice(0, Math.max(0, LIMITS.planBytes + 1 - length)));
      length += step.value.length;
      options.onText?.(step.value);
      take(scanner.push(step.value));
      // A finished document may be followed by text without end.
      if (length > LIMITS.planBytes) code ??= 'plan_too_large';
      if (code === null) next = iterator.next();
    }
    take(scanner.end());
  } catch (error) {
    if (error instanceof AbortedError || options.signal.aborted) throw new AbortedError();
    code = codeOf(error);
    log.warn({ err: error, code, ms: Date.now() - started }, 'the planner failed');
  } finally {
    own.abort();
    // A generator that hangs never returns; nobody waits for it.
    void iterator?.return?.()?.catch(() => undefined);
  }
  return { text: parts.join(''), code };
}
