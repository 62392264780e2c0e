import { type ReactNode, useMemo } from 'react';
import type { AttemptsCard } from '../../../../shared/cards.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { CardFrame } from '../frame.tsx';
import { keyed } from '../keyed.ts';
import { DataTable } from '../table/DataTable.tsx';
import { useTableSwitch } from '../with-table.tsx';
import { ATTEMPT_COLUMNS, attemptRows } from './as-table.ts';
import { BuildBar } from './BuildBar.tsx';
import { Feedback } from './Feedback.tsx';
import { type AttemptsLayout, layoutAttempts, type StoryLayout } from './layout.ts';
import { StepPlot } from './StepPlot.tsx';
import { Teller } from './Teller.tsx';
import type { TimeAxis } from './time-axis.ts';

interface AttemptsViewProps {
  model: AttemptsCard;
  card: CardChrome;
}

/** The story of one feature: each attempt as a step in time and score, and the build that was measured below it. */
export function AttemptsView({ model, card }: AttemptsViewProps): ReactNode {
  const layout = useMemo(() => layoutAttempts(model), [model]);
  const rows = useMemo(() => attemptRows(model), [model]);
  const table = useTableSwitch();
  const drawn = layout.told !== null || layout.bars.length > 0;
  return (
    <CardFrame model={model} card={card} kind="attempts" extra={drawn ? table.button : undefined}>
      {!drawn ? <p className="quiet">No source tells of an attempt at this feature.</p> : null}
      {drawn && !table.shown ? <Drawing layout={layout} card={card} /> : null}
      {drawn && table.shown ? (
        <DataTable caption={model.title} columns={ATTEMPT_COLUMNS} rows={rows} card={card} />
      ) : null}
    </CardFrame>
  );
}

function Drawing({ layout, card }: { layout: AttemptsLayout; card: CardChrome }): ReactNode {
  const { told, bars, axis } = layout;
  const plotted = told?.scored === true;
  // Without a bar the time axis belongs right below the steps, before what was said to them.
  const axisFirst = plotted && told.timed && bars.length === 0;
  const time = axis === null ? null : <Axis axis={axis} />;
  return (
    <figure className={plotted ? 'att' : 'att att-plain'}>
      {plotted ? <StepPlot layout={layout} told={told} card={card} /> : null}
      {told !== null && !plotted ? <Teller story={told.story} place="line" /> : null}
      {plotted && !told.timed ? <OrderAxis told={told} /> : null}
      {axisFirst ? time : null}
      {told === null ? null : <Feedback told={told} card={card} />}
      {keyed(bars, (bar) => bar.build.places.join()).map(({ key, item }) => (
        <BuildBar key={key} bar={item} card={card} />
      ))}
      {axisFirst || bars.length === 0 ? null : time}
    </figure>
  );
}

/** The axis of a story without times: attempts in their order. */
function OrderAxis({ told }: { told: StoryLayout }): ReactNode {
  return (
    <div aria-hidden="true">
      <div className="order-ticks ax">
        {keyed(told.steps).map(({ key, item }) => (
          <span key={key} style={{ left: `${(item.x + item.width / 2) * 100}%` }}>
            {item.attempt.n}
          </span>
        ))}
      </div>
      <p className="x-title ax">attempt, in order; no time recorded</p>
    </div>
  );
}

function Axis({ axis }: { axis: TimeAxis }): ReactNode {
  const last = axis.ticks.length - 1;
  return (
    <svg className="t-axis" width="100%" height="42" aria-hidden="true">
      {axis.ticks.map((tick, index) => (
        <g key={tick.text}>
          <line className="bl" x1={`${tick.at * 100}%`} x2={`${tick.at * 100}%`} y1="0" y2="5" />
          <text
            className={index % 2 === 1 && last > 2 ? 'ax half' : 'ax'}
            x={`${tick.at * 100}%`}
            y="18"
            textAnchor={index === 0 ? 'start' : index === last ? 'end' : 'middle'}
          >
            {tick.text}
          </text>
        </g>
      ))}
      <text className="ax" x="0" y="37">
        time since the feature began, {axis.scale.word}
      </text>
    </svg>
  );
}
