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
  if (profile.features.length === 0) return [];
  const disputed = profile.sources.some((source) => source.disputed);
  const skipped = profile.features.find((feature) => feature.status === 'skipped');
  const told = mostDisputed(profile);
  return [
    ...(told ? [whyAttempts(told.id, told.attempts)] : []),
    ...(disputed ? [QUESTIONS.sources] : []),
    ...(skipped ? [storyOf(skipped.id)] : []),
    QUESTIONS.slowest,
    ...(profile.categories.length > 1 ? [QUESTIONS.slowestCategory] : []),
    QUESTIONS.timeTrend,
    QUESTIONS.overview,
  ].slice(0, 3);
}
