import type { ReactNode } from 'react';

/**
 * The pattern that says "claimed", for one drawing: 1.5 px lines every 5 px at 28°.
 * @param id unique on the page; fill with `url(#id)`
 * @param colour a custom property, `--claim` unless a category has to stay recognisable
 */
export function HatchPattern({ id, colour = '--claim' }: { id: string; colour?: string }): ReactNode {
  return (
    <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(28)">
      <rect width="1.5" height="5" fill={`var(${colour})`} />
    </pattern>
  );
}
