import type { ProjectInfo, ProjectRef } from '../../../shared/wire.ts';

/** Which project is on the page: its id, or null for the default one, which is the first of the list. */
export type ProjectChoice = string | null;

/** The same choice whichever way it is written: the default project is null. */
export const choiceOf = (id: string | null, projects: readonly ProjectRef[]): ProjectChoice =>
  id === projects[0]?.id ? null : id;

/** The project a choice stands for; null where it is not loaded, or the list is not known yet. */
export const chosenProject = (choice: ProjectChoice, projects: readonly ProjectInfo[]): ProjectInfo | null =>
  (choice === null ? projects[0] : projects.find(({ id }) => id === choice)) ?? null;

/**
 * Whether an answer is listed with the project on the page: its own, a comparison with it, and those of records that are not
 * loaded, which are nobody's.
 */
export const isOfProject = (
  about: readonly ProjectRef[] | undefined,
  choice: ProjectChoice,
  projects: readonly ProjectRef[],
): boolean =>
  about === undefined || about.length === 0 || about.some(({ id }) => choiceOf(id, projects) === choice);

/** What an answer is about, in words, where several projects are loaded; null where that goes without saying. */
export function aboutWords(about: readonly ProjectRef[], projects: readonly ProjectRef[]): string | null {
  if (projects.length < 2 || about.length === 0) return null;
  const names = about.map(({ name }) => name);
  const last = names.at(-1) ?? '';
  return names.length === 1
    ? `About ${last}`
    : `Compares ${names.slice(0, -1).join(', ')} and ${last}, each by its own record`;
}
