import type { Inline } from '../../../shared/cards.ts';

/** Punctuation that must not begin a line after a figure, and brackets that must not end one before it. */
const CLOSING = /^[,.;:!?)\]}”’»]+/;
const OPENING = /[([{“‘«]+$/;
/** The last word of a text, when it is short enough to be kept on one line with what follows. */
const LAST_WORD = /\S{1,40}$/;
/** Longest label that is kept on one line with its punctuation. */
const SHORT_LABEL = 40;

type Text = Extract<Inline, { kind: 'text' }>;
type Cite = Extract<Inline, { kind: 'cite' }>;

/** Pieces that are buttons, at whose edges a browser may otherwise end a line. */
const isButton = (inline: Inline | undefined): boolean =>
  inline?.kind === 'figure' ||
  inline?.kind === 'cite' ||
  (inline?.kind === 'label' && inline.text.length <= SHORT_LABEL);

const isProse = (inline: Inline | undefined): inline is Text =>
  inline?.kind === 'text' && inline.code !== true;

/** Splits a text; both parts keep its look. Empty parts are left out. */
function split(inline: Text, at: number): Text[] {
  const parts = [inline.text.slice(0, at), inline.text.slice(at)];
  return parts.filter((text) => text !== '').map((text) => ({ ...inline, text }));
}

/** Takes the end of the last group away when it is a text that ends so; the rest of that text stays. */
function takeTail(groups: Inline[][], pattern: RegExp): Text | null {
  const last = groups.at(-1);
  const before = last?.at(-1);
  if (last === undefined || !isProse(before)) return null;
  const match = pattern.exec(before.text);
  if (match === null) return null;
  const [head, tail] = match.index === 0 ? [undefined, before] : split(before, match.index);
  last.pop();
  if (head !== undefined) last.push(head);
  if (last.length === 0) groups.pop();
  return tail ?? null;
}

/** Removes the space before a citation, which stands raised at the word it belongs to. */
function closeUp(groups: Inline[][]): void {
  const last = groups.at(-1);
  const before = last?.at(-1);
  if (last === undefined || !isProse(before)) return;
  const text = before.text.trimEnd();
  last.pop();
  if (text !== '') last.push({ ...before, text });
  if (last.length === 0) groups.pop();
}

function addCite(groups: Inline[][], inline: Cite): void {
  closeUp(groups);
  const before = groups.at(-1)?.at(-1);
  // A quote names its own evidence already.
  if (before?.kind === 'quote' && before.id === inline.id) return;
  if (isButton(before)) groups.at(-1)?.push(inline);
  else {
    const word = takeTail(groups, LAST_WORD);
    groups.push(word === null ? [inline] : [word, inline]);
  }
}

/** Adds a text; punctuation at its start stays with the button before it. */
function addText(groups: Inline[][], inline: Text): void {
  const last = groups.at(-1);
  const closing = isButton(last?.at(-1)) ? (CLOSING.exec(inline.text)?.[0].length ?? 0) : 0;
  if (last === undefined || closing === 0) {
    groups.push([inline]);
    return;
  }
  const [head, ...rest] = split(inline, closing);
  if (head !== undefined) last.push(head);
  for (const text of rest) groups.push([text]);
}

/**
 * Gathers pieces that belong on one line: a figure with the punctuation around it, a citation with the word before it.
 * @returns groups in order; a group of more than one piece is not to be broken
 */
export function glue(inlines: readonly Inline[]): Inline[][] {
  const groups: Inline[][] = [];
  for (const inline of inlines) {
    if (inline.kind === 'cite') addCite(groups, inline);
    else if (isProse(inline)) addText(groups, inline);
    else if (isButton(inline)) {
      const bracket = takeTail(groups, OPENING);
      groups.push(bracket === null ? [inline] : [bracket, inline]);
    } else groups.push([inline]);
  }
  return groups;
}
