import type { ReactComponentImplementation } from '@a2ui/react/v0_9';
import { Catalog } from '@a2ui/web_core/v0_9';
import { CATALOG_ID } from '../../../shared/catalog.ts';
import { Dashboard } from './Dashboard.tsx';

/**
 * The catalog of a surface: the container, the given cards, and no function at all,
 * so nothing that arrives can be called.
 * @param cards implementations made with `defineCard`
 */
export function createCatalog(
  cards: readonly ReactComponentImplementation[],
): Catalog<ReactComponentImplementation> {
  return new Catalog<ReactComponentImplementation>(CATALOG_ID, [Dashboard, ...cards], []);
}
