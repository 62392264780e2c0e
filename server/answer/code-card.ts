import type { NoteCard } from '../../shared/cards.ts';
import { CODES, type Code } from '../../shared/codes.ts';

/**
 * The note card of a stable code. It needs no record, so it can stand in for any card, whatever failed.
 * @param title of the card it stands in for, or null for the code's own
 * @param suggestions questions that can be asked instead
 */
export function codeCard(
  id: string,
  code: Code,
  title: string | null = null,
  suggestions: readonly string[] = [],
): NoteCard {
  const words = CODES[code];
  return {
    type: 'note',
    id,
    title: title ?? words.title,
    sub: title === null ? null : words.title,
    mark: { state: 'none', have: null, of: null, why: null },
    actions: [],
    evidence: [],
    trimmed: null,
    rule: { measured: 0, claimed: 0, missing: 1 },
    body: [{ kind: 'p', inlines: [{ kind: 'text', text: words.says }] }],
    cites: [],
    code,
    suggestions: [...suggestions],
  };
}
