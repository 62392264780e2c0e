import { LIMITS } from '../../../shared/limits.ts';
import type { ArchivedAnswer } from '../../../shared/wire.ts';
import { readProjectRefs } from '../projects/read.ts';
import { count, isRecord, list, number, parseJson, text } from './unknown.ts';

function readAnswer(value: unknown): ArchivedAnswer | null {
  if (!isRecord(value)) return null;
  const id = text(value.id);
  const question = text(value.question);
  const askedAt = number(value.askedAt);
  if (id === null || !/^[\w-]{1,100}$/.test(id) || question === null || askedAt === null) return null;
  // Beyond this a date cannot be written.
  if (askedAt < 0 || askedAt > 8.64e15) return null;
  return {
    id,
    question: question.slice(0, LIMITS.question),
    askedAt,
    planner: text(value.planner) ?? '',
    code: text(value.code),
    cards: count(value.cards),
    ...(value.projects === undefined ? {} : { projects: readProjectRefs(value.projects) }),
  };
}

/** Reads the list of kept answers; null where none are kept at all. */
export const readArchive = (value: unknown): ArchivedAnswer[] | null =>
  isRecord(value) && value.kept === true ? list(value.answers, readAnswer, LIMITS.archiveListed) : null;

/** `GET /api/answers`, newest first; null where no answers are kept or the server does not answer. Never rejects. */
export async function getArchive(): Promise<ArchivedAnswer[] | null> {
  try {
    const response = await fetch('/api/answers', { headers: { accept: 'application/json' } });
    return response.ok ? readArchive(parseJson(await response.text())) : null;
  } catch {
    return null;
  }
}

/** `DELETE /api/answers/:id`; true when it is not there any more. Never rejects. */
export async function deleteAnswer(id: string): Promise<boolean> {
  try {
    const { ok, status } = await fetch(`/api/answers/${encodeURIComponent(id)}`, { method: 'DELETE' });
    return ok || status === 404;
  } catch {
    return false;
  }
}

/** `DELETE /api/answers`; true when none is there any more. Never rejects. */
export async function deleteAnswers(): Promise<boolean> {
  try {
    return (await fetch('/api/answers', { method: 'DELETE' })).ok;
  } catch {
    return false;
  }
}
