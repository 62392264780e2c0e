import type { ReactNode } from 'react';
import type { RequirementState } from '../../../../shared/outcomes.ts';

/** One shape a state of proof; filled where a check stands behind it, hatched where only a word does. In a box of 14. */
const SHAPES: Readonly<Record<RequirementState, ReactNode>> = {
  proven: (
    <>
      <circle cx="7" cy="7" r="6" className="s-solid" />
      <path d="M4 7.3l2.1 2.1 3.9-4.5" className="s-on" />
    </>
  ),
  likely: (
    <>
      <circle cx="7" cy="7" r="5.3" className="s-line" />
      <path d="M7 1.7a5.3 5.3 0 0 1 0 10.6z" className="s-solid" />
    </>
  ),
  stale: (
    <>
      <circle cx="7" cy="7" r="5.3" className="s-line" />
      <path d="M7 3.8V7l2.3 1.5" className="s-line" />
    </>
  ),
  claimed_only: (
    <>
      <circle cx="7" cy="7" r="5.2" className="s-claim" />
      <path d="M4 9.4L9.4 4M6 11l5-5M3 7.4L7.4 3" className="s-claim thin" />
    </>
  ),
  refuted: (
    <>
      <rect x="1" y="1" width="12" height="12" className="s-bad" />
      <path d="M4.3 4.3l5.4 5.4M9.7 4.3L4.3 9.7" className="s-on" />
    </>
  ),
  open: <circle cx="7" cy="7" r="5.3" className="s-line dashed" />,
};

/** The shape of a state of proof; the word beside it says the same. */
export const StateGlyph = ({ state }: { state: RequirementState }): ReactNode => (
  <svg className="state-glyph" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
    {SHAPES[state]}
  </svg>
);
