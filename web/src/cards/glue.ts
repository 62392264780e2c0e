import type { Inline } from '../../../shared/cards.ts';

/** Punctuation that must not begin a line after a figure. */
const CLOSING = /^[,.;:!?)\]}”’»]+/;
/** The last word of a text, when it is short enough to be kept on one line with what follows. */
const LAST_WORD = /\S{1,40}$/;

type Text = Extract<Inline, { kind: 'text' }>;
const isButton = (inline: Inline | undefined): boolean =>
  inline?.kind === 'figure' || inline?.kind === 'cite';

/** Splits a text; both parts keep its look. Empty parts are left out. */
function split(inline: Text, at: number): Text[] {
  const parts = [inline.text.slice(0, at), inline.text.slice(at)];
  return parts.filter((text) => text !== '').map((text) => ({ ...inline, text }));
}

/**
 * Gathers pieces that belong on one line: a figure with the punctuation behind it, a citation with the word before it.
 * Buttons would otherwise let a line end between them and their neighbours.
 * @returns groups in order; a group of more than one piece is not to be broken
 */
export function glue(inlines: readonly Inline[]): Inline[][] {
  const groups: Inline[][] = [];
  for (const inline of inlines) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    if (inline.kind === 'text' && inline.code !== true && last !== undefined && isButton(before)) {
      const closing = CLOSING.exec(inline.text)?.[0].length ?? 0;
      const [head, ...rest] = closing === 0 ? [] : split(inline, closing);
      if (head === undefined) groups.push([inline]);
      else {
        last.push(head);
        for (const text of rest) groups.push([text]);
      }
    } else if (
      inline.kind === 'cite' &&
      last !== undefined &&
      before?.kind === 'text' &&
      before.code !== true
    ) {
      const word = LAST_WORD.exec(before.text);
      if (word === null) groups.push([inline]);
      else {
        last.pop();
        const parts = split(before, word.index);
        const tail = parts.pop();
        if (last.length === 0) groups.pop();
        for (const text of parts) groups.push([text]);
        groups.push(tail === undefined ? [inline] : [tail, inline]);
      }
    } else if (inline.kind === 'cite' && last !== undefined && isButton(before)) last.push(inline);
    else groups.push([inline]);
  }
  return groups;
}
