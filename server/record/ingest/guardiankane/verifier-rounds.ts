import type { Fault } from './faults.ts';
import { evidenceFault, infraFault, sweepFault, testFault, UNKNOWN } from './faults.ts';
import { batchOf, type Said } from './log-grammar.ts';

/**
 * The verifier turns in rounds: a scripted test, then checks of evidence, then a sweep; a task without a test has the sweep only.
 * A round begins with a start line and ends with the line that gives its verdict. Nothing in the log ties an outcome to its
 * start but the task and the order: an outcome belongs to the latest start that has none. Runs of one task can overlap (two outcomes after
 * two starts), so one earlier start is kept open; the start before that is given up when a third one comes.
 */
export interface Round {
  /** Counts the rounds of the task from 1. */
  n: number;
  /** Line and time of the start of the round, and of the gate that is running in it. */
  line: number;
  atMs: number | null;
  gate: 'scripted_test' | 'defect_sweep';
  gateAtMs: number | null;
  /** The test has passed and nothing has started since. */
  tested: boolean;
}

export interface TaskRounds {
  rounds: number;
  open: readonly Round[];
}

export const NO_ROUNDS: TaskRounds = { rounds: 0, open: [] };

/** Rounds that may be open at the same time. */
const OPEN = 2;

export type Verdict = 'pass' | 'block' | 'error' | 'timeout' | 'no_verdict' | 'bypassed';

/** One gate came to an outcome, or was given up. */
export interface GateOutcome {
  gate: string;
  verdict: Verdict;
  fault: Fault;
  startedAtMs: number | null;
  /** Given up: no line tells of an end, so it has none. */
  ended: boolean;
  n: number | null;
  cap: number | null;
  exit: number | null;
  batch: { passed: number; run: number } | null;
  reason: string | null;
}

/** A round that is over. */
export interface RoundEnd {
  round: Round;
  verdict: Verdict;
  fault: Fault;
  ended: boolean;
  feedback: string | null;
}

export interface Turn {
  state: TaskRounds;
  /** The round this line starts, if it starts one. */
  started: Round | null;
  gates: { outcome: GateOutcome; round: Round | null }[];
  ends: RoundEnd[];
}

const whole = (text: string | undefined): number | null =>
  text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : null;

const outcome = (gate: string, verdict: Verdict, more: Partial<GateOutcome> = {}): GateOutcome => ({
  gate,
  verdict,
  fault: UNKNOWN,
  startedAtMs: null,
  ended: true,
  n: null,
  cap: null,
  exit: null,
  batch: null,
  reason: null,
  ...more,
});

/** What is left of a round nobody will hear of again. A test that passed in it has had its outcome already. */
export function givenUp(round: Round): { gate: GateOutcome | null; end: RoundEnd } {
  return {
    gate: round.tested
      ? null
      : outcome(round.gate, 'no_verdict', { startedAtMs: round.gateAtMs, ended: false }),
    end: { round, verdict: 'no_verdict', fault: UNKNOWN, ended: false, feedback: null },
  };
}

/** Where one line leads from the state of its task. Pure: the state given is not changed. */
export function turn(state: TaskRounds, said: Said, line: number, atMs: number | null): Turn {
  const { shape, parts } = said;
  const result: Turn = { state, started: null, gates: [], ends: [] };
  const count = { n: whole(parts.n), cap: whole(parts.cap) };

  const giveUp = (rounds: readonly Round[]): void => {
    for (const round of rounds) {
      const { gate, end } = givenUp(round);
      if (gate) result.gates.push({ outcome: gate, round });
      result.ends.push(end);
    }
  };
  const start = (gate: Round['gate']): void => {
    const round = { n: state.rounds + 1, line, atMs, gate, gateAtMs: atMs, tested: false };
    const open = [...state.open, round];
    giveUp(open.slice(0, -OPEN));
    result.state = { rounds: round.n, open: open.slice(-OPEN) };
    result.started = round;
  };
  /** The latest open round that fits. */
  const latest = (fits: (round: Round) => boolean): Round | null => state.open.findLast(fits) ?? null;
  const replace = (round: Round, by: Round | null): void => {
    result.state = {
      ...state,
      open: state.open.flatMap((one) => (one !== round ? [one] : by === null ? [] : [by])),
    };
  };
  const end = (round: Round | null, verdict: Verdict, fault: Fault, feedback: string | null): void => {
    if (round === null) return;
    replace(round, null);
    result.ends.push({ round, verdict, fault, ended: true, feedback });
  };
  const gate = (round: Round | null, what: GateOutcome): void => {
    result.gates.push({ outcome: what, round });
  };
  /** A check without a start line of its own: it ends the round that waits for it, if one does. */
  const lone = (what: GateOutcome): void => {
    const waiting = latest((round) => round.tested);
    gate(waiting, what);
    end(waiting, what.verdict, what.fault, what.reason);
  };
  const testing = (): Round | null => latest((round) => round.gate === 'scripted_test' && !round.tested);
  const sweeping = (): Round | null => latest((round) => round.gate === 'defect_sweep');

  switch (shape) {
    case 'test_start':
      start('scripted_test');
      break;
    case 'sweep_start': {
      const round = latest((one) => one.tested);
      if (round) replace(round, { ...round, gate: 'defect_sweep', gateAtMs: atMs, tested: false });
      else start('defect_sweep');
      break;
    }
    case 'test_pass': {
      const round = testing();
      gate(
        round,
        outcome('scripted_test', 'pass', {
          startedAtMs: round?.gateAtMs ?? null,
          batch: batchOf(parts.summary ?? ''),
          reason: parts.summary ?? null,
        }),
      );
      if (round) replace(round, { ...round, tested: true });
      break;
    }
    case 'test_fail': {
      const round = testing();
      const fault = testFault(parts.summary ?? '', parts.reason ?? '');
      const batch = batchOf(parts.summary ?? '');
      const reason = parts.reason ?? null;
      gate(
        round,
        outcome('scripted_test', 'block', {
          ...count,
          fault,
          batch,
          reason,
          startedAtMs: round?.gateAtMs ?? null,
        }),
      );
      end(round, 'block', fault, reason);
      break;
    }
    case 'sweep_pass': {
      const round = sweeping();
      gate(round, outcome('defect_sweep', 'pass', { startedAtMs: round?.gateAtMs ?? null }));
      end(round, 'pass', UNKNOWN, null);
      break;
    }
    case 'sweep_fail': {
      const round = sweeping();
      const fault = sweepFault(parts.summary ?? '');
      const verdict = fault.attribution === 'verifier' ? 'error' : 'block';
      const reason = parts.summary ?? null;
      gate(
        round,
        outcome('defect_sweep', verdict, { ...count, fault, reason, startedAtMs: round?.gateAtMs ?? null }),
      );
      end(round, verdict, fault, reason);
      break;
    }
    case 'no_sweep':
      end(
        latest((round) => round.tested),
        'pass',
        UNKNOWN,
        null,
      );
      break;
    case 'evidence_fail': {
      const detail = parts.detail ?? '';
      const tested = latest((round) => round.tested) !== null;
      lone(
        outcome('evidence_check', 'block', {
          ...count,
          fault: evidenceFault(detail, tested),
          reason: detail,
        }),
      );
      break;
    }
    case 'secret_fail':
      lone(outcome('secret_scan', 'block', { ...count, reason: parts.detail ?? null }));
      break;
    case 'tampering':
      lone(
        outcome('tampering_check', 'block', {
          reason: parts.detail ?? null,
          fault: {
            attribution: 'agent',
            basis: 'The tampering check found a test changed after it was agreed.',
          },
        }),
      );
      break;
    case 'check_error':
      if (parts.check === 'SECRET SCAN' || parts.check === 'TAMPERING CHECK') {
        // The harness lets the task pass a check that broke.
        gate(
          null,
          outcome(parts.check === 'SECRET SCAN' ? 'secret_scan' : 'tampering_check', 'bypassed', {
            reason: parts.detail ?? null,
            fault: {
              attribution: 'verifier',
              basis: 'The check itself broke, and the task went on without it.',
            },
          }),
        );
      }
      break;
    case 'infra': {
      const round = latest((one) => !one.tested);
      const fault = infraFault(parts.what ?? '', parts.exit ?? '');
      const verdict = parts.what === 'timeout' ? 'timeout' : 'error';
      const reason = parts.what === 'timeout' ? 'timeout' : 'infrastructure or sign-in error';
      gate(
        round,
        outcome(round?.gate ?? 'scripted_test', verdict, {
          fault,
          reason,
          exit: whole(parts.exit),
          startedAtMs: round?.gateAtMs ?? null,
        }),
      );
      end(round, verdict, fault, reason);
      break;
    }
    case 'server_down':
      gate(
        null,
        outcome('dev_server', 'error', {
          fault: {
            attribution: 'infra',
            basis: 'The development server did not answer, so nothing was checked.',
          },
        }),
      );
      break;
    case 'stale': {
      const round = latest((one) => !one.tested);
      if (round) {
        const fault: Fault = {
          attribution: 'verifier',
          basis: 'The harness found the check stuck and set the task back.',
        };
        gate(round, outcome(round.gate, 'no_verdict', { fault, startedAtMs: round.gateAtMs }));
        end(round, 'no_verdict', fault, null);
      }
      break;
    }
    case 'manual_ok':
      gate(null, outcome('manual', 'pass'));
      break;
    default:
      break;
  }
  if (
    shape === 'sweep_pass' ||
    shape === 'no_sweep' ||
    shape === 'manual_ok' ||
    shape === 'blocked' ||
    shape === 'tampering'
  ) {
    // The task is decided; what is still open will not be heard of again.
    giveUp(result.state.open);
    result.state = { ...result.state, open: [] };
  }
  return result;
}
