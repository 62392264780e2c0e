import type { SkeletonCard } from '../../../../shared/cards.ts';
import { CARD_COMPONENTS, type CardComponent } from '../../../../shared/catalog.ts';
import { fields, oneOf } from '../../lib/unknown.ts';
import { base } from '../read.ts';

export interface SkeletonModel extends Omit<SkeletonCard, 'becomes'> {
  becomes: CardComponent;
}

/** Reads the placeholder of a card from anything; one of an unknown kind waits as a note. */
export const readSkeleton = (value: unknown): SkeletonModel => ({
  ...base(value),
  type: 'skeleton',
  becomes: oneOf(fields(value).becomes, CARD_COMPONENTS, 'NoteCard'),
});
