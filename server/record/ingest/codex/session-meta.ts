import { LIMITS } from '../../../../shared/limits.ts';
import { objectIn, textIn } from '../json-quiet.ts';
import { readTime } from '../time.ts';
import { visibleText } from '../visible.ts';
import { type Change, type Entry, idIn, UNCHANGED } from './rollout-entry.ts';

const bounded = (text: string | null): string | null =>
  text === null ? null : visibleText(text.slice(0, LIMITS.sourceText));

/** Ways of running it at which nobody sits. */
const UNATTENDED: ReadonlySet<string> = new Set(['exec', 'mcp']);

/**
 * The first line of a rollout: whose session it is. What follows of the kind is history that was taken over from another
 * session, and names that one.
 */
export function sessionMeta(entry: Entry): Change {
  const { state, payload, source, no, session } = entry;
  const id = idIn(payload, 'id');
  // Whose file it is was decided by the first entry; another session's head is history.
  if (state.headed || (id !== null && id !== session)) return UNCHANGED;
  const origin = objectIn(payload, 'source');
  const subagent = objectIn(origin, 'subagent');
  const spawn = objectIn(subagent, 'thread_spawn');
  const forked = idIn(payload, 'forked_from_id');
  const parent = idIn(payload, 'parent_thread_id') ?? idIn(spawn, 'parent_thread_id');
  const kind = textIn(origin, 'subagent');
  const isSubagent = subagent !== null || kind !== null || textIn(payload, 'thread_source') === 'subagent';
  const reviewer = kind === 'review';
  const git = objectIn(payload, 'git');
  const cwd = bounded(textIn(payload, 'cwd'));
  const branch = bounded(textIn(git, 'branch'));
  entry.add('sessions_told', {
    session_id: session,
    parent_session_id: parent,
    forked_from: forked,
    role: reviewer ? 'reviewer' : null,
    is_subagent: isSubagent,
    harness: 'codex',
    harness_version: bounded(textIn(payload, 'cli_version')),
    title: bounded(textIn(spawn, 'agent_nickname') ?? textIn(spawn, 'agent_path')),
    cwd,
    git_branch: branch,
    base_commit: idIn(git, 'commit_hash'),
    started_at_ms: readTime(textIn(payload, 'timestamp') ?? '')?.ms ?? entry.ms,
    rank: 0,
    source_id: source.id,
    source_line: no,
  });
  return {
    headed: true,
    parent: forked ?? parent,
    subagent: isSubagent,
    attended: !isSubagent && !UNATTENDED.has(textIn(payload, 'source') ?? ''),
    reviewer,
    provider: bounded(textIn(payload, 'model_provider')),
    cwd,
    branch,
    titled: spawn !== null,
  };
}
