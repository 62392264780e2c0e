import type { Dimension } from './dimensions.ts';

type Given = Pick<Dimension, 'id' | 'label' | 'meaning' | 'bases' | 'synonyms'> & Partial<Dimension>;
const named = (given: Given): Dimension => ({ kind: 'category', ...given });

/** Tables of sessions, all of which have these. */
const ALL = ['request', 'session', 'tool_call', 'session_time'] as const;

/** What sessions, model requests, tool calls, hooks and wall time can be grouped and filtered by. */
export const SESSION_DIMENSIONS: readonly Dimension[] = [
  named({
    id: 'session',
    label: 'session',
    meaning: 'one session, by its id',
    bases: [...ALL, 'gate_event'],
    synonyms: ['session', 'sessions'],
  }),
  named({
    id: 'agent',
    label: 'main or subagent',
    meaning: 'whether the main loop or a subagent did it',
    bases: ALL,
    synonyms: ['main or subagent', 'agent', 'agents', 'role'],
  }),
  named({
    id: 'agent_harness',
    label: 'coding agent',
    meaning: 'which coding agent ran the session, such as Claude Code or Codex',
    bases: ALL,
    synonyms: ['coding agent', 'harness of the session', 'which tool ran'],
  }),
  named({
    id: 'model',
    label: 'model',
    meaning: 'model that answered, as the source names it',
    bases: ['request'],
    synonyms: ['model', 'models', 'llm'],
  }),
  named({
    id: 'branch',
    label: 'branch',
    meaning: 'git branch that was checked out',
    bases: ALL,
    synonyms: ['branch', 'git branch'],
  }),
  named({
    id: 'day',
    label: 'day',
    meaning: 'day in the time zone of the reader, as YYYY-MM-DD',
    bases: ALL,
    synonyms: ['day', 'date', 'daily'],
  }),
  named({
    id: 'month',
    label: 'month',
    meaning: 'month in the time zone of the reader, as YYYY-MM',
    bases: ALL,
    synonyms: ['month', 'monthly'],
  }),
  named({
    id: 'hour',
    label: 'hour of the day',
    meaning: 'hour of the day in the time zone of the reader, 00 to 23',
    bases: ['request', 'session', 'tool_call'],
    synonyms: ['hour', 'hour of the day', 'hourly'],
  }),
  named({
    id: 'commit',
    label: 'commit',
    meaning: 'commit the request is tied to',
    bases: ['request'],
    synonyms: ['commit'],
  }),
  {
    id: 'attempt',
    label: 'attempt',
    meaning: 'number of the attempt at a feature it is tied to',
    kind: 'number',
    bases: ['request', 'tool_call'],
    synonyms: ['attempt number'],
  },
  named({
    id: 'link_method',
    label: 'how it is tied',
    meaning: 'what ties the request to a feature or commit: explicit, ledger, commit, prompt or time window',
    bases: ['request'],
    synonyms: ['how it is tied', 'link method', 'attribution method', 'tied by'],
  }),
  named({
    id: 'cost_source',
    label: 'source of the cost',
    meaning: 'whether the cost is computed, reported, or not known',
    bases: ['request'],
    synonyms: ['source of the cost', 'cost source', 'priced or unpriced'],
  }),
  named({
    id: 'tool',
    label: 'tool',
    meaning: 'tool that was called',
    bases: ['tool_call'],
    synonyms: ['tool', 'tools'],
  }),
  named({
    id: 'tool_target',
    label: 'target of the call',
    meaning: 'what the tool was called on: command, path or address',
    bases: ['tool_call'],
    synonyms: ['target of the call', 'command', 'commands'],
  }),
  named({
    id: 'call_status',
    label: 'outcome of the call',
    meaning: 'ok, error, denied, interrupted or unknown',
    bases: ['tool_call'],
    synonyms: ['outcome of the call', 'call status'],
  }),
  named({
    id: 'error',
    label: 'error',
    meaning: 'error text as it repeats, without numbers, paths and ids',
    bases: ['tool_call'],
    synonyms: ['error', 'error signature', 'error message'],
  }),
  named({
    id: 'hook',
    label: 'hook',
    meaning: 'hook that ran, by its event',
    bases: ['gate_event'],
    synonyms: ['hook', 'hooks'],
  }),
  named({
    id: 'end_reason',
    label: 'how the session ended',
    meaning: 'completed, stopped, error, limit reached, interrupted or unknown',
    bases: ['session'],
    synonyms: ['end of the session', 'how the session ended'],
  }),
  named({
    id: 'activity',
    label: 'what the time went into',
    meaning:
      'model, tool, subagent, gate, person (waiting for one), permission (waiting for it), compaction, unknown or idle',
    bases: ['session_time'],
    synonyms: ['activity', 'what the time went into', 'kind of time'],
  }),
];

/** Of dimensions that were there before: which tables of sessions have them too. */
export const SHARED_BASES = {
  feature: ['request', 'tool_call'],
  category: ['request', 'tool_call'],
  status: ['request'],
  run: ['request', 'tool_call', 'session'],
  project: [...ALL],
  happened_at: [...ALL],
} as const;
