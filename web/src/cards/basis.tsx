import type { ReactNode } from 'react';
import type { Basis, Cite } from '../../../shared/cards.ts';

/** Whether a basis is only somebody's word, and so drawn in hatch. */
export const isClaim = (basis: Basis): boolean => basis === 'claimed' || basis === 'estimated';

const SWATCH = {
  measured: 'm',
  derived: 'g',
  claimed: 'c',
  estimated: 'c',
  unknown: 'u',
} as const satisfies Record<Basis, string>;

/** The square that tells the basis without a word: solid, grey, hatched, or empty. */
export function Swatch({ basis }: { basis: Basis }): ReactNode {
  return <i className={`sw ${SWATCH[basis]}`} aria-hidden="true" />;
}

/** Square and word. */
export function BasisTag({ basis }: { basis: Basis }): ReactNode {
  return (
    <span className="basis">
      <Swatch basis={basis} />
      {basis}
    </span>
  );
}

/** A place in a source as people name it: "claude-progress.txt:71". */
export const citeText = (cite: Cite): string =>
  cite.line === null || cite.label.endsWith(`:${cite.line}`) ? cite.label : `${cite.label}:${cite.line}`;
