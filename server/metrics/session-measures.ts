import type { Aggregate, Base, Measure } from './measures.ts';

/** Measures of sessions of coding agents: model requests with their tokens and cost, tool calls, hooks, and wall time. */

/** Numbers of their rows (session-frames.ts). */
export type SessionColumn =
  | 'spend'
  | 'spend_computed'
  | 'spend_reported'
  | 'thrown_away'
  | 'saved'
  | 'all_tokens'
  | 'input_all'
  | 'input'
  | 'cache_read'
  | 'cache_write'
  | 'output'
  | 'reasoning'
  | 'wall'
  | 'waited';
export type SessionFilter =
  | 'unpriced'
  | 'startup'
  | 'subagent'
  | 'tool_failed'
  | 'tool_denied'
  | 'tool_repeated'
  | 'hook'
  | 'hook_blocked'
  | 'hook_open'
  | 'main';

type Given = Pick<Measure, 'id' | 'label' | 'meaning' | 'synonyms'> &
  Partial<Pick<Measure, 'good' | 'filter' | 'leftOut'>>;

const count = (
  base: Base,
  unit: Measure['unit'],
  filter: NonNullable<Measure['filter']>,
  given: Given,
): Measure => ({ good: null, ...given, unit, aggregate: 'count', base, fact: null, filter, additive: true });
const number = (
  base: Base,
  unit: Measure['unit'],
  aggregate: Aggregate,
  column: NonNullable<Measure['column']>,
  given: Given,
): Measure => ({
  good: 'down',
  filter: null,
  ...given,
  unit,
  aggregate,
  base,
  fact: null,
  column,
  additive: aggregate === 'sum',
});
const money = (
  aggregate: Aggregate,
  column: SessionColumn,
  given: Given & { under?: Measure['under'] },
): Measure => ({
  leftOut: 'unpriced',
  ...number('request', 'usd', aggregate, column, given),
  ...under(given),
});
const tokens = (column: SessionColumn, given: Given): Measure => ({
  leftOut: 'without token counts',
  ...number('request', 'tokens', 'sum', column, { good: null, ...given }),
});
const under = (given: { under?: Measure['under'] }): Pick<Measure, 'under'> =>
  given.under === undefined ? {} : { under: given.under };

export const SESSION_MEASURES: readonly Measure[] = [
  count('session', 'sessions', 'all', {
    id: 'sessions',
    label: 'sessions',
    meaning: 'number of sessions of a coding agent, subagents included',
    synonyms: ['session', 'number of sessions', 'how many sessions', 'context window'],
  }),
  count('session', 'sessions', 'subagent', {
    id: 'subagent_sessions',
    label: 'subagent sessions',
    meaning: 'number of sessions of subagents',
    synonyms: ['subagent session', 'subagent run', 'subagent'],
  }),
  number('session', 's', 'median', 'wall', {
    id: 'median_session_time',
    label: 'median length of a session',
    meaning: 'median of seconds from the first to the last moment of a session',
    good: null,
    synonyms: ['typical session', 'length of a session', 'session length'],
  }),
  count('request', 'requests', 'all', {
    id: 'requests',
    label: 'model requests',
    meaning: 'number of model requests, each counted once over all files',
    synonyms: ['request', 'model request', 'api request', 'api call', 'model call', 'llm call'],
  }),
  count('request', 'requests', 'unpriced', {
    id: 'unpriced_requests',
    label: 'unpriced requests',
    meaning: 'number of model requests whose cost is not known: no price for the model, or no token counts',
    good: 'down',
    synonyms: ['unpriced', 'unpriced request', 'without a price', 'no price', 'missing price'],
  }),
  money('sum', 'spend', {
    id: 'session_cost',
    label: 'cost of sessions',
    meaning: 'sum of what the model requests cost, each at its own price; unpriced ones are left out',
    synonyms: ['session cost', 'cost of the session', 'api cost', 'spend', 'spending'],
  }),
  money('sum', 'spend_reported', {
    id: 'reported_cost',
    label: 'cost as reported',
    meaning: 'sum of what the harness itself says the model requests cost',
    leftOut: 'without a reported cost',
    synonyms: ['reported cost', 'cost as reported', 'cost the harness reports'],
  }),
  money('sum', 'spend_computed', {
    id: 'computed_cost',
    label: 'cost as computed',
    meaning: 'sum of what the model requests cost by their tokens and the price table',
    leftOut: 'without a computed cost',
    synonyms: ['computed cost', 'cost as computed', 'cost by the price table'],
  }),
  money('quotient', 'spend', {
    id: 'cost_per_request',
    label: 'cost per request',
    meaning: 'cost of the priced model requests over their number',
    under: { of: 'rows' },
    synonyms: ['cost per request', 'average cost of a request', 'cost per call'],
  }),
  money('quotient', 'spend', {
    id: 'cost_per_session',
    label: 'cost per session',
    meaning: 'cost of the model requests over the sessions they belong to, subagents by themselves',
    under: { of: 'session' },
    synonyms: ['cost per session', 'average cost of a session'],
  }),
  money('quotient', 'spend', {
    id: 'cost_per_accepted_feature',
    label: 'cost per accepted feature',
    meaning:
      'everything spent, failed attempts and what is tied to no feature included, over the accepted features that any of it is tied to',
    under: { of: 'accepted_feature' },
    synonyms: [
      'cost per accepted feature',
      'cost of an accepted feature',
      'accepted feature cost',
      'per accepted feature',
      'cost per feature accepted',
    ],
  }),
  money('sum', 'thrown_away', {
    id: 'thrown_away_cost',
    label: 'cost thrown away',
    meaning: 'cost of attempts that did not pass, and of features that were skipped or failed',
    leftOut: 'unpriced or tied to no feature',
    synonyms: ['thrown away', 'wasted', 'waste', 'discarded', 'burned', 'for nothing'],
  }),
  {
    ...money('sum', 'saved', {
      id: 'cache_savings',
      label: 'saved by caching',
      meaning:
        'what reading from the cache cost less than plain input would have, less what writing to it cost more',
      good: 'up',
      synonyms: ['saved by caching', 'cache saving', 'caching save', 'caching saved', 'cache save', 'saving'],
    }),
    leftOut: undefined,
  },
  tokens('all_tokens', {
    id: 'session_tokens',
    label: 'tokens of sessions',
    meaning: 'sum of tokens of all classes: uncached input, cache reads, cache writes and output',
    synonyms: ['session tokens', 'all tokens', 'total tokens'],
  }),
  tokens('input', {
    id: 'input_tokens',
    label: 'uncached input',
    meaning: 'sum of input tokens that were neither read from the cache nor written to it',
    synonyms: ['input token', 'uncached input', 'prompt token', 'uncached token'],
  }),
  tokens('cache_read', {
    id: 'cache_read_tokens',
    label: 'cache reads',
    meaning: 'sum of input tokens read from the cache',
    synonyms: ['cache read', 'cached token', 'cached input', 'cache hit'],
  }),
  tokens('cache_write', {
    id: 'cache_write_tokens',
    label: 'cache writes',
    meaning: 'sum of input tokens written to the cache, for five minutes or an hour',
    synonyms: ['cache write', 'cache creation', 'cache write token'],
  }),
  tokens('output', {
    id: 'output_tokens',
    label: 'output',
    meaning: 'sum of output tokens, reasoning included',
    synonyms: ['output token', 'completion token', 'generated token'],
  }),
  tokens('reasoning', {
    id: 'reasoning_tokens',
    label: 'reasoning',
    meaning: 'sum of output tokens that were reasoning, where that is told',
    leftOut: undefined,
    synonyms: ['reasoning token', 'thinking token'],
  }),
  {
    ...number('request', 'ratio', 'quotient', 'cache_read', {
      id: 'cache_hit_rate',
      label: 'input read from the cache',
      meaning: 'input tokens read from the cache over all input tokens',
      good: 'up',
      synonyms: ['cache hit rate', 'hit rate', 'share cached', 'cache efficiency'],
    }),
    under: { of: 'column', column: 'input_all' },
  },
  money('sum', 'spend', {
    id: 'startup_cost',
    label: 'cost of starting fresh',
    meaning: 'cost of the first request of each fresh session, which comes before its first tool call',
    filter: 'startup',
    synonyms: ['startup cost', 'start up cost', 'startup tax', 'start up tax'],
  }),
  {
    ...number('request', 'tokens', 'median', 'all_tokens', {
      id: 'startup_tokens',
      label: 'median tokens of a fresh start',
      meaning:
        'median of tokens of the first request of a fresh session, which comes before its first tool call',
      filter: 'startup',
      synonyms: ['startup token', 'start up token', 'first request'],
    }),
  },
  count('request', 'requests', 'startup', {
    id: 'fresh_starts',
    label: 'fresh starts',
    meaning: 'number of first requests of fresh sessions, before any tool call',
    synonyms: ['fresh start', 'fresh session', 'cold start'],
  }),
  number('request', 's', 'median', 'duration', {
    id: 'median_request_time',
    label: 'median time of a request',
    meaning: 'median of seconds of one model request, from what it answers to its last row',
    synonyms: ['latency', 'time of a request', 'request time', 'response time'],
  }),
  number('request', 's', 'p90', 'duration', {
    id: 'slow_request_time',
    label: '90th percentile of a request',
    meaning: 'seconds that nine of ten model requests stay under',
    synonyms: ['slow request', 'p90 of a request'],
  }),
  count('tool_call', 'calls', 'all', {
    id: 'tool_calls',
    label: 'tool calls',
    meaning: 'number of tool calls',
    synonyms: ['tool call', 'tool use', 'tool', 'command run', 'command'],
  }),
  count('tool_call', 'calls', 'tool_failed', {
    id: 'tool_failures',
    label: 'failed tool calls',
    meaning: 'number of tool calls that came back as an error',
    good: 'down',
    synonyms: ['failed tool call', 'tool call failed', 'tool error', 'tool failure', 'failed command'],
  }),
  count('tool_call', 'calls', 'tool_repeated', {
    id: 'repeated_failures',
    label: 'failures seen before',
    meaning: 'number of failed tool calls whose tool had failed with the same error before',
    good: 'down',
    synonyms: ['repeated failure', 'same error', 'repeated error', 'failed again', 'same error again'],
  }),
  count('tool_call', 'calls', 'tool_denied', {
    id: 'denied_tool_calls',
    label: 'denied tool calls',
    meaning: 'number of tool calls that were not permitted',
    synonyms: ['denied tool call', 'denied', 'not permitted', 'permission denied'],
  }),
  {
    ...count('tool_call', 'ratio', 'tool_failed', {
      id: 'tool_failure_rate',
      label: 'failure rate of tools',
      meaning: 'tool calls that came back as an error over those whose outcome is known',
      good: 'down',
      synonyms: ['tool failure rate', 'tool error rate', 'share of failed tool calls'],
    }),
    aggregate: 'ratio',
    additive: false,
  },
  number('tool_call', 's', 'sum', 'duration', {
    id: 'tool_time',
    label: 'tool time',
    meaning: 'sum of seconds of tool calls, parallel ones each by itself',
    synonyms: ['tool time', 'time in tool', 'time of the tools'],
  }),
  number('tool_call', 's', 'median', 'duration', {
    id: 'median_tool_time',
    label: 'median time of a tool call',
    meaning: 'median of seconds of one tool call',
    synonyms: ['typical tool time', 'median tool time'],
  }),
  number('tool_call', 's', 'p90', 'duration', {
    id: 'slow_tool_time',
    label: '90th percentile of a tool call',
    meaning: 'seconds that nine of ten tool calls stay under',
    synonyms: ['slow tool call', 'slowest tool', 'p90 of a tool call'],
  }),
  number('tool_call', 's', 'sum', 'waited', {
    id: 'permission_time',
    label: 'waiting for permission',
    meaning: 'sum of seconds tool calls waited for a person to permit them, where that is told',
    synonyms: ['waiting for permission', 'permission wait', 'approval time'],
  }),
  count('gate_event', 'gates', 'hook', {
    id: 'hook_runs',
    label: 'hook runs',
    meaning: 'number of runs of hooks of the coding agent',
    synonyms: ['hook', 'hook run', 'stop hook'],
  }),
  count('gate_event', 'gates', 'hook_blocked', {
    id: 'hook_blocks',
    label: 'hooks that blocked',
    meaning: 'number of runs of hooks that stopped the agent and were obeyed',
    synonyms: ['hook block', 'hook that blocked', 'hook blocked', 'blocking hook'],
  }),
  count('gate_event', 'gates', 'hook_open', {
    id: 'hooks_without_effect',
    label: 'hooks that did not gate',
    meaning:
      'number of runs of hooks that failed or were cancelled, so that the agent went on as if there were none',
    good: 'down',
    synonyms: ['hook that did not gate', 'silent hook', 'hook did not gate', 'hook failed', 'silently'],
  }),
  number('session_time', 's', 'sum', 'duration', {
    id: 'wall_time',
    label: 'wall time of sessions',
    meaning:
      'sum of the seconds sessions lasted, each second counted once a session; subagents are inside the session that started them',
    filter: 'main',
    good: null,
    synonyms: ['wall time', 'wall clock', 'session time', 'where the time went', 'time of sessions'],
  }),
  number('session_time', 's', 'sum', 'duration', {
    id: 'subagent_time',
    label: 'time of subagents',
    meaning: 'sum of the seconds sessions of subagents lasted, parallel ones each by itself',
    filter: 'subagent',
    good: null,
    synonyms: ['subagent time', 'time of subagents'],
  }),
];
