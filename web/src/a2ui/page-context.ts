import { createContext } from 'react';
import type { Mark } from '../../../shared/cards.ts';

/** What the drawer is opened on: one query, and those a reader can step to from it. */
export interface EvidenceRequest {
  queryId: string;
  label: string | null;
  /** Query ids of the card, in reading order; holds `queryId`. */
  siblings: string[];
  /** State of the card the figure stands on, or null for a figure in the chat. */
  mark: Mark | null;
}

/** What the page offers to the cards of one surface. */
export interface PageActions {
  openEvidence(request: EvidenceRequest): void;
  /** A card could not be drawn; called once a failure. */
  cardFailed(surfaceId: string, cardId: string, error: unknown): void;
  busy: boolean;
  /** Changes one card of a complete answer by hand; not there where nothing can be changed. */
  changeCard?: { apply(cardId: string, control: string | null, value: string): void };
  /** Offers to pin one card, once the answer is complete; not there where nothing can be pinned. */
  pinCard?: { ready: boolean; open(cardId: string, title: string): void };
}

/** Without a page around it a surface still draws; nothing opens. */
export const PageContext = createContext<PageActions>({
  openEvidence: () => undefined,
  cardFailed: () => undefined,
  busy: false,
});

/** Called by the container once it has laid itself out, so that the surface can be uncovered. */
export const DrawnContext = createContext<() => void>(() => undefined);
