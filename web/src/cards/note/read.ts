import type { EmptyCard, NoteCard } from '../../../../shared/cards.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { readParagraphs } from '../../lib/figures.ts';
import { fields, isRecord, list, oneOf } from '../../lib/unknown.ts';
import { base, cite, clip, short, words } from '../read.ts';

/** Most entries of an evidence list, and most questions offered. */
const CITES = 30;
const SUGGESTIONS = 6;

/** Reads a note from anything. */
export function readNote(value: unknown): NoteCard {
  const from = fields(value);
  return {
    ...base(value),
    type: 'note',
    body: readParagraphs(from.body),
    cites: list(
      from.cites,
      (item) => (isRecord(item) ? { id: short(item.id), cite: cite(item.cite) } : null),
      CITES,
    ),
    code: words(from.code, LIMITS.label),
    suggestions: list(from.suggestions, (item) => words(item, LIMITS.question), SUGGESTIONS),
  };
}

/** Reads an empty card from anything. */
export function readEmpty(value: unknown): EmptyCard {
  const from = fields(value);
  return {
    ...base(value),
    type: 'empty',
    why: oneOf(from.why, ['not_ingested', 'none'], 'not_ingested'),
    says: clip(from.says, LIMITS.body) || 'There is nothing to show here.',
    next: clip(from.next, LIMITS.body),
  };
}
