import type { ReactNode } from 'react';
import type { TimelineCard, TimelineLane, TimelineMark } from '../../../../shared/cards.ts';
import { zoneName } from '../format.ts';
import { Glyph } from '../outcome/Glyph.tsx';
import { isFailure, outcomeOf, stanceOf } from '../outcome/stance.ts';
import { Shape } from '../shape.tsx';
import { cameToOf, laneName, placeOf, tookOf, whatOf, whenOf } from './words.ts';

interface ToldProps {
  card: Pick<TimelineCard, 'zone' | 'of'>;
  found: { mark: TimelineMark; lane: TimelineLane } | null;
}

/** Exact values of the mark that is pointed at or has the focus, in a place that is always there. */
export function Told({ card, found }: ToldProps): ReactNode {
  if (found === null)
    return (
      <p className="tl-told tl-hint">
        Point at a mark, or move with the arrow keys, for its exact times; press it for its lines.
      </p>
    );
  const { mark, lane } = found;
  const outcome = outcomeOf(mark);
  const took = tookOf(mark);
  const failure = isFailure(outcome);
  const said = card.of === 'builds' ? null : failure && mark.why !== null ? mark.why : mark.text;
  return (
    <div className="tl-told" aria-hidden="true">
      <p>
        <span>
          <b>{laneName(lane)}</b>, {whatOf(mark)}
        </span>
        <span className="tl-out">
          {card.of === 'builds' ? null : (
            <Glyph outcome={outcome} stance={stanceOf(mark.attribution)} size={13} />
          )}
          {cameToOf(mark, card.of)}
        </span>
        {mark.disputed ? (
          <span className="tl-out">
            <Shape name="diamond" />
            sources disagree
          </span>
        ) : null}
        <span className="tl-when">
          {whenOf(mark, card.zone)} {zoneName(card.zone)}
          {took === null ? null : <b> · {took}</b>}
        </span>
        <span className="mono">{placeOf(mark)}</span>
      </p>
      {said === null ? null : <p className="tl-said">{said}</p>}
    </div>
  );
}
