import type { RecordProfile } from '../../record/store.ts';

/**
 * Questions the planner puts on buttons and behind answers. Each is a complete question that the planner itself
 * understands; a test feeds every one of them back.
 */

/** A feature in running text: "feature 28", or its id where that is a word. */
export const featureName = (id: string): string => `feature ${id}`;

export const QUESTIONS = {
  overview: 'How did the run go?',
  slowest: 'Which features were the slowest?',
  fastest: 'Which features were the fastest?',
  lowestScores: 'Which features have the lowest score?',
  mostAttempts: 'Which features took the most attempts?',
  mostLines: 'Which features added the most lines?',
  slowestCategory: 'Which category was slowest?',
  timeByCategory: 'What is the build time by category?',
  scoreByCategory: 'What is the mean score by category?',
  acceptanceByCategory: 'What is the acceptance rate by category?',
  scores: 'How are the scores distributed?',
  timeTrend: 'How did build time change over the run?',
  scoreTrend: 'How did the score change over the run?',
  skipped: 'Which features were skipped?',
  sources: 'Do the sources agree?',
  disputed: 'Which features are disputed?',
  disputedByCategory: 'How many disputed features by category?',
  findings: 'Which audit findings are there?',
  findingsByRule: 'How many findings by audit rule?',
  commitsAfter: 'Which commits came after the run?',
  commits: 'Which commits belong to this run?',
  attemptsEntered: 'When did the attempts enter metrics.json?',
  medianTime: 'What is the median build time?',
  tokens: 'How many tokens are claimed?',
  table: 'List all features',
} as const;

/** Questions about what only some records have: gates, requirements, logs, tests. */
export const EVENT_QUESTIONS = {
  proof: 'What is proven and what is only claimed?',
  refuted: 'Which requirements are refuted?',
  timeline: 'Show the timeline of the run',
  log: 'Show the log around the first failure',
  logEnd: 'Show the end of the log',
  gatesFailed: 'Which gates failed?',
  gateTime: 'How long did the gates take?',
  fault: "Was any failure the verifier's own fault?",
  openStarts: 'Which starts have no outcome?',
  tests: 'Which tests failed?',
  waiting: 'What waits for a human?',
  sessionCost: 'What did each session cost?',
  sessionTime: 'Where did the time go?',
  toolFailures: 'Which tool calls failed?',
} as const;

export const logOf = (id: string): string => `Show the log of ${featureName(id)}`;
export const timelineOf = (id: string): string => `Show the timeline of ${featureName(id)}`;
export const proofOf = (id: string): string => `What is proven of ${featureName(id)}?`;

/** Questions a record has rows for, the most telling first. */
export function eventQuestions({ counts, timed, statuses }: RecordProfile): string[] {
  return [
    ...(counts.gate_events > 0 ? [EVENT_QUESTIONS.fault] : []),
    ...(counts.requirements > 0 ? [EVENT_QUESTIONS.proof] : []),
    ...(statuses.includes('blocked') ? [EVENT_QUESTIONS.waiting] : []),
    ...(counts.gate_events > 0 ? [EVENT_QUESTIONS.gatesFailed] : []),
    ...((timed?.gates ?? 0) + (timed?.builds ?? 0) + (timed?.entries ?? 0) > 0
      ? [EVENT_QUESTIONS.timeline]
      : []),
    ...(counts.gate_events > 0 && counts.log_events > 0 ? [EVENT_QUESTIONS.log] : []),
    ...(counts.llm_requests > 0 ? [EVENT_QUESTIONS.sessionCost, EVENT_QUESTIONS.sessionTime] : []),
    ...(counts.tool_calls > 0 ? [EVENT_QUESTIONS.toolFailures] : []),
    ...(counts.test_results > 0 ? [EVENT_QUESTIONS.tests] : []),
  ];
}

/** Whether a source tells this fact; a profile that does not say is taken to have it. */
export const tells = ({ facts }: RecordProfile, fact: string): boolean =>
  facts === undefined || facts.includes(fact);

type Need = (profile: RecordProfile) => boolean;
const told =
  (fact: string): Need =>
  (profile) =>
    tells(profile, fact);
const hasCommits: Need = ({ counts }) => counts.commits > 0;
const hasFeatures: Need = ({ features }) => features.length > 0;

/** What a record has to have for a question to be worth offering. */
const NEEDS: ReadonlyMap<string, Need> = new Map<string, Need>([
  [QUESTIONS.slowest, told('build_time')],
  [QUESTIONS.fastest, told('build_time')],
  [QUESTIONS.slowestCategory, told('build_time')],
  [QUESTIONS.timeByCategory, told('build_time')],
  [QUESTIONS.timeTrend, told('build_time')],
  [QUESTIONS.medianTime, told('build_time')],
  [QUESTIONS.lowestScores, told('score')],
  [QUESTIONS.scoreByCategory, told('score')],
  [QUESTIONS.scores, told('score')],
  [QUESTIONS.scoreTrend, told('score')],
  [QUESTIONS.mostAttempts, told('attempts')],
  [QUESTIONS.mostLines, told('lines_added')],
  [QUESTIONS.tokens, told('tokens')],
  [QUESTIONS.commits, hasCommits],
  [QUESTIONS.commitsAfter, hasCommits],
  [
    QUESTIONS.attemptsEntered,
    (profile) => hasCommits(profile) && profile.sources.some(({ kind }) => kind === 'metrics'),
  ],
  [QUESTIONS.skipped, hasFeatures],
  [QUESTIONS.table, hasFeatures],
]);

/** Whether a question is worth offering about this record; one without needs always is. */
export const isAnswerable = (question: string, profile: RecordProfile): boolean =>
  NEEDS.get(question)?.(profile) ?? true;

export const storyOf = (id: string): string => `What happened to ${featureName(id)}?`;
export const timeOf = (id: string): string => `How long did ${featureName(id)} take?`;
export const attemptsOf = (id: string): string => `How many attempts did ${featureName(id)} take?`;
export const sourcesOf = (id: string): string => `Do the sources agree about ${featureName(id)}?`;
export const commitsOf = (id: string): string => `Which commits belong to ${featureName(id)}?`;
export const comparison = (a: string, b: string): string =>
  `Compare ${featureName(a)} with ${featureName(b)}`;
export const inCategory = (category: string): string => `Which features are in the category ${category}?`;
export const slowestIn = (category: string): string =>
  `Which features in the category ${category} were the slowest?`;
export const categories = (a: string, b: string): string =>
  `Compare the category ${a} with the category ${b}`;

const SMALL = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'] as const;

/** The question that takes a disputed number of attempts for granted; the answer begins by saying so. */
export const whyAttempts = (id: string, attempts: number): string =>
  `Why did ${featureName(id)} take ${SMALL[attempts - 1] ?? attempts} attempts?`;

/** The feature with the most attempts that sources disagree about. */
function mostDisputed({ features }: RecordProfile): { id: string; attempts: number } | null {
  let most: { id: string; attempts: number } | null = null;
  for (const { id, disputedAttempts = 0 } of features)
    if (disputedAttempts > Math.max(1, most?.attempts ?? 0)) most = { id, attempts: disputedAttempts };
  return most;
}

/** Three questions this record can answer, for a page that has none yet. */
export function suggestions(profile: RecordProfile): string[] {
  if (profile.features.length === 0) return eventQuestions(profile).slice(0, 3);
  const disputed = profile.sources.some((source) => source.disputed);
  const skipped = profile.features.find((feature) => feature.status === 'skipped');
  const told = mostDisputed(profile);
  const questions = [
    ...(told ? [whyAttempts(told.id, told.attempts)] : []),
    ...(profile.counts.gate_events > 0 ? eventQuestions(profile).slice(0, 2) : []),
    ...(disputed ? [QUESTIONS.sources] : []),
    ...(skipped ? [storyOf(skipped.id)] : []),
    ...(tells(profile, 'build_time')
      ? [
          QUESTIONS.slowest,
          ...(profile.categories.length > 1 ? [QUESTIONS.slowestCategory] : []),
          QUESTIONS.timeTrend,
        ]
      : eventQuestions(profile)),
    QUESTIONS.overview,
    EVENT_QUESTIONS.timeline,
    QUESTIONS.table,
  ];
  return [...new Set(questions)].slice(0, 3);
}
