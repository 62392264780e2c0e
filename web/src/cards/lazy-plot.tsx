import { type ComponentType, lazy, type ReactNode } from 'react';

/** Stands in for a drawing whose code did not arrive: the card keeps its table. */
function Unloaded(): ReactNode {
  return <p className="quiet">The drawing could not be loaded. Its figures are in the table.</p>;
}

/** A drawing whose code is fetched when the first one is needed. */
export const lazyPlot = <P,>(load: () => Promise<{ default: ComponentType<P> }>) =>
  lazy(() => load().catch((): { default: ComponentType<P> } => ({ default: Unloaded })));
