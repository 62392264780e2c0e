import { ChevronDown } from 'lucide-react';
import { type ReactNode, Suspense, useId, useState } from 'react';
import type { ChartCard, ChartPoint } from '../../../../shared/cards.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { FigureText } from '../figure.tsx';
import { formatFigure } from '../format.ts';
import { keyed } from '../keyed.ts';
import { Ring } from './lazy.tsx';
import type { Panel } from './model.ts';
import { DIAMETER, isOther, type Slice, slicesOf } from './slices.ts';

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
  const [open, setOpen] = useState(false);
  const restId = useId();
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
                <span
                  className={item.point.subject ? 'part-name subject' : 'part-name'}
                  title={item.point.label || item.point.key}
                >
                  {isOther(model, at) ? (
                    <OtherName model={model} open={open} restId={restId} onToggle={() => setOpen(!open)} />
                  ) : (
                    item.point.label || item.point.key
                  )}
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
          {model.rest.length === 0 ? null : (
            <ul id={restId} className="parts-rest" aria-label="What other gathers" hidden={!open}>
              {open
                ? keyed(model.rest, (point) => point.key).map(({ key, item }) => (
                    <li key={key}>
                      <span className="part-name" title={item.label || item.key}>
                        {item.label || item.key}
                      </span>
                      <span className="part-value">
                        <PartValue point={item} index={index} panel={panel} card={card} />
                      </span>
                      <span className="part-share">{shareText(item, index, slices)}</span>
                    </li>
                  ))
                : null}
            </ul>
          )}
        </div>
      </div>
    </figure>
  );
}

/** Share of one gathered group in the whole, which the drawn parts add up to. */
function shareText(point: ChartPoint, index: number, slices: readonly Slice[]): string {
  const value = point.figures[index]?.value ?? null;
  const whole = slices.reduce((sum, slice) => sum + Math.max(0, slice.point.figures[index]?.value ?? 0), 0);
  return value === null || !(whole > 0) ? '' : formatFigure({ value: value / whole, unit: 'ratio' });
}

interface OtherNameProps {
  model: ChartCard;
  open: boolean;
  restId: string;
  onToggle(): void;
}

/** "other, 34 groups": opens them, where they were sent along. */
function OtherName({ model, open, restId, onToggle }: OtherNameProps): ReactNode {
  const words = `other, ${model.other} ${model.other === 1 ? 'group' : 'groups'}`;
  if (model.rest.length === 0) return words;
  return (
    <button type="button" className="opens" aria-expanded={open} aria-controls={restId} onClick={onToggle}>
      {words}
      <ChevronDown className="i" aria-hidden="true" />
    </button>
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
