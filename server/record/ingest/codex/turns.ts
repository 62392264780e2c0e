import { at, type Change, type Entry } from './rollout-entry.ts';
import type { RolloutState } from './rollout-state.ts';

type Turn = RolloutState['turn'];
export type TurnEnd = 'completed' | 'interrupted' | 'error';

/** Later words on how a session ended go before earlier ones. */
const END_RANK = 1_000_000_000;

/** How the session stands at an entry: the last such word is the one that counts. */
export function told(entry: Entry, reason: TurnEnd | 'unknown'): void {
  entry.add('sessions_told', {
    session_id: entry.session,
    end_reason: reason,
    rank: END_RANK - entry.no,
    source_id: entry.source.id,
    source_line: entry.no,
  });
}

/** A stretch of time that ends at an entry; clocks that went back give none. */
export function span(entry: Entry, kind: 'person' | 'turn', fromMs: number | null): void {
  const { ms } = entry;
  if (fromMs === null || ms === null || ms < fromMs) return;
  entry.add('session_spans', {
    span_id: `${entry.source.id}.${entry.no}.${kind}`,
    session_id: entry.session,
    kind,
    started_at_ms: fromMs,
    ended_at_ms: ms,
    ...at(entry),
  });
}

/** How calls of this session are told apart in questions. */
export const querySource = ({
  subagent,
  review,
  reviewer,
}: RolloutState): 'main' | 'subagent' | 'auxiliary' =>
  review !== null || reviewer ? 'auxiliary' : subagent ? 'subagent' : 'main';

/** Columns of a model call that follow from the turn it is part of. */
export const ofTurn = (entry: Entry, turn: Turn) => {
  const { state, session } = entry;
  return {
    channel: 'rollout',
    provider: state.provider,
    session_id: session,
    turn_id: turn.id,
    is_sidechain: state.subagent,
    effort: turn.effort,
    tier: turn.tier,
    speed: turn.speed,
    query_source: querySource(state),
    cwd: state.cwd,
    git_branch: state.branch,
    ...at(entry),
  };
};

/**
 * What a turn that is over leaves behind: where the model answered and no token count was written (logs of before there were
 * any, turns that broke off), a call whose tokens are not known.
 */
export function uncounted(entry: Entry, end: TurnEnd): Change {
  const { state } = entry;
  const { turn } = state;
  const known = turn.id !== null || state.parent === null;
  if (!turn.begun || !turn.answered || turn.counted || !known) return {};
  const n = state.n + 1;
  entry.add('llm_requests_told', {
    told_id: `${entry.source.id}.${entry.no}.uncounted`,
    n,
    model: turn.model,
    started_at_ms: turn.startedMs,
    ended_at_ms: entry.ms,
    token_quality: null,
    status: end === 'completed' ? 'ok' : end === 'interrupted' ? 'aborted' : 'error',
    ...ofTurn(entry, turn),
  });
  return { n, turn: { ...turn, counted: true } };
}

/** A turn begins; what the one before left open is told first. */
export function begin(entry: Entry, id: string | null): Change {
  const left = uncounted(entry, 'completed');
  span(entry, 'person', entry.state.attended ? entry.state.waitingMs : null);
  return {
    ...left,
    waitingMs: null,
    askedMs: entry.ms,
    turn: {
      ...entry.state.turn,
      id,
      startedMs: entry.ms,
      begun: true,
      answered: false,
      counted: false,
      failed: false,
    },
  };
}

/** A turn ends. */
export function end(entry: Entry, how: TurnEnd): Change {
  const left = uncounted(entry, how);
  const { turn } = { ...entry.state, ...left };
  span(entry, 'turn', turn.begun ? turn.startedMs : null);
  told(entry, how);
  return { ...left, waitingMs: entry.ms, turn: { ...turn, startedMs: null, begun: false } };
}
