import type { ReactNode } from 'react';

/** The mark of the product: a loop with a light at its end. */
export function BrandMark(): ReactNode {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
      <path d="M12.3 3.2A6.7 6.7 0 1 0 15.7 9" fill="none" stroke="currentColor" strokeWidth="2" />
      <circle cx="14.6" cy="4.6" r="2.4" fill="var(--accent)" />
    </svg>
  );
}
