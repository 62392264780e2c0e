import { findProjectName } from '../planner/builtin/project-name.ts';
import { tokenize } from '../planner/builtin/tokens.ts';

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

/** Stands for a name that was found, so that its words are not read again. */
const TAKEN = '.';

/** Ids of the projects a question calls by their names; longer names are looked for first, and no word counts twice. */
function namedIn(question: string, projects: readonly NamedProject[]): Set<string> {
  let rest = question;
  const found = new Set<string>();
  const ways = projects
    .flatMap(({ id, called }) => called.map((way) => ({ id, way })))
    .sort((a, b) => b.way.length - a.way.length);
  for (const { id, way } of ways) {
    const span = findProjectName(rest, way);
    if (span === null) continue;
    found.add(id);
    rest = `${rest.slice(0, span.start)}${TAKEN}${rest.slice(span.end)}`;
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
  const text = tokenize(question)
    .map((token) => token.text)
    .join(' ');
  const named = namedIn(question, projects);
  const inOrder = (ids: ReadonlySet<string>): string[] =>
    projects.flatMap(({ id }) => (ids.has(id) ? [id] : []));
  if (named.size > 1) return inOrder(named);
  const [only] = named;
  if (only === undefined) return ALL.test(text) ? projects.map(({ id }) => id) : [current.id];
  const against = only !== current.id && AGAINST.test(text) && !INSIDE.test(text);
  return against ? inOrder(new Set([current.id, only])) : [only];
}
