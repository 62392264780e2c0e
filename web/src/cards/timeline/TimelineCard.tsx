import { type ReactNode, Suspense, useMemo } from 'react';
import type { TimelineCard } from '../../../../shared/cards.ts';
import { ATTRIBUTIONS } from '../../../../shared/outcomes.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { CsvButton } from '../CsvButton.tsx';
import { useWidth } from '../chart/use-width.ts';
import { formatMoment, zoneName } from '../format.ts';
import { CardFrame } from '../frame.tsx';
import { Glyph } from '../outcome/Glyph.tsx';
import { LETTERS, outcomeWord, stanceOf } from '../outcome/stance.ts';
import { Shape } from '../shape.tsx';
import { DataTable } from '../table/DataTable.tsx';
import { useTableSwitch } from '../with-table.tsx';
import { TIMELINE_COLUMNS, timelineCsv, timelineRows } from './as-table.ts';
import { Lanes, Strip } from './lazy.tsx';
import { legendOf } from './legend.ts';
import { isStrip, rowsFor } from './strip.ts';
import { drawingOf } from './words.ts';

interface TimelineViewProps {
  model: TimelineCard;
  card: CardChrome;
}

/** Width of the names of lanes, and of a card from which they stand beside their tracks. */
const NAMES = 184;
const BESIDE = 640;
const LANE = 31;
const STRIP = 134;
const TOLD = 56;

/** What happened on a time axis, one row a feature; builds one after another are one strip. */
export function TimelineView({ model, card }: TimelineViewProps): ReactNode {
  const rows = useMemo(() => timelineRows(model), [model]);
  const table = useTableSwitch();
  const drawn = model.lanes.some((lane) =>
    lane.marks.some(({ startMs, endMs }) => startMs !== null || endMs !== null),
  );
  const extra = (
    <>
      <CsvButton title={model.title} rows={() => timelineCsv(model)} />
      {drawn ? table.button : null}
    </>
  );
  return (
    <CardFrame model={model} card={card} kind="timeline" extra={extra}>
      {!drawn ? <p className="quiet">Nothing here has a clock time.</p> : null}
      {drawn && !table.shown ? <Drawing model={model} card={card} /> : null}
      {(drawn && table.shown) || (!drawn && rows.length > 0) ? (
        <DataTable caption={model.title} columns={TIMELINE_COLUMNS} rows={rows} card={card} />
      ) : null}
    </CardFrame>
  );
}

function Drawing({ model, card }: TimelineViewProps): ReactNode {
  const [ref, width] = useWidth<HTMLDivElement>();
  const strip = useMemo(() => isStrip(model), [model]);
  const beside = width >= BESIDE;
  const track = Math.max(120, strip || !beside ? width : width - NAMES);
  const height = strip
    ? STRIP * rowsFor(model.lanes.length, width)
    : model.lanes.length * (beside ? LANE : LANE + 22) + 40;
  const Plot = strip ? Strip : Lanes;
  return (
    <figure className={`tl${beside ? ' beside' : ''}`} aria-label={drawingOf(model)}>
      <div ref={ref}>
        {width === 0 ? (
          <div style={{ height: height + TOLD }} />
        ) : (
          <Suspense fallback={<div style={{ height: height + TOLD }} />}>
            <Plot card={model} width={track} chrome={card} />
          </Suspense>
        )}
      </div>
      <p className="x-title ax tl-zone">{axisTitle(model)}</p>
      <Legend model={model} strip={strip} />
    </figure>
  );
}

/** "clock time, 29 Aug 2026 to 1 Sep 2026, UTC" */
function axisTitle({ lanes, zone, zoneUnsure }: TimelineCard): string {
  const times = lanes.flatMap((lane) => lane.marks.flatMap(({ startMs, endMs }) => [startMs, endMs]));
  const known = times.filter((ms) => ms !== null);
  const day = (ms: number): string => formatMoment(ms, zone, 'day');
  const first = day(Math.min(...known));
  const last = day(Math.max(...known));
  const when = first === last ? first : `${first} to ${last}`;
  const unsure = zoneUnsure ? '; some times are written without a zone and read as if in this one' : '';
  return `clock time, ${when}, ${zoneName(zone)}${unsure}`;
}

function Legend({ model, strip }: { model: TimelineCard; strip: boolean }): ReactNode {
  const { outcomes, faults } = useMemo(() => legendOf(model), [model]);
  if (strip) return <StripLegend model={model} />;
  return (
    <ul className="tl-legend" aria-label="Marks">
      {outcomes.map(({ outcome, count }) => (
        <li key={outcome}>
          <Glyph outcome={outcome} stance="own" size={13} />
          {outcomeWord(outcome)} <b>{count}</b>
        </li>
      ))}
      {faults.length === 0 ? null : <li className="tl-of">of those that did not pass:</li>}
      {faults.map(({ attribution, count }) => (
        <li key={attribution} className="tl-fault">
          <Glyph outcome="block" stance={stanceOf(attribution)} size={13} />
          {stanceOf(attribution) === 'aside' ? <sup>{LETTERS[attribution]}</sup> : null}
          by {attribution === 'unknown' ? 'no one known' : ATTRIBUTIONS[attribution]} <b>{count}</b>
        </li>
      ))}
    </ul>
  );
}

/** What the strip is drawn with, where it occurs. */
function StripLegend({ model }: { model: TimelineCard }): ReactNode {
  const marks = model.lanes.flatMap((lane) => (lane.id === null ? [] : lane.marks));
  const bases = new Set(marks.flatMap(({ duration }) => (duration.value === null ? [] : [duration.basis])));
  return (
    <ul className="tl-legend" aria-label="Marks">
      {bases.has('measured') ? (
        <li>
          <i className="sw m" aria-hidden="true" /> measured build
        </li>
      ) : null}
      {bases.has('derived') ? (
        <li>
          <i className="sw g" aria-hidden="true" /> derived build
        </li>
      ) : null}
      {bases.has('claimed') ? (
        <li>
          <i className="sw c" aria-hidden="true" /> claimed build
        </li>
      ) : null}
      {marks.some(({ startMs, endMs }) => startMs === null || endMs === null) ? (
        <li>
          <Shape name="ring" /> no measured time
        </li>
      ) : null}
      {marks.some(({ disputed }) => disputed) ? (
        <li>
          <Shape name="diamond" /> sources disagree
        </li>
      ) : null}
    </ul>
  );
}
