import type { CSSProperties, ReactNode } from 'react';
import type { StatCard, StatFigure } from '../../../../shared/cards.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { FigureText } from '../figure.tsx';
import { figureParts, isNoun } from '../format.ts';
import { CardFrame } from '../frame.tsx';
import { keyed } from '../keyed.ts';
import { Inlines } from '../prose.tsx';
import { layoutStrip } from './strip-layout.ts';

/** A row of figures, each with what it is set against and, for an aggregate, the values it was taken over. */
export function StatView({ model, card }: { model: StatCard; card: CardChrome }): ReactNode {
  const columns = model.figures.map((figure) => (figure.strip === null ? '1fr' : '1.9fr')).join(' ');
  const style: CSSProperties = { '--columns': columns };
  return (
    <CardFrame model={model} card={card} kind="stat" how="head">
      {model.figures.length === 0 ? <p className="quiet">No figure to show.</p> : null}
      <div className="stats" style={style}>
        {keyed(model.figures, (figure) => figure.label).map(({ key, item }) => (
          <StatColumn key={key} stat={item} card={card} />
        ))}
      </div>
    </CardFrame>
  );
}

/** Width, in digits, from which a figure is set smaller, so that it stays in its column. */
const LONG = 7;

/** The noun of a count is left out where the label says it already. */
const isSaid = ({ figure, label }: StatFigure): boolean =>
  isNoun(figure.unit) && label.toLowerCase().includes(figure.unit.slice(0, -1));

function isLong(stat: StatFigure): boolean {
  const { value, unit } = figureParts(stat.figure);
  return value.length + (isSaid(stat) ? 0 : unit.length / 2) > LONG;
}

function StatColumn({ stat, card }: { stat: StatFigure; card: CardChrome }): ReactNode {
  const column = (
    <>
      <div className="st-l">{stat.label}</div>
      <div className={isLong(stat) ? 'st-v long' : 'st-v'}>
        <StatValue stat={stat} card={card} />
      </div>
      <Caption stat={stat} card={card} />
    </>
  );
  if (stat.strip === null) return <div className="st">{column}</div>;
  return (
    <div className="st st-2">
      {column}
      <Strip strip={stat.strip} label={stat.label} />
    </div>
  );
}

function StatValue({ stat, card }: { stat: StatFigure; card: CardChrome }): ReactNode {
  const { figure, label } = stat;
  if (figure.value === null) return <span title={figure.missing ?? undefined}>—</span>;
  return (
    <FigureText
      figure={figure}
      onOpen={card.openFigure}
      label={label}
      show={isSaid(stat) ? 'bare' : 'large'}
    />
  );
}

function Caption({ stat, card }: { stat: StatFigure; card: CardChrome }): ReactNode {
  const { figure, compare, caption } = stat;
  const reason = figure.value === null ? (figure.missing ?? 'not recorded') : null;
  return (
    <div className="st-n">
      {reason === null ? null : <span>{reason}</span>}
      {compare === null || compare.figure.value === null ? null : (
        <span>
          <FigureText figure={compare.figure} onOpen={card.openFigure} label={compare.label} marks={false} />{' '}
          {compare.label}
        </span>
      )}
      {caption.length === 0 ? null : (
        <span>
          <Inlines inlines={caption} chrome={card} />
        </span>
      )}
    </div>
  );
}

interface StripProps {
  strip: NonNullable<StatFigure['strip']>;
  label: string;
}

function Strip({ strip, label }: StripProps): ReactNode {
  const { ticks, at, atLabel, subject, close, says } = layoutStrip(strip, label);
  const percent = (x: number) => `${x.toFixed(2)}%`;
  return (
    <svg className="strip" width="100%" height="58" role="img" aria-label={says}>
      <line className="strip-line" x1="0" x2="100%" y1="36" y2="36" />
      {keyed(ticks, (x) => x.toFixed(2)).map(({ key, item }) => (
        <line key={key} className="strip-tick" x1={percent(item)} x2={percent(item)} y1="22" y2="36" />
      ))}
      <line className="strip-at" x1={percent(at)} x2={percent(at)} y1="12" y2="42" />
      {close || atLabel === null ? null : (
        <text className="lab" x={percent(at)} y="55" textAnchor="middle">
          {atLabel}
        </text>
      )}
      {subject === null ? null : (
        <>
          <line className="strip-subject" x1={percent(subject.x)} x2={percent(subject.x)} y1="12" y2="36" />
          <text
            className="lab lab-subject"
            x={percent(subject.end ? 100 : subject.x)}
            y="55"
            textAnchor={subject.end ? 'end' : 'middle'}
          >
            {subject.label}
          </text>
        </>
      )}
    </svg>
  );
}
