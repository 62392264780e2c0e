import type { Layout } from '../../shared/cards.ts';
import type { Width } from './components.ts';

const ROW = 12;
const SPAN = { major: 7, minor: 5 } as const;
const REST = { major: 5, minor: 7 } as const;

export interface Placed {
  id: string;
  width: Width;
}

/**
 * Column spans of the cards, row by row. A half opens a row and the next half fills it; a half that a wide card follows,
 * or that is last, gets the whole row. While more cards may come, the open part of the row, or the next row, is a slot.
 * @param cards in reading order
 * @param ended no card will be added any more
 */
export function layout(cards: readonly Placed[], ended: boolean): Layout {
  const spans = new Map<string, Layout['spans'][string]>();
  let open: { id: string; half: 'major' | 'minor' } | null = null;
  for (const { id, width } of cards) {
    if (width === 'full') {
      if (open) spans.set(open.id, ROW);
      spans.set(id, ROW);
      open = null;
    } else if (open) {
      spans.set(id, REST[open.half]);
      open = null;
    } else {
      spans.set(id, SPAN[width]);
      open = { id, half: width };
    }
  }
  if (open && ended) spans.set(open.id, ROW);
  const slot = ended ? 0 : open ? REST[open.half] : ROW;
  return { spans: Object.fromEntries(spans), slot };
}
