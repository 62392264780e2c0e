import { type ReactNode, useId, useMemo } from 'react';
import type { TimelineCard, TimelineLane, TimelineMark } from '../../../../shared/cards.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { isClaim } from '../basis.tsx';
import { formatFigure } from '../format.ts';
import { HatchPattern } from '../hatch.tsx';
import { Shape } from '../shape.tsx';
import { shortRef } from '../short-ref.ts';
import { edge, type LanesProps } from './Lanes.tsx';
import { layoutStrip, type Segment, type StripRow } from './strip.ts';
import { Told } from './Told.tsx';
import { useRoving } from './use-roving.ts';
import { laneName, sentenceOf } from './words.ts';

interface Stop {
  key: string;
  lane: TimelineLane;
  mark: TimelineMark;
  x: number;
  row: number;
}

const keyOf = (row: number, kind: string, at: number): string => `${row}.${kind}${at}`;

/** Every mark one can stop at, row by row from left to right. */
function stopsOf(rows: readonly StripRow[]): Stop[] {
  return rows.flatMap((row, n) =>
    [
      ...row.segments.map((one, at) => ({ ...one, key: keyOf(n, 's', at), row: n })),
      ...row.rings.map((one, at) => ({ ...one, key: keyOf(n, 'r', at), row: n })),
      ...row.passes.map((one, at) => ({ ...one, key: keyOf(n, 'p', at), row: n })),
    ].toSorted((a, b) => a.x - b.x),
  );
}

const stepIn =
  (stops: readonly Stop[]) =>
  (from: string, key: string): string | null => {
    const at = stops.findIndex((stop) => stop.key === from);
    const here = stops[at];
    if (here === undefined) return null;
    if (key === 'ArrowLeft') return stops[at - 1]?.key ?? null;
    if (key === 'ArrowRight') return stops[at + 1]?.key ?? null;
    if (key === 'Home') return stops[0]?.key ?? null;
    if (key === 'End') return stops.at(-1)?.key ?? null;
    const row = stops.filter((stop) => stop.row === here.row + (key === 'ArrowUp' ? -1 : 1));
    return row.toSorted((a, b) => Math.abs(a.x - here.x) - Math.abs(b.x - here.x))[0]?.key ?? null;
  };

/** Builds in a row: width is time. What has no time is a line with a ring, at its place in the order. */
export default function Strip({ card, width, chrome }: LanesProps): ReactNode {
  const hatch = useId();
  const rows = useMemo(() => layoutStrip(card, width), [card, width]);
  const stops = useMemo(() => stopsOf(rows), [rows]);
  const step = useMemo(() => stepIn(stops), [stops]);
  const roving = useRoving(stops[0]?.key ?? null, step);
  const told = stops.find((stop) => stop.key === roving.told);
  const slowest = rows
    .flatMap((row) => row.segments)
    .reduce<Segment | null>((most, one) => (most === null || one.width > most.width ? one : most), null);
  return (
    <>
      <svg width="0" height="0" aria-hidden="true" className="tl-defs">
        <defs>
          <HatchPattern id={hatch} />
        </defs>
      </svg>
      {rows.map((row, n) => (
        <div className="ts-row" key={row.segments[0]?.lane.id ?? String(n)} style={{ width }}>
          <div className="ts-above" aria-hidden="true">
            {row.segments.map((one) =>
              one.mark.disputed ? (
                <span key={laneName(one.lane)} className="ts-diamond" style={{ left: one.x + one.width / 2 }}>
                  <Shape name="diamond" />
                </span>
              ) : null,
            )}
            {row.segments.map((one) =>
              slowest !== null && one.mark === slowest.mark ? (
                <span
                  key={laneName(one.lane)}
                  className={`ts-label ${edge(one.x + one.width / 2, width)}`}
                  style={{ left: one.x + one.width / 2 }}
                >
                  slowest, {formatFigure(one.mark.duration)}
                </span>
              ) : null,
            )}
          </div>
          <div className="ts-bar">
            {row.segments.map((one, at) => (
              <Build
                key={laneName(one.lane)}
                segment={one}
                hatch={hatch}
                label={sentenceOf(one.mark, one.lane, card)}
                chrome={chrome}
                button={roving.props(keyOf(n, 's', at))}
                active={roving.told === keyOf(n, 's', at)}
              />
            ))}
            {row.rings.map((one, at) => (
              <button
                key={laneName(one.lane)}
                type="button"
                className="ts-ring"
                style={{ left: one.x }}
                aria-label={sentenceOf(one.mark, one.lane, card)}
                onClick={() => open(one.mark, one.lane, chrome)}
                {...roving.props(keyOf(n, 'r', at))}
              >
                <i />
                {row.rings.length > FEW_RINGS ? null : (
                  <span>
                    {shortRef(one.lane.id) ?? one.lane.title} {one.mark.text ?? ''},{' '}
                    {one.mark.duration.missing ?? 'no time recorded'}
                  </span>
                )}
              </button>
            ))}
          </div>
          <div className="ts-below">
            {row.passes.map((one, at) => (
              <button
                key={one.mark.id}
                type="button"
                className="ts-pass"
                style={{ left: one.x }}
                aria-label={sentenceOf(one.mark, one.lane, card)}
                onClick={() => open(one.mark, one.lane, chrome)}
                {...roving.props(keyOf(n, 'p', at))}
              >
                plan
              </button>
            ))}
          </div>
          <div className="tl-axis ax" aria-hidden="true">
            {row.ticks.map((tick) => (
              <span key={tick.x} className={edge(tick.x, width)} style={{ left: tick.x }}>
                {tick.text}
                {tick.day === null ? null : <em>{tick.day}</em>}
              </span>
            ))}
          </div>
        </div>
      ))}
      <Told card={card} found={told === undefined ? null : { mark: told.mark, lane: told.lane }} />
    </>
  );
}

/** Rings up to which each says what it is; of more the pointer and the table tell. */
const FEW_RINGS = 2;

function open(mark: TimelineMark, lane: TimelineLane, chrome: Pick<CardChrome, 'openFigure'>): void {
  if (mark.evidence !== null) chrome.openFigure(mark.evidence, `${laneName(lane)}, ${mark.what}`);
}

interface BuildProps {
  segment: Segment;
  hatch: string;
  label: string;
  active: boolean;
  chrome: Pick<CardChrome, 'openFigure'>;
  button: ReturnType<ReturnType<typeof useRoving>['props']>;
}

/** Characters of a number in a segment take about so many pixels. */
const DIGIT = 6.3;

function Build({ segment, hatch, label, active, chrome, button }: BuildProps): ReactNode {
  const { lane, mark, x, width } = segment;
  const claim = isClaim(mark.duration.basis);
  const look = claim ? 'claimed' : mark.duration.basis === 'measured' ? 'measured' : 'derived';
  const id = lane.id ?? '';
  return (
    <button
      type="button"
      className={`ts-build ${look}${active ? ' on' : ''}`}
      style={{ left: x, width: Math.max(3, width - 1.5) }}
      aria-label={label}
      onClick={() => open(mark, lane, chrome)}
      {...button}
    >
      {claim ? (
        <svg width="100%" height="100%" aria-hidden="true">
          <rect width="100%" height="100%" fill={`url(#${hatch})`} className="hx" />
        </svg>
      ) : null}
      {id.length * DIGIT + 3 <= width ? <span>{id}</span> : null}
    </button>
  );
}

export type { TimelineCard };
