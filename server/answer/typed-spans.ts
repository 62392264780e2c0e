import type { Inline } from '../../shared/cards.ts';
import { findTypedFigures, type TypedFigure } from './figures.ts';

/** Typed numbers in a run of inlines, found in the text as it stands on the page: styles and pieces make no difference. */

/** Stands in the text for what the server filled in. */
const FILLED = '\ue100';

interface Placed {
  inline: Inline;
  start: number;
  end: number;
}

/** The text of a run as a person reads it, and where each inline stands in it. */
export function flatten(
  inlines: readonly Inline[],
  isFilled: (inline: Inline) => boolean = () => false,
): { text: string; placed: Placed[] } {
  const placed: Placed[] = [];
  const parts: string[] = [];
  let start = 0;
  for (const inline of inlines) {
    const own = (inline.kind === 'text' || inline.kind === 'typed') && !isFilled(inline);
    const text = own ? inline.text : FILLED;
    placed.push({ inline, start, end: start + text.length });
    parts.push(text);
    start += text.length;
  }
  return { text: parts.join(''), placed };
}

/**
 * A run with every typed number told apart from the text around it, each in one piece whatever it was made of.
 * @param names names of the record that hold numbers
 * @param isFilled pieces whose numbers are not typed: quoted from a source, or the server's own
 */
export function markTyped(
  inlines: readonly Inline[],
  names: readonly string[],
  isFilled: (inline: Inline) => boolean,
): Inline[] {
  const { text, placed } = flatten(inlines, isFilled);
  const figures = findTypedFigures(text, names);
  if (figures.length === 0) return [...inlines];
  const out: Inline[] = [];
  let next = 0;
  for (const { inline, start, end } of placed) {
    if (inline.kind !== 'text' || isFilled(inline)) {
      out.push(inline);
      continue;
    }
    let at = start;
    for (let figure = figures[next]; figure && figure.start < end; figure = figures[next]) {
      if (figure.start >= at) {
        out.push({ ...inline, text: text.slice(at, figure.start) });
        out.push({ kind: 'typed', text: text.slice(figure.start, figure.unitEnd), state: 'unchecked' });
      }
      at = Math.min(end, Math.max(at, figure.unitEnd));
      if (figure.unitEnd > end) break;
      next += 1;
    }
    if (at < end) out.push({ ...inline, text: text.slice(at, end) });
  }
  return out;
}

/** The typed numbers of a run that was marked, each with how it reads where it stands; null where it reads no longer so. */
export function typedIn(
  inlines: readonly Inline[],
  names: readonly string[],
): Map<Inline, TypedFigure | null> {
  const { text, placed } = flatten(inlines);
  const figures = new Map(findTypedFigures(text, names).map((figure) => [figure.start, figure]));
  const found = new Map<Inline, TypedFigure | null>();
  for (const { inline, start, end } of placed) {
    if (inline.kind !== 'typed') continue;
    const figure = figures.get(start);
    found.set(inline, figure?.unitEnd === end ? figure : null);
  }
  return found;
}
