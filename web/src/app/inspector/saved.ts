import { SAVED_FORMAT } from '../../../../shared/saved.ts';
import { fields, list, number, parseJson, text } from '../../lib/unknown.ts';

/** A saved answer as the page holds it: its text as it came, and the data of its events by id. */
export interface Saved {
  text: string;
  frames: ReadonlyMap<number, unknown>;
}

/** `GET /api/answers/:id/file`, or null when the answer is not kept any more or the server does not answer. */
export async function getSaved(id: string): Promise<Saved | null> {
  try {
    const response = await fetch(`/api/answers/${encodeURIComponent(id)}/file`, {
      headers: { accept: 'application/json' },
    });
    return response.ok ? readSaved(await response.text()) : null;
  } catch {
    return null;
  }
}

/** Reads the text of a saved answer; null when it is none. */
export function readSaved(source: string): Saved | null {
  const file = fields(parseJson(source));
  if (text(file.format) !== SAVED_FORMAT || !Array.isArray(file.frames)) return null;
  const entries = list(
    file.frames,
    (item): [number, unknown] | null => {
      const id = number(fields(item).id);
      return id === null ? null : [id, fields(item).data];
    },
    file.frames.length,
  );
  return { text: source, frames: new Map(entries) };
}

/** Name of the file an answer is saved under. */
export const fileName = (id: string): string => `looplight-answer-${id.replaceAll(/[^\w-]/g, '')}.json`;

/** Has the browser save a text as a file. */
export function saveAs(name: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then; the address is not needed any longer.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
