import type { ReactNode } from 'react';
import type { Trace } from '../../../../shared/wire.ts';
import { niceTicks } from '../../cards/chart/ticks.ts';
import { keyed } from '../../cards/keyed.ts';
import { useTableSwitch } from '../../cards/with-table.tsx';
import { duration } from '../../lib/words.ts';
import { type Timeline as Model, timelineOf } from './timeline.ts';

/** Height of one row, of its bar, and of the axis, in pixels. */
const ROW = 34;
const BAR = 8;
const AXIS = 22;
const TOP = 4;

const moment = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`);

/** When what happened, on one time axis, with the same as a table. */
export function Timeline({ trace }: { trace: Trace }): ReactNode {
  const { shown, button } = useTableSwitch();
  const model = timelineOf(trace);
  return (
    <section>
      <h3>
        Timeline of the stream<span>{button}</span>
      </h3>
      {shown ? <Table model={model} /> : <Drawing model={model} />}
      {shown ? null : (
        <p className="key">
          <i className="b-waiting" aria-hidden="true" />
          being written
          <i className="b-work" aria-hidden="true" />
          queries and sending
          <i className="b-check" aria-hidden="true" />
          checks
        </p>
      )}
    </section>
  );
}

function Drawing({ model }: { model: Model }): ReactNode {
  const { rows, total } = model;
  const percent = (ms: number): string => `${Math.min(100, (100 * ms) / total).toFixed(3)}%`;
  const foot = TOP + rows.length * ROW;
  const ticks = niceTicks({ low: 0, high: total }, 5);
  return (
    <svg
      className="tl"
      width="100%"
      height={foot + AXIS}
      role="img"
      aria-label={`Timeline of ${rows.length} steps in ${duration(total)}. The table has the same.`}
    >
      {ticks.map((at) => (
        <g key={at}>
          <line className="grid-line" x1={percent(at)} x2={percent(at)} y1={TOP} y2={foot} />
          <text
            className="tick"
            x={percent(at)}
            y={foot + 15}
            textAnchor={at === 0 ? 'start' : at > 0.92 * total ? 'end' : 'middle'}
          >
            {moment(at)}
          </text>
        </g>
      ))}
      {rows.map((row, index) => {
        const y = TOP + index * ROW;
        const middle = y + 19 + BAR / 2;
        return (
          <g key={row.key}>
            <svg x="0" y={y} width="78%" height="18" overflow="hidden" aria-hidden="true">
              <text className="label" x="0" y="13">
                {row.label}
              </text>
            </svg>
            <text className="value" x="100%" y={y + 13} textAnchor="end">
              {row.to > row.from ? moment(row.to - row.from) : moment(row.to)}
            </text>
            {row.bars.map((bar) => (
              <rect
                key={bar.kind}
                className={`b-${bar.kind}`}
                x={percent(bar.from)}
                y={y + 19}
                width={percent(Math.max(bar.to - bar.from, total / 400))}
                height={BAR}
              />
            ))}
            {keyed(row.dots, (dot) => String(dot.at)).map(({ key, item: dot }) => (
              <line
                key={key}
                className={`d-${dot.kind}`}
                x1={percent(dot.at)}
                x2={percent(dot.at)}
                y1={middle - BAR / 2}
                y2={middle + BAR / 2}
              />
            ))}
          </g>
        );
      })}
    </svg>
  );
}

function Table({ model }: { model: Model }): ReactNode {
  return (
    <div className="rows-box">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">step</th>
            <th scope="col" className="r">
              from
            </th>
            <th scope="col" className="r">
              to
            </th>
            <th scope="col">what</th>
          </tr>
        </thead>
        <tbody>
          {model.rows.map((row) => (
            <tr key={row.key}>
              <td className="label">{row.label}</td>
              <td className="r">{moment(row.from)}</td>
              <td className="r">{moment(row.to)}</td>
              <td>{row.says}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
