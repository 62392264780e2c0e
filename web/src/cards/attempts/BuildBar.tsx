import type { ReactNode } from 'react';
import type { Figure } from '../../../../shared/cards.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { FigureText } from '../figure.tsx';
import { keyed } from '../keyed.ts';
import { type Bar, basisLead } from './layout.ts';

/** Shares of the plot from which the words fit in the bar, and up to which they fit after it. */
const INSIDE = 0.66;
const AFTER = 0.34;

interface BuildBarProps {
  bar: Bar;
  card: CardChrome;
}

/** What the other sources tell of the same feature, on the time axis of the story: solid when it was measured. */
export function BuildBar({ bar, card }: BuildBarProps): ReactNode {
  const { build, width, parts } = bar;
  const kind = lookOf(build);
  const words = <Words bar={bar} card={card} />;
  if (width === null)
    return (
      <div className={`mrow m-none m-${kind}`}>
        <span className="ring" aria-hidden="true" />
        {words}
      </div>
    );
  const place = width >= INSIDE ? 'in' : width <= AFTER ? 'after' : 'mid';
  return (
    <div className={`mrow m-${place} m-${kind}`}>
      <div className="mbar" style={{ width: `${(width * 100).toFixed(3)}%` }}>
        {keyed(parts.slice(1)).map(({ key, item }) => (
          <i key={key} className="cut" style={{ left: `${(item.x * 100).toFixed(3)}%` }} aria-hidden="true" />
        ))}
        {place === 'after' ? null : words}
      </div>
      {place === 'after' ? words : null}
    </div>
  );
}

/** The look of a bar is that of its time: a span that was worked out is not drawn as one that was measured. */
const lookOf = (build: Bar['build']): 'claim' | 'derived' | 'solid' => {
  if (build.claim) return 'claim';
  return build.total.value !== null && build.total.basis !== 'measured' ? 'derived' : 'solid';
};

function Words({ bar, card }: BuildBarProps): ReactNode {
  const { build, width } = bar;
  const told: { label: string; figure: Figure }[] = [
    { label: 'attempts', figure: build.count },
    { label: 'score', figure: build.score },
    { label: 'build time', figure: build.total },
  ].filter(({ figure }) => figure.value !== null);
  return (
    <>
      <span className="m-words">
        {keyed(told, (one) => one.label).map(({ key, item }, index) => (
          <span key={key}>
            {basisLead(item.figure, told[index - 1]?.figure)}
            <FigureText figure={item.figure} onOpen={card.openFigure} label={item.label} marks={false} />
          </span>
        ))}
        {told.length === 0 ? `${build.claim ? 'Claimed' : 'Measured'}: no figure recorded` : null}
        {width === null ? ', no build time recorded' : null}
      </span>
      <span className="mono m-place">{build.places.join(', ')}</span>
    </>
  );
}
