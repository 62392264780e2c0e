import { LIMITS } from '../../../../shared/limits.ts';
import { visibleText } from '../visible.ts';

/** What the rest of a commit's message says in forms that are meant to be read: its trailers, and which commit it takes back. */
export interface Message {
  /** `Feature: 28` as `['Feature', '28']`, in order. */
  trailers: [key: string, value: string][];
  /** Full or short name of the commit this one reverts. */
  reverts: string | null;
}

const TRAILER = /^([A-Za-z][A-Za-z0-9-]{0,39}):[ \t]{1,8}(\S.{0,199})$/;
const REVERTS = /\bThis reverts commit ([0-9a-f]{7,64})\b/;
const MOST = 20;

/**
 * Reads a commit's message without its subject.
 * @param body as git gives it; what is beyond LIMITS.commitText was cut out of its middle
 */
export function readMessage(body: string): Message {
  const text = body.slice(0, LIMITS.commitText).trimEnd();
  // Trailers stand in the last paragraph.
  const last = text.slice(Math.max(0, text.lastIndexOf('\n\n')));
  const trailers = last.split('\n').flatMap((line): [string, string][] => {
    const match = TRAILER.exec(line.trimEnd());
    return match?.[1] !== undefined && match[2] !== undefined
      ? [[match[1], visibleText(match[2]).trim()]]
      : [];
  });
  return { trailers: trailers.slice(0, MOST), reverts: REVERTS.exec(text)?.[1] ?? null };
}
