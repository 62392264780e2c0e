import type { ReactNode } from 'react';
import { Swatch } from '../basis.tsx';
import type { Story } from './story.ts';

interface TellerProps {
  story: Story;
  /** In the free corner above the first step, at the end of the title row, or on a line of its own where nothing is plotted. */
  place: 'corner' | 'end' | 'line';
  /** Width of the first step, for the corner. */
  width?: string | undefined;
}

/** Who tells the story. */
export function Teller({ story, place, width }: TellerProps): ReactNode {
  const who = story.telling.source || story.places[0];
  if (who === undefined) return null;
  return (
    <div
      className={`only only-${place}${story.claim ? '' : ' only-m'}`}
      style={width === undefined ? undefined : { width: `calc(${width} - 16px)` }}
    >
      <Swatch basis={story.telling.basis} />
      <span>
        {story.alone && story.claim ? 'told only by ' : 'as told by '}
        {who}
      </span>
    </div>
  );
}
