import type { Attempt, AttemptsCard, CardData, Figure, Telling } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { AttemptsBlock } from '../../../shared/plan.ts';
import { codeCard } from '../code-card.ts';
import { clip, plainText } from '../placeholders.ts';
import { baseOf, proseContext } from './base.ts';
import type { ResolveContext } from './context.ts';
import { emptyCard } from './empty.ts';
import { judge } from './figure.ts';
import { figureText } from './format.ts';
import { bearsOut, type FeatureStory, type Listed, type SourceStory, storyOf } from './story.ts';
import { countedFigure, listedFigure, toldFigure } from './told.ts';

const SCORE_MAX = 10;
/** Attempts of one source that are drawn. */
const MOST_ATTEMPTS = 30;
const ATTRIBUTIONS = ['agent', 'verifier', 'infra', 'provider', 'spec'] as const;

/** Findings about one attempt: those that rest on it, or on its very line. */
const findingsOf = (story: FeatureStory, attempt: Listed): string[] =>
  story.findings
    .filter(
      ({ rule, row, line, source }) =>
        rule === 'passed_then_retried' &&
        (row === attempt.id ||
          (row === null && source === attempt.cite.source && line !== null && line === attempt.cite.line)),
    )
    .map(({ says }) => clip(says, LIMITS.cellText));

function attemptOf(
  story: FeatureStory,
  source: SourceStory,
  attempt: Listed,
  threshold: AttemptsCard['threshold'],
  context: ResolveContext,
): Attempt {
  const judged = threshold !== null && attempt.score !== null ? attempt.score >= threshold.value : null;
  return {
    n: attempt.n,
    score: listedFigure(story, source, attempt, 'score', context),
    duration: listedFigure(story, source, attempt, 'duration', context),
    passed: attempt.passed ?? judged,
    attribution: ATTRIBUTIONS.find((name) => name === attempt.attribution) ?? 'unknown',
    feedback: attempt.feedback === null ? null : clip(attempt.feedback, LIMITS.cellText),
    cite: attempt.cite,
    findings: findingsOf(story, attempt),
  };
}

function tellingOf(
  story: FeatureStory,
  source: SourceStory,
  threshold: AttemptsCard['threshold'],
  context: ResolveContext,
): Telling {
  const basis = (source.told.get('attempts') ?? source.told.get('score') ?? source.told.get('build_time'))
    ?.cite.basis;
  return {
    source: source.name,
    basis: basis ?? source.cite.basis,
    counted: bearsOut(story, source, source.told.has('attempts') ? 'attempts' : 'score'),
    cite: source.cite,
    attempts: source.attempts
      .slice(0, MOST_ATTEMPTS)
      .map((attempt) => attemptOf(story, source, attempt, threshold, context)),
    count: toldFigure(story, source, 'attempts', context),
    total: toldFigure(story, source, 'build_time', context),
    score: toldFigure(story, source, 'score', context),
  };
}

const figuresOf = ({ count, total, score, attempts }: Telling): Figure[] => [
  count,
  total,
  score,
  ...attempts.flatMap((attempt) => [attempt.score, attempt.duration]),
];

/** "metrics.json tells of 3 attempts; 1 attempt is counted." when they differ, else null. */
function subOf(tellings: readonly Telling[], counted: Figure): string | null {
  const other = tellings.find(({ count }) => count.value !== null && count.value !== counted.value);
  if (counted.value === null || !other) return null;
  const verb = counted.value === 1 ? 'is' : 'are';
  return `${other.source} tells of ${figureText(other.count)}; ${figureText(counted)} ${verb} counted.`;
}

/** The story of one feature as each source tells it. */
export async function resolveAttempts(
  block: AttemptsBlock,
  id: string,
  context: ResolveContext,
): Promise<CardData> {
  const feature = context.profile.features.find((entry) => entry.id === block.feature);
  const title = plainText(block.title, proseContext(context));
  if (!feature) return codeCard(id, 'block_unbound', title);
  const story = await storyOf(feature.id, context);
  const tellers = story.sources.filter(
    ({ told, attempts }) =>
      attempts.length > 0 || ['attempts', 'score', 'build_time'].some((fact) => told.has(fact)),
  );
  if (tellers.length === 0)
    return emptyCard(
      context,
      { id, title: block.title, actions: block.actions },
      'none',
      `No source tells of an attempt at feature ${feature.id}. Its status is ${feature.status}.`,
      'Ask which features were built, or add the log of the run that built it.',
    );
  const threshold = context.threshold(feature.category === '' ? null : feature.category);
  const tellings = tellers.map((source) => tellingOf(story, source, threshold, context));
  const figures = tellings.flatMap(figuresOf);
  const counted = countedFigure(story, 'attempts', context);
  const about = [
    counted,
    countedFigure(story, 'score', context),
    countedFigure(story, 'build_time', context),
  ];
  const cut = tellers.some(({ attempts }) => attempts.length > MOST_ATTEMPTS);
  const present = figures.filter(({ value }) => value !== null);
  const card: AttemptsCard = {
    ...baseOf(context, {
      id,
      title: block.title,
      sub: subOf(tellings, counted),
      actions: block.actions,
      evidence: [...about, ...present].map(({ evidence }) => evidence),
      trimmed: cut ? `the first ${MOST_ATTEMPTS} attempts of a source shown` : null,
      ...judge(present, about),
    }),
    type: 'attempts',
    feature: { id: feature.id, title: feature.title, category: feature.category, status: feature.status },
    scoreMax: SCORE_MAX,
    threshold,
    tellings,
  };
  return card;
}
