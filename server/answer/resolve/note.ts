import type { CardData, Inline, NoteCard } from '../../../shared/cards.ts';
import { CODES, isCode } from '../../../shared/codes.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { NoteBlock, ServerBlock } from '../../../shared/plan.ts';
import { codeCard } from '../code-card.ts';
import { clip } from '../placeholders.ts';
import { renderProse } from '../prose.ts';
import { baseOf, proseContext } from './base.ts';
import type { ResolveContext } from './context.ts';
import { type Judged, judge } from './figure.ts';

/** Whether a part of a sentence says something of the record: a value, a place in it, or a number somebody typed. */
const isChecked = (inline: Inline): boolean =>
  inline.kind === 'figure'
    ? inline.figure.value !== null
    : inline.kind !== 'text' && inline.kind !== 'feature';

/** Sentences with figures and citations in them, and the places they cite. */
export async function resolveNote(block: NoteBlock, id: string, context: ResolveContext): Promise<CardData> {
  const sentences = block.body.slice(0, LIMITS.noteSentences);
  const prose = renderProse(sentences, proseContext(context));
  const cut = prose.cut + (block.body.length - sentences.length);
  const figures = prose.paragraphs.flatMap(({ inlines }) =>
    inlines.flatMap((inline) => (inline.kind === 'figure' ? [inline.figure] : [])),
  );
  // Words alone say nothing of the record that could be checked.
  const bare = !prose.paragraphs.some(({ inlines }) => inlines.some(isChecked));
  const judged: Judged = bare
    ? {
        mark: { state: 'none', have: null, of: null, why: null },
        rule: { measured: 0, claimed: 0, missing: 1 },
      }
    : judge(figures, []);
  const card: NoteCard = {
    ...baseOf(context, {
      id,
      title: block.title,
      actions: block.actions,
      evidence: figures.map(({ evidence }) => evidence),
      trimmed: cut > 0 ? `${cut} ${cut === 1 ? 'sentence' : 'sentences'} left out` : null,
      ...judged,
    }),
    type: 'note',
    body:
      prose.paragraphs.length > 0
        ? prose.paragraphs
        : [{ kind: 'p', inlines: [{ kind: 'text', text: 'Nothing of this can be said from the record.' }] }],
    cites: prose.cites.flatMap((cite) => {
      const item = context.evidence.find((entry) => entry.id === cite);
      return item ? [{ id: cite, cite: item.cite }] : [];
    }),
    code: null,
    suggestions: [],
  };
  return card;
}

/** The card of a stable code, with what may be asked instead. */
export function resolveCode(block: Extract<ServerBlock, { type: 'code' }>, id: string): NoteCard {
  const code = isCode(block.code) ? block.code : 'block_invalid';
  const title = block.title === null ? null : clip(block.title, LIMITS.title);
  const suggestions = block.suggestions.slice(0, LIMITS.followUps).map((text) => clip(text, LIMITS.request));
  const card = codeCard(id, code, title === CODES[code].title ? null : title, suggestions);
  if (block.detail === null || block.detail.trim() === '') return card;
  return {
    ...card,
    body: [
      ...card.body,
      { kind: 'p', inlines: [{ kind: 'text', text: clip(block.detail, LIMITS.cellText) }] },
    ],
  };
}
