import { COMMON } from '../entity-index.ts';
import { tokenize } from './tokens.ts';
import { scan } from './vocabulary.ts';

/** A place of a text, in characters. */
export interface Span {
  start: number;
  end: number;
}

const BESIDE = new Set(['project', 'projects']);

/** A name made of everyday words, or of words the planner reads something into, needs the word "project" beside it. */
function isOrdinary(name: string): boolean {
  const tokens = tokenize(name);
  const known = new Set<number>();
  for (const hit of scan(tokens, new Set()))
    for (let at = 0; at < hit.length; at += 1) known.add(hit.at + at);
  return tokens.every(({ text }, at) => known.has(at) || COMMON.has(text) || text.length < 3);
}

/**
 * Where a question calls a project by a name: word by word, whatever stands between the words. The word "project" beside the
 * name belongs to it.
 * @returns null where it does not, and where the name could be any words
 */
export function findProjectName(question: string, name: string): Span | null {
  const words = tokenize(name).map(({ text }) => text);
  const tokens = tokenize(question);
  if (words.length === 0) return null;
  for (let at = 0; at + words.length <= tokens.length; at += 1) {
    if (!words.every((word, offset) => tokens[at + offset]?.text === word)) continue;
    const before = BESIDE.has(tokens[at - 1]?.text ?? '');
    const after = BESIDE.has(tokens[at + words.length]?.text ?? '');
    if (!before && !after && isOrdinary(name)) continue;
    const first = tokens[before ? at - 1 : at];
    const last = tokens[after ? at + words.length : at + words.length - 1];
    return first && last ? { start: first.start, end: last.end } : null;
  }
  return null;
}

/** What a question reads as where it speaks of the project it is about by name: a name says nothing else than "the run". */
const INSTEAD = 'the run';

/** A question with the names of the project it is about put as what they mean. Longer names are looked for first. */
export function withoutProjectName(question: string, names: readonly string[]): string {
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    const span = findProjectName(question, name);
    if (span === null) continue;
    const before = question.slice(0, span.start).replace(/\bthe\s+$/i, '');
    return `${before}${INSTEAD}${question.slice(span.end)}`;
  }
  return question;
}
