import { tokenize } from '../planner/builtin/tokens.ts';
import { scan } from '../planner/builtin/vocabulary.ts';
import { COMMON } from '../planner/entity-index.ts';

/** What a question may call a project by. */
export interface NamedProject {
  id: string;
  called: readonly string[];
}

/** Words that set one thing against another. */
const AGAINST =
  /\b(?:compar(?:e|ed|es|ing|ison)|versus|vs|against|than|differ|differs|difference|differences)\b/;
/** All projects are meant. */
const ALL =
  /\b(?:compare|across|between|among|all|both|each|every|which|per|by|other|these) (?:of )?(?:the |these |those |my |our |loaded |other |all |two |three )*projects?\b|\bprojects? (?:differ|compare|stack up)\b/;
/** The things inside a project are set against each other, not projects. */
const INSIDE =
  /\b(?:features?|categor(?:y|ies)|commits?|runs?|attempts?)\b \d|\bfeatures \d|\bcategor(?:y|ies)\b/;

const wordsOf = (text: string): string[] => tokenize(text).map((token) => token.text.toLowerCase());

/** A name made of everyday words, or of words the planner reads something into, needs the word "project" beside it. */
function isOrdinary(name: string): boolean {
  const tokens = tokenize(name);
  const known = new Set<number>();
  for (const hit of scan(tokens, new Set()))
    for (let at = 0; at < hit.length; at += 1) known.add(hit.at + at);
  return tokens.every(({ text }, at) => known.has(at) || COMMON.has(text) || text.length < 3);
}

/** Where a sequence of words stands in a text; -1 where it does not. */
function placeOf(words: readonly string[], text: readonly (string | null)[]): number {
  if (words.length === 0) return -1;
  for (let at = 0; at + words.length <= text.length; at += 1)
    if (words.every((word, offset) => text[at + offset] === word)) return at;
  return -1;
}

/** Ids of the projects a question calls by their names; longer names are looked for first. */
function namedIn(question: string, projects: readonly NamedProject[]): Set<string> {
  const text: (string | null)[] = wordsOf(question);
  const found = new Set<string>();
  const ways = projects
    .flatMap(({ id, called }) => called.map((way) => ({ id, way, words: wordsOf(way) })))
    .sort((a, b) => b.words.length - a.words.length);
  for (const { id, way, words } of ways) {
    const at = placeOf(words, text);
    if (at === -1) continue;
    const beside = [text[at - 1], text[at + words.length]].some(
      (word) => word === 'project' || word === 'projects',
    );
    if (isOrdinary(way) && !beside) continue;
    found.add(id);
    for (let offset = 0; offset < words.length; offset += 1) text[at + offset] = null;
  }
  return found;
}

/**
 * Which projects a question is about: the one it is asked in, another one it names, or several that it compares. Pure.
 * @param projects all that are loaded
 * @param current the one it is asked in
 * @returns ids in the order of `projects`, at least one; several mean a comparison
 */
export function whichProjects(
  question: string,
  projects: readonly NamedProject[],
  current: NamedProject,
): string[] {
  if (projects.length < 2) return [current.id];
  const text = wordsOf(question).join(' ');
  const named = namedIn(question, projects);
  const inOrder = (ids: ReadonlySet<string>): string[] =>
    projects.flatMap(({ id }) => (ids.has(id) ? [id] : []));
  if (named.size > 1) return inOrder(named);
  const [only] = named;
  if (only === undefined) return ALL.test(text) ? projects.map(({ id }) => id) : [current.id];
  const against = only !== current.id && AGAINST.test(text) && !INSIDE.test(text);
  return against ? inOrder(new Set([current.id, only])) : [only];
}
