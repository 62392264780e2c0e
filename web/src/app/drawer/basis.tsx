import type { ReactNode } from 'react';
import type { Basis } from '../../../../shared/cards.ts';

/** Solid is measured, grey is derived, hatched is claimed; the word says the same. */
export function BasisWord({ basis }: { basis: Basis }): ReactNode {
  const swatch = { measured: 'm', derived: 'g', claimed: 'c', estimated: 'c', unknown: 'g' }[basis];
  return (
    <span className="basis">
      <i className={`sw ${swatch}`} aria-hidden="true" />
      {basis}
    </span>
  );
}
