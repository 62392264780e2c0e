import type { ReactNode } from 'react';

const shapes = {
  check: <path d="M1.2 6.2l3 3L9.8 2" fill="none" stroke="var(--ok)" strokeWidth="1.9" />,
  diamond: <path d="M5.5.4l5.1 5.1-5.1 5.1L.4 5.5z" fill="var(--claim)" />,
  ring: <circle cx="5.5" cy="5.5" r="4.4" fill="none" stroke="var(--claim)" strokeWidth="1.6" />,
  bang: (
    <path d="M5.5 1v5.6M5.5 8.4v1.8" fill="none" stroke="var(--bad)" strokeWidth="1.9" strokeLinecap="butt" />
  ),
  pending: (
    <circle
      cx="5.5"
      cy="5.5"
      r="4.4"
      fill="none"
      stroke="var(--ink-3)"
      strokeWidth="1.4"
      strokeDasharray="2.2 2.4"
    />
  ),
  later: (
    <circle
      cx="5.5"
      cy="5.5"
      r="4.4"
      fill="none"
      stroke="var(--line-2)"
      strokeWidth="1.4"
      strokeDasharray="2.2 2.4"
    />
  ),
} satisfies Record<string, ReactNode>;

export type ShapeName = keyof typeof shapes;

/** One of the small state shapes of the design; the word beside it says the same. */
export function Shape({ name }: { name: ShapeName }): ReactNode {
  return (
    <svg className="shape" width="11" height="11" viewBox="0 0 11 11" aria-hidden="true">
      {shapes[name]}
    </svg>
  );
}

/** The mark of the product: a loop with a light at its end. */
export function BrandMark(): ReactNode {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
      <path d="M12.3 3.2A6.7 6.7 0 1 0 15.7 9" fill="none" stroke="currentColor" strokeWidth="2" />
      <circle cx="14.6" cy="4.6" r="2.4" fill="var(--accent)" />
    </svg>
  );
}
