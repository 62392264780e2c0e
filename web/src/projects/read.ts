import { LIMITS } from '../../../shared/limits.ts';
import type { ProjectInfo, ProjectRef } from '../../../shared/wire.ts';
import { getJson } from '../lib/api.ts';
import { count, isRecord, list, oneOf, text } from '../lib/unknown.ts';

const ID = /^[a-z0-9][a-z0-9-]{0,59}$/;
/** Harnesses named of one project. */
const HARNESSES = 12;

/** Reads what a project is called; null for anything that is none. */
export function readProjectRef(value: unknown): ProjectRef | null {
  if (!isRecord(value)) return null;
  const id = text(value.id);
  if (id === null || !ID.test(id)) return null;
  return { id, name: (text(value.name) ?? id).slice(0, LIMITS.title) };
}

/** Reads a list of projects an answer is about. */
export const readProjectRefs = (value: unknown): ProjectRef[] => list(value, readProjectRef, LIMITS.projects);

function readProject(value: unknown): ProjectInfo | null {
  const ref = readProjectRef(value);
  if (ref === null || !isRecord(value)) return null;
  return {
    ...ref,
    path: (text(value.path) ?? '').slice(0, LIMITS.title),
    harnesses: list(value.harnesses, text, HARNESSES),
    state: oneOf(value.state, ['ready', 'empty', 'unreadable'], 'unreadable'),
    features: count(value.features),
    findings: count(value.findings),
  };
}

/** `GET /api/projects`: the loaded projects, the default one first; none when the server does not answer. Never rejects. */
export async function getProjects(): Promise<ProjectInfo[]> {
  const value = await getJson('/api/projects');
  return isRecord(value) ? list(value.projects, readProject, LIMITS.projects) : [];
}
