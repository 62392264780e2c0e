/**
 * Words of questions beyond the names of measures and groupings. Data only; `vocabulary.ts` compiles it.
 * Phrases are compared word by word without plural endings.
 */

/** What a question wants done. */
export const CUES = {
  high: 'slowest|longest|most|highest|biggest|largest|max|maximum|hardest|top|greatest|heaviest|took the longest|too long|slow|high|more than other',
  low: 'fastest|quickest|shortest|fewest|least|lowest|smallest|min|minimum|easiest|weakest|fast|quick|low|tiniest',
  best: 'best|strongest|finest',
  worst: 'worst|poorest|bad',
  rank: 'rank|ranking|ranked|sort|sorted|order by|ordered by|top|leaderboard',
  struggle:
    'struggle|struggled|struggling|hard|difficult|difficulty|trouble|troublesome|hardest|stuck|pain point|bottleneck',
  count:
    'how many|how much|number of|count|total|in total|sum|amount of|what is the|what was the|what s the|how long|how big|how high',
  typical: 'median|typical|typically|usual|usually|average|mean|on average',
  compare:
    'compare|compared|comparison|comparing|versus|vs|against|difference between|differ|stack up|side by side|better than|worse than|slower than|faster than|longer than|between',
  distribution:
    'distribution|distributed|breakdown|break down|broken down|split|histogram|spread|group by|grouped by|grouped|across|spread out',
  share: 'share|proportion|percentage|percent|donut|pie|fraction|part of the whole',
  trend:
    'trend|over the run|over time|evolve|evolved|progression|as the run went|throughout|in order|speed up|sped up|slow down|slowed down|get slower|got slower|getting slower|get faster|got faster|getting faster|get better|got better|get worse|got worse|improve|improved|improving|degrade|degraded|along the way|from start to end|from first to last|over the course|time series|chronological|chronologically|as it went|over the night|through the night|hour by hour|by the hour',
  failed:
    'failed|fail|failure|failing|skipped|skip|gave up|give up|given up|not built|not accepted|not done|not finished|abandoned|unfinished|incomplete|pending|rejected|left out|left over|missing|dropped|did not pass|didn t pass|not pass|not make it|did not make it|didn t make it|break|broke|broken|wrong',
  sources:
    'disagree|agree|agreement|contradict|contradicts|contradicted|contradiction|contradictory|disputed|dispute|conflict|conflicting|inconsistent|inconsistency|mismatch|discrepancy|match|same story|same thing|lie|lying|lied|sources|honest|honestly|trust|trustworthy|reliable|believe|verified|verify|two versions|who wrote|changed between the log|consistent|true|audit|tell the truth|measured and claimed|only claimed|reconcile',
  commits:
    'commit|git|git log|git history|sha|hash|merged|pushed|enter metrics json|entered metrics json|get into metrics json|got into metrics json|into metrics json|written to metrics json|added to metrics json|in the repository|after the run|blame',
  why: 'why|how come|reason|explain|cause|caused|because|what made',
  when: 'when|what time|which day|at what time',
  start: 'start|started|starting|begin|began|begun|kick off|kicked off',
  list: 'list|show all|show me all|all feature|every feature|table|which feature|what feature|show me every|all of them|each feature|per feature',
  overview:
    'overview|summary|summarize|summarise|sum up|recap|how did it go|how did the run go|how did the night go|how was the night|how did it all go|how did everything go|how did things go|how is it going|how was the run|how was it|how did the agent do|how well did|what happened|status of the run|state of the run|report|dashboard|what got built|what was built|what did it build|what did the agent build|did the run finish|did it finish|is it done|is it finished|what do you know|what is in the record|what is here|tell me about the run|about the run|whole run|big picture|at a glance|morning|start view|everything|all right|what should i know|done',
  story: 'what happened|tell me about|story|history of|went wrong|how did|detail|walk me through|happen',
  proof:
    'proven|proved|prove|proof|requirement|acceptance criteria|acceptance criterion|use case|ledger|unproven|refuted|stale|borne out|only claimed and|claimed only|designed',
  log: 'log|log line|log entry|raw log|raw line|log file|activity log|line around',
  timeline:
    'timeline|time line|gantt|on a time axis|time axis|chronology|what happened when|when did what happen|course of the night',
  no_outcome:
    'no outcome|without outcome|without an outcome|with no outcome|never finished|never came back|without an end|have no outcome|has no outcome|start without',
  waiting:
    'waiting for a human|waiting for me|wait for a human|wait for me|need me|needs me|blocked|need a human|needs a human',
  define:
    'mean|meaning|define|definition|defined|computed|calculated|what is a|what are|stand for|how is|how do you count',
  finding: 'finding|audit finding|audit|suspicious|odd|strange|anomaly|problem|issue|warning|red flag',
} as const satisfies Record<string, string>;
export type Cue = keyof typeof CUES;

/** Phrases that mean a measure or a grouping but are too particular for the semantic layer's own synonyms. */
export const EXTRA_MEASURES: Readonly<Record<string, string>> = {
  build_time:
    'slowest|slow|slower|fastest|fast|faster|quicker|quickest|shortest|longer|how long|took the longest|took longest|take longest|take the longest|build time|speed|minute|hour|time spent|struggle|struggled|struggling',
  median_build_time:
    'median duration|average duration|typical build time|average build time|mean build time|usual build time',
  mean_score: 'rated|graded|scored|mark|best quality|evaluation|evaluator score|final score',
  lines_added: 'line of code|line added|biggest|most code|bulkiest|insertion|how big',
  features: 'how many task|how many story|how many item|number of task|task are there|how big is the backlog',
  attempts: 'attempted|had to retry|tried again|more than once|second try|twice|retried',
  first_try_rate: 'on the first try|at the first attempt|on the first attempt|first time|first go',
  acceptance_rate: 'rate of acceptance|how successful|success',
};
export const EXTRA_DIMENSIONS: Readonly<Record<string, string>> = {
  commit_kind: 'type of commit|sort of commit',
  rule: 'type of finding|kind of finding|audit rule',
  completed_at: 'by clock|time finished|finish time',
  disputed: 'by dispute',
  run: 'previous run|earlier run|other run|all run|run before|between run|run by run|each run|compare run',
};

/** Things people ask about that this record has no facts on: what they are, and which data would tell. */
export interface Topic {
  id: string;
  /** What is asked about, as the subject of a sentence. */
  what: string;
  /** The data that would carry it. */
  carrier: string;
  /** Rows that tell it where a record has them. */
  held?: 'gate_events' | 'test_results' | 'blocked' | 'sessions' | 'llm_requests' | 'tool_calls';
  /** Question that can be answered instead. */
  near: 'tokens' | 'time' | 'failed' | 'commits' | 'findings' | 'scores';
  phrases: string;
}
export const TOPICS: readonly Topic[] = [
  {
    id: 'cost',
    what: 'Cost per feature',
    carrier: 'a session log or a usage export that gives each model request with its model and its price',
    held: 'llm_requests',
    near: 'tokens',
    phrases:
      'cost|price|money|dollar|usd|spend|spent|spending|expensive|cheap|cheapest|bill|budget|costly|euro|cent',
  },
  {
    id: 'model_tokens',
    what: 'Models and tokens per model',
    carrier: 'a session log that names the model of each request',
    held: 'llm_requests',
    near: 'tokens',
    phrases:
      'token per model|token by model|token for each model|which model|by model|per model|what model|input token|output token|cached token|cache|caching|prompt token|context window|context size|compaction|model',
  },
  {
    id: 'tools',
    what: 'Tool calls',
    carrier: 'a session log of the coding agent, which gives each call with its result',
    held: 'tool_calls',
    near: 'commits',
    phrases: 'tool call|tool|command|commands run|shell|bash|tool error|mcp|subagent|edit churn|thrash',
  },
  {
    id: 'verifier',
    what: 'Whose fault a failure was',
    carrier: 'a log of the gate or verifier with its verdicts and errors',
    held: 'gate_events',
    near: 'failed',
    phrases:
      'verifier fault|verifier|verifier error|verdict|fault|whose fault|agent s fault|blame the agent|gate|gate error|false positive|evaluator wrong|evaluator fault|infrastructure',
  },
  {
    id: 'human',
    what: 'Waiting for a human',
    carrier: 'a session log with permission requests and interruptions',
    held: 'blocked',
    near: 'failed',
    phrases:
      'human|waiting for a human|waiting for me|need me|needs me|intervention|intervene|permission|approval|interrupt|waiting|blocked on',
  },
  {
    id: 'tests',
    what: 'Test results',
    carrier: 'a test report such as a JUnit file',
    held: 'test_results',
    near: 'scores',
    phrases: 'test|tests|flaky|flaky test|test result|coverage|unit test|type check|lint|ci|build gate',
  },
  {
    id: 'subscores',
    what: 'Sub-scores of the evaluator',
    carrier: 'a log of each evaluation with its separate marks',
    near: 'scores',
    phrases: 'sub score|subscore|criteria|criterion|rubric|dimension of the score|weight|weighting',
  },
  {
    id: 'conversation',
    what: 'What the agent wrote and was asked',
    carrier: 'a session log of the coding agent',
    held: 'sessions',
    near: 'commits',
    phrases: 'prompt|conversation|transcript|chat log|what did the agent say|reasoning|thinking|session',
  },
  {
    id: 'idle',
    what: 'Time between the steps of a build',
    carrier: 'a session log with the time of each request and tool call',
    held: 'sessions',
    near: 'time',
    phrases:
      'idle|stall|stalled|rate limit|rate limited|outage|downtime|latency|cpu|memory|where did the time go',
  },
];

/** First words that make a short question a continuation of the one before. */
export const OPENERS = new Set('and also but now same only without instead then ok okay or just'.split(' '));
export const OPENING_PHRASES = [
  'what about',
  'how about',
  'what of',
  'and what',
  'why',
  'why so',
  'by',
  'per',
  'for',
  'excluding',
  'except',
  'in',
  'as',
];
export const PRONOUNS = new Set('it its that this them those they these he she one'.split(' '));

/** Words between which and a grouping make it a grouping that is wanted. */
export const GROUPERS = new Set('by per each every across which what between among over'.split(' '));
export const NEGATIONS = new Set(
  'without excluding exclude except not but ignoring ignore minus leaving'.split(' '),
);

export const COMPARATORS: readonly { words: string; side: 'above' | 'below' | 'from' | 'to' }[] = [
  { words: 'more than', side: 'above' },
  { words: 'over', side: 'above' },
  { words: 'above', side: 'above' },
  { words: 'higher than', side: 'above' },
  { words: 'greater than', side: 'above' },
  { words: 'better than', side: 'above' },
  { words: 'slower than', side: 'above' },
  { words: 'longer than', side: 'above' },
  { words: 'bigger than', side: 'above' },
  { words: 'larger than', side: 'above' },
  { words: 'faster than', side: 'below' },
  { words: 'quicker than', side: 'below' },
  { words: 'shorter than', side: 'below' },
  { words: 'smaller than', side: 'below' },
  { words: 'no less than', side: 'from' },
  { words: 'no longer than', side: 'to' },
  { words: 'less than', side: 'below' },
  { words: 'fewer than', side: 'below' },
  { words: 'under', side: 'below' },
  { words: 'below', side: 'below' },
  { words: 'lower than', side: 'below' },
  { words: 'worse than', side: 'below' },
  { words: 'at least', side: 'from' },
  { words: 'at most', side: 'to' },
  { words: 'up to', side: 'to' },
  { words: 'no more than', side: 'to' },
];
