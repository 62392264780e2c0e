import type { Turn } from '../../answer/types.ts';
import type { RecordProfile } from '../../record/store.ts';
import { type Family, type Intent, intentOf } from './intent.ts';
import { OPENERS, OPENING_PHRASES, PRONOUNS } from './lexicon.ts';
import { type Reading, read } from './reading.ts';
import { tokenize } from './tokens.ts';

/** A question as it is meant in its conversation. */
export interface Understanding {
  reading: Reading;
  intent: Intent;
}

const SHORT = 9;

/** Whether anything in it was recognised; "and now?" alone says nothing that could be answered. */
const says = (reading: Reading): boolean =>
  reading.features.length + reading.categories.length + reading.filters.length + reading.ranges.length > 0 ||
  reading.measures.length + reading.by.length + reading.cues.size > 0 ||
  reading.topic !== null ||
  reading.held.size > 0 ||
  reading.draw !== null;

/** Whether a question only makes sense after another one: "and by category?", "what about 5?", "why?". */
function continues(reading: Reading): boolean {
  if (reading.words > SHORT || !says(reading)) return false;
  const words = tokenize(reading.question).map(({ text }) => text);
  const text = words.join(' ');
  const opened =
    OPENERS.has(words[0] ?? '') ||
    OPENING_PHRASES.some(
      (phrase) =>
        text === phrase || (text.startsWith(`${phrase} `) && (phrase !== 'why' || words.length <= 3)),
    );
  return opened || (reading.features.length === 0 && words.some((word) => PRONOUNS.has(word)));
}

/** What a continuation may ask for that leaves the earlier grouping behind. */
const ELSEWHERE = ['trend', 'commits', 'failed', 'sources', 'overview'] as const;

/** Groupings that share their word with a measure. */
const SAME_WORD: Readonly<Record<string, string>> = { score: 'mean_score', attempts: 'attempts' };
const WHOLE = /\b(?:total|overall|altogether|all in all|all together|how many|how much)\b/i;

/** Families whose cards are about single features. */
const ABOUT_FEATURES = new Set<Family>(['feature', 'figure', 'sources', 'commits']);

/** The earlier reading with what the new question changes about it. */
function merge(before: Understanding, next: Reading): Understanding {
  const family = before.intent.family === 'not_understood' ? null : before.intent.family;
  const old = before.reading;
  const features =
    next.features.length > 0
      ? next.features
      : next.categories.length > 0 || next.by.length > 0
        ? []
        : old.features;
  const fresh = next.features.length > 0 && family !== null && ABOUT_FEATURES.has(family);
  // "By score" names a grouping; the measure stays the one of before.
  const measures = next.measures.filter((id) => !next.by.some((by) => SAME_WORD[by] === id));
  // A whole is asked for, not its parts.
  const whole = next.by.length === 0 && (next.cues.has('count') || WHOLE.test(next.question));
  const own = next.measures.length > 0 || next.by.length > 0 || next.topic !== null;
  // "What about lines?" asks for lines, not for the story again.
  const other = next.measures.length > 0 && next.clear && next.by.length === 0;
  const cues = new Set(
    !other && (next.features.length > 0 || next.cues.size === 0) ? [...next.cues, ...old.cues] : next.cues,
  );
  const elsewhere = ELSEWHERE.some((cue) => next.cues.has(cue));
  const reading: Reading = {
    ...next,
    features,
    categories: next.categories.length > 0 ? next.categories : next.features.length > 0 ? [] : old.categories,
    filters: [...old.filters, ...next.filters].slice(-8),
    ranges: next.ranges.length > 0 ? next.ranges : old.ranges,
    unclear: next.unclear,
    measures: measures.length > 0 ? measures : old.measures,
    clear: measures.length > 0 ? next.clear : old.clear,
    by: next.by.length > 0 ? next.by : next.features.length > 0 || elsewhere || whole ? [] : old.by,
    cues,
    topic: next.topic,
    held: next.held.size > 0 || next.topic !== null || next.measures.length > 0 ? next.held : old.held,
    gates: next.gates.length > 0 ? next.gates : old.gates,
    direction:
      next.cues.has('high') || next.cues.has('low') || next.cues.has('best') || next.cues.has('worst')
        ? next.direction
        : old.direction,
    size: next.size === 'some' ? old.size : next.size,
    amount: next.size === 'some' ? old.amount : next.amount,
    judged: next.measures.length > 0 ? next.judged : old.judged,
  };
  // A line needs an order to go along: that of the run.
  if (next.draw === 'line')
    return { reading: { ...reading, by: ['order'] }, intent: { family: 'trend', score: 1 } };
  if (next.draw === 'table') return { reading, intent: { family: 'list', score: 1 } };
  if (fresh || (!own && next.cues.size === 0)) {
    const intent = keepable(family, reading) ? { family, score: 1 } : intentOf(reading, family);
    return { reading, intent };
  }
  return { reading, intent: intentOf(reading, (other && family === 'feature') || whole ? null : family) };
}

/** Whether an answer of this family can be given for what was named now. */
function keepable(family: Family | null, reading: Reading): family is Family {
  if (family === null) return false;
  if (family === 'compare') return reading.features.length > 1 || reading.categories.length > 1;
  if (family === 'feature') return reading.features.length === 1;
  return reading.features.length === 0 || ABOUT_FEATURES.has(family);
}

/**
 * What a question asks, read with the turns before it. Earlier turns are read from their questions again, so that
 * the same conversation always gives the same answer.
 */
export function understand(question: string, turns: readonly Turn[], profile: RecordProfile): Understanding {
  const reading = read(question, profile);
  const last = turns.at(-1);
  if (last !== undefined && reading.missing.length === 0 && continues(reading)) {
    const before = understand(last.question, turns.slice(0, -1), profile);
    const usable = before.intent.family !== 'not_understood';
    const subject =
      before.reading.features.length > 0 || last.about.feature === null
        ? before.reading.features
        : [last.about.feature];
    if (usable) return merge({ ...before, reading: { ...before.reading, features: subject } }, reading);
  }
  return { reading, intent: intentOf(reading) };
}
