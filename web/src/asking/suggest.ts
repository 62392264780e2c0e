import { LIMITS } from '../../../shared/limits.ts';
import type { AskingMenu } from '../../../shared/wire.ts';

/** A question that can be taken over, and what it is found by. */
export interface Suggestion {
  question: string;
  /** What people read beside it: the title of the feature it is about. */
  hint: string | null;
}

const words = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** How well what was typed matches a text: every word has to begin one of its words; 0 is not at all. */
function matches(typed: readonly string[], text: string): number {
  const there = words(text);
  let score = 0;
  for (const word of typed) {
    const at = there.findIndex((one) => one.startsWith(word));
    if (at < 0) return 0;
    score += (there[at] === word ? 2 : 1) + (at === 0 ? 0.5 : 0);
  }
  return score / Math.max(1, there.length) + (typed.length > 0 ? 1 : 0);
}

/** Words that a question about one feature begins with; they say nothing about which one. */
const OPENING = new Set(
  'what happened to about the why did how long many was is tell me feature features task tasks story and of take took show its'.split(
    ' ',
  ),
);

const storyOf = (id: string): string => `What happened to feature ${id}?`;

/** Features that what was typed names by number or title, the best first. */
function features(typed: readonly string[], menu: AskingMenu): (Suggestion & { score: number })[] {
  const telling = typed.filter((word) => !OPENING.has(word));
  if (telling.length === 0) return [];
  return menu.features.flatMap(({ id, title }) => {
    const [only, ...more] = telling;
    const byId = more.length === 0 && only !== undefined && words(id).join('') === only ? 10 : 0;
    const score = Math.max(byId, matches(telling, `${id} ${title}`));
    return score === 0 ? [] : [{ question: storyOf(id), hint: title, score }];
  });
}

/**
 * What somebody may want to ask, given what they have typed so far: features by number and title, and questions that the
 * record has something on. Nothing for an empty text, and never the text itself. Pure.
 */
export function suggest(text: string, menu: AskingMenu): Suggestion[] {
  const typed = words(text).slice(0, 12);
  if (typed.join('').length < 2 && !/\d/.test(text)) return [];
  const questions = menu.questions.flatMap((question) => {
    const score = matches(typed, question);
    return score === 0 ? [] : [{ question, hint: null, score }];
  });
  const same = text.trim().toLowerCase();
  return [...features(typed, menu), ...questions]
    .filter(({ question }) => question.toLowerCase() !== same)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, LIMITS.suggestions)
    .map(({ question, hint }) => ({ question, hint }));
}
