import type { RowOf } from '../../tables.ts';
import { idIn } from '../codex/rollout-entry.ts';
import { objectIn, textIn } from '../json-quiet.ts';
import type { JsonNode } from '../json-tree.ts';
import { at, type Entry, shown } from './entry.ts';

export const HARNESS = 'claude-code';

/** Whose word on a session speaks first: what people named it, what it says of itself, what others say of it. */
export const RANK = { named: 5, described: 8, own: 10, titled: 20, result: 30, other: 40 } as const;

/** `<session>/agent-<id>`: the session of a subagent. */
export const subagentId = (session: string, agent: string): string => `${session}/agent-${agent}`;

/** The session a subagent's belongs to; null when it is no subagent's. */
export const parentOf = (session: string): string | null => {
  const cut = session.indexOf('/agent-');
  return cut === -1 ? null : session.slice(0, cut);
};

const ROLES: readonly (readonly [RegExp, string])[] = [
  [/review|audit|critic/i, 'reviewer'],
  [/verif|test|qa/i, 'verifier'],
  [/eval|judge|grade/i, 'evaluator'],
  [/plan|architect|design/i, 'planner'],
  [/build|cod(?:e|er|ing)\b|implement|develop/i, 'builder'],
];

/** What a subagent of this type is for, by its name. */
export const roleOf = (type: string | null): string | null =>
  type === null ? null : (ROLES.find(([pattern]) => pattern.test(type))?.[1] ?? 'other');

/** What a line tells of its session, the first time a file names it. */
export function sessionRow(entry: Entry): RowOf<'sessions_told'> {
  const { node, state, session, subagent } = entry;
  return {
    session_id: session,
    parent_session_id: parentOf(session),
    forked_from: idIn(objectIn(node, 'forkedFrom'), 'sessionId'),
    is_subagent: subagent,
    harness: HARNESS,
    harness_version: idIn(node, 'version'),
    title: null,
    cwd: state.cwd,
    git_branch: state.branch,
    rank: RANK.own,
    ...at(entry),
  };
}

/** Further words on a session. */
export function sayOf(
  entry: Entry,
  session: string,
  rank: number,
  more: Partial<RowOf<'sessions_told'>>,
): void {
  entry.add('sessions_told', {
    session_id: session,
    parent_session_id: parentOf(session),
    harness: HARNESS,
    rank,
    ...at(entry),
    ...more,
  });
}

/** What the result of a call of a subagent tells of it: that it came to its end. Its usage is that of one request, and not read. */
export function subagentOf(entry: Entry, told: JsonNode | null): void {
  const agent = told?.kind === 'object' ? idIn(told, 'agentId') : null;
  if (agent === null) return;
  const status = textIn(told, 'status');
  const type = textIn(told, 'agentType');
  sayOf(entry, subagentId(parentOf(entry.session) ?? entry.session, agent), RANK.other, {
    is_subagent: true,
    role: roleOf(type),
    title: type === null ? null : shown(type, 80),
    end_reason: status === 'completed' ? 'completed' : status === 'async_launched' ? null : 'unknown',
  });
}
