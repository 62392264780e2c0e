import type { ReactNode } from 'react';
import type { CardComponent } from '../../../shared/catalog.ts';

/** What a card may do beyond drawing itself. The page gives it; a card never reaches further than this. */
export interface CardChrome {
  /**
   * Dispatches the A2UI action `refine`: the same canvas forms again for this request.
   * @param label what the button says
   * @param request the complete follow-up question
   */
  ask(label: string, request: string): void;
  /**
   * Opens the drawer on a whole card ("How was this computed").
   * @param queryId a query of this answer
   * @param figureLabel what the figure is called, for the drawer's heading
   */
  openEvidence(queryId: string, figureLabel?: string): void;
  /** Opens the drawer on one figure; the figure that was pressed stays outlined while it is open. */
  openFigure(queryId: string, figureLabel?: string): void;
  /** An answer is being made: buttons that ask are disabled. */
  busy: boolean;
  /** Changes something of this card's query, or with null puts all of it back; null where nothing can be changed. */
  change: ((control: string | null, value: string) => void) | null;
  /** Offers to pin this card, once its answer is complete; null where it can never be pinned. */
  pin: { ready: boolean; open(title: string): void } | null;
}

/** One card of the catalog: what it accepts, and how it draws. */
export interface CardDefinition<M> {
  name: CardComponent;
  /** Anything in, a drawable model out. Never throws. */
  read: (value: unknown) => M;
  View: (props: { model: M; card: CardChrome }) => ReactNode;
}
