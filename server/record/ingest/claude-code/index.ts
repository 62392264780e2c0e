import { LIMITS } from '../../../../shared/limits.ts';
import { COPIES } from '../../derive/copies.ts';
import type { Adapter } from '../adapter.ts';
import { idIn } from '../codex/rollout-entry.ts';
import { jsonLines } from '../json-lines.ts';
import { textIn } from '../json-quiet.ts';
import { readJson } from '../json-tree.ts';
import { shown } from './entry.ts';
import { headless } from './headless.ts';
import { TranscriptReader } from './reader.ts';
import { HARNESS, RANK, roleOf, subagentId } from './session-rows.ts';
import { isTranscript } from './sniff.ts';
import { REBASED } from './touches.ts';

/** Lines between two writings of what has gathered. */
const FLUSH = 500;

/** `<session>.jsonl`, and `<session>/subagents/agent-<id>.jsonl`: what a session of Claude Code did, line by line. */
export const transcript: Adapter = {
  id: 'claude-code/transcript',
  version: 1,
  label: 'Claude Code session',
  sources: [
    { kind: 'claude_subagent', paths: ['**/agent-*.jsonl'], sniff: isTranscript },
    { kind: 'claude_session', paths: ['**/*.jsonl'], sniff: isTranscript },
  ],
  unit: 'each',
  appendable: true,
  async read(unit, out) {
    for (const source of unit.sources) {
      const reader = new TranscriptReader(source, out, unit.carried);
      let read = 0;
      for await (const line of jsonLines(source)) {
        reader.line(line);
        read += 1;
        if (read % FLUSH === 0) await out.flush();
      }
      reader.end();
    }
  },
  settles: [...COPIES, REBASED],
};

/** `agent-<id>.meta.json`: what kind of agent a subagent is, and what it was given to do. */
export const subagentMeta: Adapter = {
  id: 'claude-code/subagent-meta',
  version: 1,
  label: 'Claude Code subagent',
  sources: [{ kind: 'claude_subagent', paths: ['**/subagents/**/agent-*.meta.json'] }],
  unit: 'each',
  async read(unit, out) {
    for (const source of unit.sources) {
      const path = /([^/]+)\/subagents\/(?:.*\/)?agent-([^/]+)\.meta\.json$/.exec(source.path);
      const [, session, agent] = path ?? [];
      const text = await source.text();
      if (text === null || session === undefined || agent === undefined) continue;
      const { root, broken } = readJson(text);
      if (root?.kind !== 'object' || broken !== null) {
        source.issue(
          'json_invalid',
          'warning',
          broken?.line ?? null,
          'This is no JSON object, so it was not read.',
        );
        source.count(0, 1);
        continue;
      }
      const type = idIn(root, 'agentType');
      const title = textIn(root, 'description') ?? type;
      out.add('sessions_told', {
        session_id: subagentId(session, agent),
        parent_session_id: session,
        is_subagent: true,
        harness: HARNESS,
        role: roleOf(type),
        title: title === null ? null : shown(title, LIMITS.title),
        rank: RANK.described,
        source_id: source.id,
        source_line: 1,
      });
      source.count(1, 0);
    }
  },
};

/** Those that look how a file begins, before readers that go by names alone. */
export const CLAUDE_CODE: readonly Adapter[] = [transcript, subagentMeta];
/** Output of headless runs that no harness's own reader has taken. */
export const CLAUDE_HEADLESS: readonly Adapter[] = [headless];
