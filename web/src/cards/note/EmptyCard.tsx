import type { ReactNode } from 'react';
import type { EmptyCard } from '../../../../shared/cards.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { CardFrame } from '../frame.tsx';

/** Nothing to draw: whether it was never read or measured as none, and what to do. */
export function EmptyView({ model, card }: { model: EmptyCard; card: CardChrome }): ReactNode {
  return (
    <CardFrame model={model} card={card} kind="empty">
      <p className="empty-kind">{model.why === 'none' ? 'measured as none' : 'not in this record'}</p>
      <p className="empty-says">{model.says}</p>
      {model.next === '' ? null : <p className="sub">{model.next}</p>}
    </CardFrame>
  );
}
