import { LIMITS } from '../../../../shared/limits.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import { told } from './rows.ts';

/** One turn of a loop, put together from the lines that tell of its start, its end and what happened between. */
export interface Turn {
  runId: string;
  n: number;
  featureId: string | null;
  startedMs: number | null;
  endedMs: number | null;
  seconds: number | null;
  verdict: string | null;
  passed: boolean | null;
  feedback: string | null;
  source: SourceInput;
  line: number;
}

/** Turns of several runs, whose lines may stand in any order in several files. Bounded; what is beyond is counted. */
export class Turns {
  readonly #turns = new Map<string, Turn>();
  left = 0;

  /** The turn of a run, made at its first line; null when there are too many. */
  of(runId: string, n: number, source: SourceInput, line: number): Turn | null {
    const key = `${runId} ${n}`;
    const known = this.#turns.get(key);
    if (known) return known;
    if (this.#turns.size >= LIMITS.sourceEntries) {
      this.left += 1;
      return null;
    }
    const turn: Turn = {
      runId,
      n,
      featureId: null,
      startedMs: null,
      endedMs: null,
      seconds: null,
      verdict: null,
      passed: null,
      feedback: null,
      source,
      line,
    };
    this.#turns.set(key, turn);
    return turn;
  }

  all(): Turn[] {
    return [...this.#turns.values()];
  }

  /** Adds an attempt a turn. Durations are those told, else the time between start and end. */
  write(out: RowSink): void {
    for (const turn of this.#turns.values()) {
      const { startedMs: from, endedMs: to } = turn;
      const between = from !== null && to !== null && to >= from ? (to - from) / 1000 : null;
      out.add('attempts', {
        attempt_id: `${turn.runId}.a${turn.n}`,
        run_id: turn.runId,
        feature_id: turn.featureId,
        n: turn.n,
        started_at_ms: from,
        ended_at_ms: to,
        duration_s: turn.seconds ?? between,
        verdict: turn.verdict,
        passed: turn.passed,
        feedback: turn.feedback,
        attribution: 'unknown',
        link_method: turn.featureId === null ? null : 'explicit',
        basis: 'measured',
        ...told(turn.source, turn.line),
      });
    }
  }
}
