import type { ReactNode } from 'react';

const SHAPES = {
  check: <path d="M1.2 6.2l3 3L9.8 2" fill="none" stroke="var(--ok)" strokeWidth="1.9" />,
  diamond: <path d="M5.5.4l5.1 5.1-5.1 5.1L.4 5.5z" fill="var(--claim)" />,
  ring: <circle cx="5.5" cy="5.5" r="4.4" fill="none" stroke="var(--claim)" strokeWidth="1.7" />,
  half: (
    <>
      <circle cx="5.5" cy="5.5" r="4.6" fill="none" stroke="var(--ink)" strokeWidth="1.4" />
      <path d="M5.5.9a4.6 4.6 0 0 0 0 9.2z" fill="var(--ink)" />
    </>
  ),
  bang: <path d="M5.5.8v6M5.5 8.4v2" fill="none" stroke="var(--bad)" strokeWidth="2" />,
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
} satisfies Record<string, ReactNode>;

export type ShapeName = keyof typeof SHAPES;

/** One of the small shapes that tell a state; the word beside it tells the same. */
export function Shape({ name }: { name: ShapeName }): ReactNode {
  return (
    <svg className="shape" width="11" height="11" viewBox="0 0 11 11" aria-hidden="true">
      {SHAPES[name]}
    </svg>
  );
}
