import { isCode } from '../../../shared/codes.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { Board, BoardItem, Boards } from '../../../shared/wire.ts';
import { count, fields, isRecord, list, parseJson, text } from '../lib/unknown.ts';

const ID = /^[\w-]{1,64}$/;

function readItem(value: unknown): BoardItem | null {
  if (!isRecord(value)) return null;
  const id = text(value.id);
  const question = text(value.question);
  if (id === null || !ID.test(id) || question === null) return null;
  return {
    id,
    question: question.slice(0, LIMITS.question),
    card: text(value.card)?.slice(0, LIMITS.request) ?? null,
    plannedAt: count(value.plannedAt),
    pinnedAt: count(value.pinnedAt),
  };
}

export function readBoard(value: unknown): Board | null {
  if (!isRecord(value)) return null;
  const id = text(value.id);
  const name = text(value.name);
  if (id === null || !ID.test(id) || name === null || name === '') return null;
  return { id, name: name.slice(0, LIMITS.boardName), items: list(value.items, readItem, LIMITS.boardItems) };
}

export const readBoards = (value: unknown): Boards => {
  const { kept, boards } = fields(value);
  return { kept: kept === true, boards: list(boards, readBoard, LIMITS.boards) };
};

/** What a call about boards came to: the answer's body, or the stable code of the refusal (null when there is none). */
export type Called = { ok: true; body: unknown } | { ok: false; code: string | null };

/** Calls the server about boards. Never rejects. */
export async function callBoards(method: string, path: string, body?: unknown): Promise<Called> {
  try {
    const response = await fetch(`/api/boards${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(method === 'GET' || method === 'DELETE' ? {} : { 'content-type': 'application/json' }),
      },
      ...(method === 'GET' || method === 'DELETE' ? {} : { body: JSON.stringify(body ?? {}) }),
    });
    const answer = parseJson(await response.text());
    if (response.ok) return { ok: true, body: answer };
    const code = text(fields(answer).code);
    return { ok: false, code: isCode(code) ? code : null };
  } catch {
    return { ok: false, code: null };
  }
}
