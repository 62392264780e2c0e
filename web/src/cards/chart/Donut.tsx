import { type ReactNode, Suspense } from 'react';
import type { ChartCard, ChartPoint } from '../../../../shared/cards.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { FigureText } from '../figure.tsx';
import { formatFigure } from '../format.ts';
import { keyed } from '../keyed.ts';
import { Ring } from './lazy.tsx';
import type { Panel } from './model.ts';
import { DIAMETER, isOther, slicesOf } from './slices.ts';

interface DonutProps {
  model: ChartCard;
  panel: Panel;
  card: CardChrome;
  says: string;
}

/** Parts of a whole: the ring, and beside it every part by name, value and share. */
export function Donut({ model, panel, card, says }: DonutProps): ReactNode {
  const index = panel.series[0]?.index ?? 0;
  const slices = slicesOf(model, index);
  return (
    <figure className="donut-box">
      <div className="donut">
        <Suspense fallback={<div style={{ width: DIAMETER, height: DIAMETER }} />}>
          <Ring slices={slices} says={says} index={index} />
        </Suspense>
        <div className="parts">
          <div className="ax">{panel.title}</div>
          <ul>
            {keyed(slices, (slice) => slice.point.key).map(({ key, item }, at) => (
              <li key={key}>
                <i className="sw" style={{ '--own': `var(${item.colour})` }} aria-hidden="true" />
                <span className={item.point.subject ? 'part-name subject' : 'part-name'}>
                  {item.point.label || item.point.key}
                  {isOther(model, at) ? `, ${model.other} groups` : ''}
                </span>
                <span className="part-value">
                  <PartValue point={item.point} index={index} panel={panel} card={card} />
                </span>
                <span className="part-share">
                  {item.share === null ? '' : formatFigure({ value: item.share, unit: 'ratio' })}
                </span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </figure>
  );
}

interface PartValueProps {
  point: ChartPoint;
  index: number;
  panel: Panel;
  card: CardChrome;
}

function PartValue({ point, index, panel, card }: PartValueProps): ReactNode {
  const figure = point.figures[index];
  if (figure === undefined) return null;
  return (
    <FigureText
      figure={figure}
      onOpen={card.openFigure}
      label={`${panel.title}, ${point.label}`}
      show="bare"
      on={panel.scale}
      reason="hidden"
    />
  );
}
