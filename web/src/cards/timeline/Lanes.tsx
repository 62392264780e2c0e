import { type CSSProperties, type ReactNode, useMemo } from 'react';
import type { TimelineCard } from '../../../../shared/cards.ts';
import { plainName } from '../../../../shared/outcomes.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { formatFigure } from '../format.ts';
import { keyed } from '../keyed.ts';
import { Glyph } from '../outcome/Glyph.tsx';
import { isFailure, LETTERS, outcomeOf, stanceOf } from '../outcome/stance.ts';
import { shortRef } from '../short-ref.ts';
import { nearest, type PlacedLane, type PlacedMark, placeLanes, spanOf } from './lanes.ts';
import { Told } from './Told.tsx';
import { CUT, type Cut, type Tick, type TimeScale, ticksOf, timeScale } from './time-scale.ts';
import { useRoving } from './use-roving.ts';
import { laneName, sentenceOf } from './words.ts';

export interface LanesProps {
  card: TimelineCard;
  /** Width of the tracks in pixels. */
  width: number;
  chrome: Pick<CardChrome, 'openFigure'>;
}

const ROW = 20;
/** Length of the line that says that nothing more is told, and the least distance of two labels of times left out. */
const TAIL = 16;
const CUTS_APART = 52;

/** Ids of marks are only told apart within the card, so each gets its place as its key. */
interface Keyed extends PlacedMark {
  key: string;
}
interface KeyedLane extends Omit<PlacedLane, 'marks'> {
  marks: Keyed[];
}

function keyedLanes(lanes: readonly PlacedLane[]): KeyedLane[] {
  return lanes.map((lane, at) => ({
    ...lane,
    marks: lane.marks.map((mark, n) => ({ ...mark, key: `${at}.${n}` })),
  }));
}

/** Where an arrow leads: along a lane, or to the nearest mark of the next lane that has one. */
function stepIn(lanes: readonly KeyedLane[]) {
  return (from: string, key: string): string | null => {
    const at = lanes.findIndex((lane) => lane.marks.some((mark) => mark.key === from));
    const lane = lanes[at];
    const n = lane?.marks.findIndex((mark) => mark.key === from) ?? -1;
    const here = lane?.marks[n];
    if (lane === undefined || here === undefined) return null;
    if (key === 'ArrowLeft') return lane.marks[n - 1]?.key ?? null;
    if (key === 'ArrowRight') return lane.marks[n + 1]?.key ?? null;
    if (key === 'Home') return lane.marks[0]?.key ?? null;
    if (key === 'End') return lane.marks.at(-1)?.key ?? null;
    const by = key === 'ArrowUp' ? -1 : 1;
    for (let next = at + by; next >= 0 && next < lanes.length; next += by) {
      const other = lanes[next];
      const found = nearest(other, here.x);
      const mark = other?.marks.find((one) => one.mark === found?.mark);
      if (mark !== undefined) return mark.key;
    }
    return null;
  };
}

/** One row a feature, everything on one time axis. */
export default function Lanes({ card, width, chrome }: LanesProps): ReactNode {
  const { scale, ticks, lanes } = useMemo(() => {
    const spans = card.lanes.flatMap((lane) =>
      lane.marks.flatMap((mark) => {
        const span = spanOf(mark);
        return span === null ? [] : [span];
      }),
    );
    const made = timeScale(spans, width);
    return { scale: made, ticks: ticksOf(made, card.zone), lanes: keyedLanes(placeLanes(card.lanes, made)) };
  }, [card, width]);
  const step = useMemo(() => stepIn(lanes), [lanes]);
  const roving = useRoving(lanes.flatMap((lane) => lane.marks)[0]?.key ?? null, step);
  const told = lanes
    .flatMap((lane) => lane.marks.map((mark) => ({ ...mark, lane: lane.lane })))
    .find((mark) => mark.key === roving.told);
  return (
    <>
      <div className="tl-lanes">
        <ul>
          {keyed(lanes, ({ lane }) => lane.id ?? lane.title).map(({ key, item }) => (
            <li className="tl-lane" key={key}>
              <LaneHead lane={item} />
              <div className="tl-track" style={{ height: item.rows * ROW + 6 }}>
                <Grid scale={scale} ticks={ticks} />
                {item.marks.length === 0 ? <p className="tl-none">{timelessWords(item)}</p> : null}
                {item.marks.map((mark) => (
                  <Mark
                    key={mark.key}
                    mark={mark}
                    label={sentenceOf(mark.mark, item.lane, card)}
                    chrome={chrome}
                    name={`${laneName(item.lane)}, ${mark.mark.what}`}
                    active={roving.told === mark.key}
                    room={width}
                    button={roving.props(mark.key)}
                  />
                ))}
              </div>
            </li>
          ))}
        </ul>
        <Axis scale={scale} ticks={ticks} />
      </div>
      <Told card={card} found={told === undefined ? null : { mark: told.mark, lane: told.lane }} />
    </>
  );
}

/** "accepted; 2 gate runs without a time" for a lane with nothing on the axis. */
function timelessWords({ lane, untimed }: KeyedLane): string {
  const many = untimed.length === 1 ? 'no time recorded' : `${untimed.length} without a time`;
  return lane.status === null ? many : `${plainName(lane.status)}, ${many}`;
}

function LaneHead({ lane }: { lane: KeyedLane }): ReactNode {
  const { title } = lane.lane;
  // A long id gives way to the title; the whole of both is told on hover and in the names of the marks.
  const id = title === '' || title === lane.lane.id ? lane.lane.id : shortRef(lane.lane.id);
  return (
    <div className="tl-name" title={laneName(lane.lane)}>
      {id === null ? null : <span className="tl-id">{id}</span>}
      {title === id ? null : <span className="tl-title">{title}</span>}
      {lane.untimed.length === 0 || lane.marks.length === 0 ? null : (
        <span className="tl-untimed">{lane.untimed.length} without a time</span>
      )}
    </div>
  );
}

function Grid({ scale, ticks }: { scale: TimeScale; ticks: readonly Tick[] }): ReactNode {
  return (
    <div className="tl-grid" aria-hidden="true">
      {ticks.map((tick) => (
        <i key={tick.x} style={{ left: tick.x }} />
      ))}
      {scale.cuts.map((cut) => (
        <b key={cut.x} style={{ left: cut.x - CUT / 2, width: CUT }} />
      ))}
    </div>
  );
}

/** Ticks with their day where it changes, and how long the times are that were left out. */
function Axis({ scale, ticks }: { scale: TimeScale; ticks: readonly Tick[] }): ReactNode {
  return (
    <div className="tl-axis ax" aria-hidden="true">
      {ticks.map((tick) => (
        <span key={tick.x} className={edge(tick.x, scale.width)} style={{ left: tick.x }}>
          {tick.text}
          {tick.day === null ? null : <em>{tick.day}</em>}
        </span>
      ))}
      {scale.cuts.filter(farFromLast).map((cut) => (
        <span key={cut.x} className="tl-cut" style={{ left: cut.x }} title="left out: nothing is recorded">
          <em>{formatFigure({ value: (cut.to - cut.from) / 1000, unit: 's' })}</em>
        </span>
      ))}
    </div>
  );
}

/** Whether the label of a cut has room beside the one before it. */
const farFromLast = (cut: Cut, at: number, cuts: readonly Cut[]): boolean =>
  at === 0 || cut.x - (cuts[at - 1]?.x ?? 0) >= CUTS_APART;

/** Labels at the ends of the axis stay inside it. */
export const edge = (x: number, width: number): string =>
  x < 24 ? 'tl-tick first' : x > width - 24 ? 'tl-tick last' : 'tl-tick';

interface MarkProps {
  mark: PlacedMark;
  label: string;
  /** What the drawer calls it. */
  name: string;
  active: boolean;
  /** Width of the track. */
  room: number;
  chrome: Pick<CardChrome, 'openFigure'>;
  button: ReturnType<ReturnType<typeof useRoving>['props']>;
}

/** A head at the moment of the outcome, and a bar back to where it began. */
function Mark({ mark, label, name, active, room, chrome, button }: MarkProps): ReactNode {
  const { mark: own, x, from, row } = mark;
  const outcome = outcomeOf(own);
  const stance = stanceOf(own.attribution);
  const letter = isFailure(outcome) && stance === 'aside' ? LETTERS[own.attribution] : '';
  const top = row * ROW + 3;
  const { evidence } = own;
  const place: CSSProperties = { left: x, top };
  return (
    <>
      {x - from < 1 ? null : (
        <i
          className={`tl-bar b-${outcome === 'pass' ? 'good' : stance}${active ? ' on' : ''}`}
          style={{ left: from, width: x - from, top: top + 5 }}
          aria-hidden="true"
        />
      )}
      {outcome === 'open' ? (
        <i
          className="tl-tail"
          style={{ left: x + 7, top: top + 7, width: Math.max(0, Math.min(TAIL, room - x - 7)) }}
          aria-hidden="true"
        />
      ) : null}
      <button
        type="button"
        className={`tl-mark${active ? ' on' : ''}`}
        style={place}
        aria-label={label}
        onClick={() => (evidence === null ? undefined : chrome.openFigure(evidence, name))}
        {...button}
      >
        <Glyph outcome={outcome} stance={stance} />
        {letter === '' ? null : <sup>{letter}</sup>}
      </button>
    </>
  );
}
