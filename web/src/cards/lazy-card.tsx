import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import type { CardBase } from '../../../shared/cards.ts';
import type { CardComponent } from '../../../shared/catalog.ts';
import type { CardChrome } from '../a2ui/types.ts';
import { CardFrame } from './frame.tsx';
import { SkeletonView } from './skeleton/CardSkeleton.tsx';

interface ViewProps<M> {
  model: M;
  card: CardChrome;
}

/** Stands in for a card whose code did not arrive. */
function Unloaded<M extends CardBase>({ model, card }: ViewProps<M>): ReactNode {
  return (
    <CardFrame model={model} card={card} kind="note">
      <p className="quiet">This card could not be loaded. Reload the page to see it.</p>
    </CardFrame>
  );
}

/**
 * A view whose code is fetched when the first card of its kind is drawn; until then its skeleton stands there.
 * @param name of the component, for its skeleton
 */
export function lazyCard<M extends CardBase>(
  name: CardComponent,
  load: () => Promise<ComponentType<ViewProps<M>>>,
): (props: ViewProps<M>) => ReactNode {
  const View = lazy<ComponentType<ViewProps<M>>>(() =>
    load().then(
      (view) => ({ default: view }),
      () => ({ default: Unloaded<M> }),
    ),
  );
  return (props) => (
    <Suspense fallback={<SkeletonView model={{ ...props.model, type: 'skeleton', becomes: name }} />}>
      <View {...props} />
    </Suspense>
  );
}
