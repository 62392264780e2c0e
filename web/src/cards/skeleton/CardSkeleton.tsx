import type { ReactNode } from 'react';
import type { CardComponent } from '../../../../shared/catalog.ts';
import { COLUMN, LINE, rowsHeight } from '../chart/sizes.ts';
import { keyed } from '../keyed.ts';
import { WaitingTag } from '../mark.tsx';
import type { SkeletonModel } from './read.ts';

/** Holds the place of a card that is being made: its kind, its title, and its height as far as that is known. */
export function SkeletonView({ model }: { model: SkeletonModel }): ReactNode {
  const { becomes, title } = model;
  const statement = becomes === 'PremiseCard';
  const tight = becomes === 'StatCard';
  return (
    <section className={`card skc sk-${becomes}${tight ? ' tight' : ''}`} aria-busy="true" aria-label={title}>
      <div className="rule" aria-hidden="true">
        <i className="r-empty" />
      </div>
      <div className={statement ? 'ch big' : 'ch'}>
        <div>
          <h2 className={statement ? 'lead' : undefined}>{title}</h2>
          {WITH_SUB.has(becomes) ? (
            <div className="sub sk-sub">
              <Bone width="min(236px, 60%)" />
            </div>
          ) : null}
        </div>
        <WaitingTag />
      </div>
      <div className="sk-body" aria-hidden="true">
        <Body becomes={becomes} />
      </div>
      {tight ? null : <div className="cf sk-foot" aria-hidden="true" />}
    </section>
  );
}

const WITH_SUB: ReadonlySet<CardComponent> = new Set<CardComponent>([
  'PremiseCard',
  'AttemptsCard',
  'BarChart',
  'LineChart',
  'LogCard',
  'TimelineCard',
]);

function Bone({ width, height = 10 }: { width: number | string; height?: number }): ReactNode {
  return <div className="sk pulse" style={{ width, height }} />;
}

function Body({ becomes }: { becomes: CardComponent }): ReactNode {
  switch (becomes) {
    case 'StatCard':
      return <Stats />;
    case 'BarChart':
      return <Bars />;
    case 'LineChart':
      return <div className="sk-plot pulse" style={{ height: LINE.height + 20 }} />;
    case 'DonutChart':
      return <Donut />;
    case 'AttemptsCard':
      return <Attempts />;
    case 'PremiseCard':
      return <Rows count={4} />;
    case 'TableCard':
    case 'ConflictCard':
    case 'LedgerCard':
    case 'LogCard':
      return <Rows count={8} />;
    case 'TimelineCard':
      return <Lanes />;
    default:
      return <Lines />;
  }
}

/** Widths in per cent that look like text and like data, and are neither. */
const LINES = [96, 88, 92, 84, 90, 40];
const ROWS = [62, 48, 70, 55, 66, 44, 58, 50];
const BARS = [92, 80, 48, 42, 39, 37, 36, 35, 35, 33];

function Lines(): ReactNode {
  return keyed(LINES).map(({ key, item }) => (
    <div key={key} className="sk-line">
      <Bone width={`${item}%`} height={11} />
    </div>
  ));
}

function Rows({ count }: { count: number }): ReactNode {
  return keyed(ROWS.slice(0, count)).map(({ key, item }) => (
    <div key={key} className="sk-row">
      <Bone width={`${item / 2}%`} />
      <Bone width="12%" />
      <Bone width="9%" />
    </div>
  ));
}

function Stats(): ReactNode {
  return (
    <div className="stats" style={{ '--columns': '1fr 1fr 1fr' }}>
      {keyed([124, 118, 76]).map(({ key, item }) => (
        <div key={key} className="st sk-st">
          <Bone width={item} />
          <Bone width={96} height={28} />
          <Bone width={item - 20} />
        </div>
      ))}
    </div>
  );
}

function Bars(): ReactNode {
  return (
    <div className="sk-bars" style={{ height: Math.max(rowsHeight(BARS.length, 1), COLUMN.height) }}>
      {keyed(BARS).map(({ key, item }) => (
        <div key={key} className="sk-bar">
          <Bone width={`${40 + (item % 9) * 5}%`} />
          <Bone width={`${item}%`} height={14} />
        </div>
      ))}
    </div>
  );
}

function Donut(): ReactNode {
  return (
    <div className="donut-box">
      <div className="donut">
        <div className="sk-ring pulse" />
        <div className="parts">
          <Rows count={5} />
        </div>
      </div>
    </div>
  );
}

/** Starts and widths in per cent of bars in lanes. */
const LANES = [
  [4, 22],
  [12, 30],
  [38, 18],
  [52, 26],
  [70, 20],
] as const;

function Lanes(): ReactNode {
  return keyed(LANES).map(({ key, item: [from, width] }) => (
    <div key={key} className="sk-row">
      <div className="sk pulse" style={{ width: `${width}%`, height: 12, marginLeft: `${from}%` }} />
    </div>
  ));
}

/** Height of the drawing of the usual story: steps, feedback, the measured build, and the time axis. */
function Attempts(): ReactNode {
  return (
    <div className="att sk-att">
      <div className="sk pulse" style={{ width: '28%', height: 76 }} />
      <div className="sk pulse" style={{ width: '34%', height: 114 }} />
      <div className="sk pulse" style={{ width: '38%', height: 171 }} />
    </div>
  );
}
