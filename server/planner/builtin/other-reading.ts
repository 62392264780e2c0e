import { dimensionById } from '../../metrics/dimensions.ts';
import { groupMeasure } from './group-measure.ts';
import { type Family, groupingOf } from './intent.ts';
import {
  commitsOf,
  EVENT_QUESTIONS,
  proofOf,
  QUESTIONS,
  sourcesOf,
  storyOf,
  timelineOf,
} from './questions.ts';
import type { Reading } from './reading.ts';
import { labelOf } from './wording.ts';

/** Families whose question is the same whatever it is about. */
const PLAIN: Partial<Record<Family, string>> = {
  overview: QUESTIONS.overview,
  failed: QUESTIONS.skipped,
  list: QUESTIONS.table,
  log: EVENT_QUESTIONS.logEnd,
  gates: EVENT_QUESTIONS.gatesFailed,
  open_starts: EVENT_QUESTIONS.openStarts,
  tests: EVENT_QUESTIONS.tests,
  waiting: EVENT_QUESTIONS.waiting,
};
const OF_FEATURE: Partial<Record<Family, (id: string) => string>> = {
  feature: storyOf,
  sources: sourcesOf,
  commits: commitsOf,
  proof: proofOf,
  timeline: timelineOf,
};
const OF_RUN: Partial<Record<Family, string>> = {
  sources: QUESTIONS.sources,
  commits: QUESTIONS.commits,
  proof: EVENT_QUESTIONS.proof,
  timeline: EVENT_QUESTIONS.timeline,
};

/**
 * The question as it would be put if the other of two close readings were meant, for a button; null where it cannot be put in
 * words that are read that way. Pure.
 */
export function otherQuestion(family: Family, reading: Reading): string | null {
  const [id] = reading.features;
  if (id !== undefined && reading.features.length === 1) return OF_FEATURE[family]?.(id) ?? null;
  const [measure] = reading.measures;
  if (measure !== undefined) {
    const by = groupingOf(reading) ?? 'category';
    if (family === 'distribution')
      return `What is the ${labelOf(groupMeasure(reading.measures, by, false))} by ${dimensionById(by)?.label ?? by}?`;
    if (family === 'figure') return `What is the ${labelOf(measure)} of the run?`;
    if (family === 'trend') return `How did the ${labelOf(measure)} change over the run?`;
  }
  return OF_RUN[family] ?? PLAIN[family] ?? null;
}
