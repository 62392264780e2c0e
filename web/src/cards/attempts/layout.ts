import type { Attempt, AttemptsCard, Figure } from '../../../../shared/cards.ts';
import { formatFigure, formatNumber } from '../format.ts';
import { type Build, type Story, seconds, tell } from './story.ts';
import { type TimeAxis, timeAxis } from './time-axis.ts';

/** Measures of the plot in pixels: top of the scale, base line, and height of the whole drawing. */
export const TOP = 26;
export const BASE = 216;
export const HEIGHT = 217;

export interface Step {
  attempt: Attempt;
  /** Left edge and width as shares of the plot. */
  x: number;
  width: number;
  /** Top of the step in pixels; null when there is no score. */
  top: number | null;
  /** Top of the step before it, or the base line. */
  from: number;
}

export interface Bar {
  build: Build;
  /** Share of the plot, or null when no time is recorded. */
  width: number | null;
  parts: { x: number; width: number }[];
}

export interface StoryLayout {
  story: Story;
  steps: Step[];
  /** Width is time; otherwise attempts stand in their order, as lines with a ring. */
  timed: boolean;
  /** Some attempt has a score; without one there is no height to draw, and the attempts are told in words. */
  scored: boolean;
  /** Every step is wide enough for its feedback to stand below it. */
  columns: boolean;
}

export interface AttemptsLayout {
  told: StoryLayout | null;
  bars: Bar[];
  axis: TimeAxis | null;
  scores: { y: number; text: string }[];
  threshold: { y: number; text: string; x: number | null } | null;
  /** Where the threshold is known from. */
  thresholdWhy: string | undefined;
  /** The words of the first step reach into the title of the axis, which then stands higher. */
  titleHigh: boolean;
  /** There is room above the first step for the words that say who tells the story. */
  roomAbove: boolean;
  says: string;
}

/** Narrowest step that has its feedback below it, and that carries the words of the threshold. */
const NARROWEST = 0.2;
const WORDS_NEED = 0.15;
/** Height of a line of words in the plot. */
const LINE = 18;
/** Lowest top of the first step that leaves room for words above it. */
const ROOM = 84;

function layoutStory(story: Story, axis: TimeAxis | null, y: (score: number) => number): StoryLayout {
  const { attempts } = story;
  const durations = attempts.map((attempt) => seconds(attempt.duration));
  const timed = axis !== null && isTimed(story);
  let x = 0;
  let from = BASE;
  const steps = attempts.map((attempt, index): Step => {
    const width = timed ? (durations[index] ?? 0) / axis.end : 1 / attempts.length;
    const top = attempt.score.value === null ? null : y(attempt.score.value);
    const step = { attempt, x, width, top, from };
    x += width;
    from = top ?? BASE;
    return step;
  });
  const scored = steps.some((step) => step.top !== null);
  const columns = scored && timed && steps.every((step) => step.width >= NARROWEST);
  return { story, steps, timed, scored, columns };
}

/**
 * Grid columns in the ratio of the given widths. A browser gives parts that add up to less than one only that share of the
 * room, so they are made larger than one.
 */
export const columnsOf = (widths: readonly number[]): string =>
  widths.map((width) => `minmax(0, ${(width * 1_000).toFixed(2)}fr)`).join(' ');

/** Whether every attempt has a duration, so that width can be time. */
function isTimed(story: Story): boolean {
  const durations = story.attempts.map((attempt) => seconds(attempt.duration));
  return durations.every((value) => value !== null) && durations.some((value) => value !== null && value > 0);
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

function layoutBar(build: Build, axis: TimeAxis | null): Bar {
  const total = seconds(build.total) ?? (build.parts.length > 0 ? sumOf(build.parts) : null);
  if (total === null || axis === null) return { build, width: null, parts: [] };
  let x = 0;
  const all = sumOf(build.parts);
  const parts =
    all <= 0
      ? []
      : build.parts.map((part) => {
          const place = { x, width: part / all };
          x += part / all;
          return place;
        });
  return { build, width: Math.min(1, total / axis.end), parts };
}

/** Where the words of the threshold fit above its line: over a step that ends well below it. */
function wordsPlace(told: StoryLayout | null, y: number): number | null {
  const free = told?.steps.find(
    (step) => step.top !== null && step.top - y >= LINE && step.width >= WORDS_NEED,
  );
  return free === undefined ? null : free.x;
}

/** The drawing in one sentence. */
function sentence(told: StoryLayout | null, builds: readonly Build[], threshold: number | null): string {
  const parts: string[] = [];
  if (told !== null) {
    const scores = told.steps.map(({ attempt }) =>
      attempt.score.value === null ? 'no score' : formatNumber(attempt.score.value),
    );
    const against = threshold === null ? '' : `, against a pass threshold of ${formatNumber(threshold)}`;
    const who = told.story.telling.source || told.story.places[0] || 'the record';
    parts.push(`Score by attempt as ${who} tells it: ${scores.join(', then ')}${against}.`);
  }
  for (const build of builds) parts.push(`${buildWords(build)}.`);
  return parts.join(' ');
}

/**
 * What stands before a figure of a list: the basis where it changes, else a comma.
 * "Measured: 1 attempt, 9/10; derived: 419 s".
 */
export function basisLead(figure: Figure, before: Figure | undefined): string {
  if (before === undefined) return `${figure.basis.charAt(0).toUpperCase()}${figure.basis.slice(1)}: `;
  return before.basis === figure.basis ? ', ' : `; ${figure.basis}: `;
}

function buildWords(build: Build): string {
  const told = [build.count, build.score, build.total].filter((figure) => figure.value !== null);
  if (told.length === 0) return `${build.claim ? 'Claimed' : 'Measured'}: no figure recorded`;
  return told.map((figure, index) => `${basisLead(figure, told[index - 1])}${formatFigure(figure)}`).join('');
}

/**
 * Everything about the drawing that is not a pixel of a screen: shares across, pixels down.
 * @param card the story of one feature
 */
export function layoutAttempts(card: AttemptsCard): AttemptsLayout {
  const { story, builds } = tell(card);
  const most = card.scoreMax;
  const y = (score: number) => BASE - (Math.min(Math.max(score, 0), most) / most) * (BASE - TOP);

  const timedStory = story !== null && isTimed(story);
  const lengths = [
    ...(timedStory ? [sumOf(story.attempts.map((attempt) => seconds(attempt.duration) ?? 0))] : []),
    ...builds.map((build) => seconds(build.total) ?? sumOf(build.parts)),
  ];
  const longest = Math.max(0, ...lengths);
  const axis = longest > 0 ? timeAxis(longest) : null;

  const told = story === null ? null : layoutStory(story, axis, y);
  const thresholdAt = card.threshold?.value ?? null;
  const drawn = thresholdAt !== null && thresholdAt >= 0 && thresholdAt <= most;
  const thresholdY = drawn ? y(thresholdAt) : null;
  const first = told?.steps[0];
  return {
    told,
    bars: builds.map((build) => layoutBar(build, axis)),
    axis,
    scores: [0, most / 2, most].map((score) => ({ y: y(score), text: formatNumber(score) })),
    threshold:
      thresholdY === null || thresholdAt === null
        ? null
        : { y: thresholdY, text: formatNumber(thresholdAt), x: wordsPlace(told, thresholdY) },
    thresholdWhy: card.threshold?.why || undefined,
    titleHigh: first !== undefined && (first.top ?? BASE) < TOP + LINE,
    roomAbove: first !== undefined && first.width >= WORDS_NEED && (first.top ?? BASE) >= ROOM,
    says: sentence(told, builds, thresholdAt),
  };
}
