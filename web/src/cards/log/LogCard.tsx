import { type ReactNode, useMemo, useState } from 'react';
import type { LogCard, LogEntry } from '../../../../shared/cards.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { CsvButton, type CsvRows } from '../CsvButton.tsx';
import { formatFigure, formatMoment, zoneName } from '../format.ts';
import { CardFrame } from '../frame.tsx';
import { keyed } from '../keyed.ts';
import { Glyph } from '../outcome/Glyph.tsx';
import { cameTo, LETTERS, type Outcome, stanceOf } from '../outcome/stance.ts';
import { Place } from '../Place.tsx';
import { pausesOf } from './pauses.ts';

interface LogViewProps {
  model: LogCard;
  card: CardChrome;
}

/** Entries from which a log scrolls inside its card, and lines of one entry that are shown before it is opened. */
const SCROLLS = 18;
const LINES = 4;
const LONG = 320;

/** Entries of the logs as they were written, each with its place; what a gate came to stands beside its entry. */
export function LogView({ model, card }: LogViewProps): ReactNode {
  const pauses = useMemo(() => pausesOf(model.entries), [model]);
  const days = useMemo(() => new Set(model.entries.map(({ atMs }) => dayOf(atMs, model.zone))).size, [model]);
  const after = model.total - model.before - model.entries.length;
  return (
    <CardFrame
      model={{ ...model, sub: subOf(model) }}
      card={card}
      kind="log"
      extra={<CsvButton title={model.title} rows={() => logCsv(model)} />}
    >
      {model.entries.length === 0 ? <p className="quiet">No entry to show.</p> : null}
      {/* A region that scrolls has to be reached by the keyboard. */}
      <section
        className={model.entries.length > SCROLLS ? 'lg scrolls' : 'lg'}
        aria-label={`${model.title}: entries`}
        {...(model.entries.length > SCROLLS ? { tabIndex: 0 } : {})}
      >
        {model.before > 0 ? <More count={model.before} where="before these" /> : null}
        <ol>
          {keyed(model.entries, ({ id }) => id).map(({ key, item }, at) => (
            <Entry
              key={key}
              entry={item}
              zone={model.zone}
              pause={pauses[at] ?? null}
              day={
                days > 1 &&
                dayOf(item.atMs, model.zone) !== dayOf(model.entries[at - 1]?.atMs ?? null, model.zone)
              }
              card={card}
            />
          ))}
        </ol>
        {after > 0 ? <More count={after} where="after these" /> : null}
      </section>
    </CardFrame>
  );
}

const dayOf = (ms: number | null, zone: string): string | null =>
  ms === null ? null : formatMoment(ms, zone, 'day');

/** "Times in UTC. In scope: 35 test start, 15 test fail, 33 others." */
function subOf({ zone, kinds, sub }: LogCard): string {
  const shown = kinds.slice(0, 5);
  const others = kinds.slice(5).reduce((sum, { count }) => sum + count, 0);
  const parts = [
    ...shown.map(({ kind, count }) => `${count} ${kind}`),
    ...(others > 0 ? [`${others} others`] : []),
  ];
  const scope = parts.length === 0 ? '' : ` In scope: ${parts.join(', ')}.`;
  return `${sub === null ? '' : `${sub} `}Times in ${zoneName(zone)}.${scope}`;
}

const More = ({ count, where }: { count: number; where: string }): ReactNode => (
  <p className="lg-more">
    {count} more {count === 1 ? 'entry' : 'entries'} {where}
  </p>
);

interface EntryProps {
  entry: LogEntry;
  zone: string;
  pause: number | null;
  /** The day changes here, so it is said. */
  day: boolean;
  card: CardChrome;
}

const glyphOf = ({ outcome, openStart, level }: LogEntry): Outcome => {
  if (openStart) return 'open';
  if (outcome !== null) return outcome.verdict;
  return level === 'error' ? 'bad' : level === 'warning' ? 'warning' : 'info';
};

function Entry({ entry, zone, pause, day, card }: EntryProps): ReactNode {
  const { atMs, feature, outcome } = entry;
  const stance = outcome === null ? undefined : stanceOf(outcome.attribution);
  const letter =
    outcome !== null && outcome.verdict !== 'pass' && stance === 'aside' ? LETTERS[outcome.attribution] : '';
  return (
    <>
      {pause === null ? null : (
        <li className="lg-pause">
          <span>nothing for {formatFigure({ value: pause / 1000, unit: 's' })}</span>
        </li>
      )}
      {day && atMs !== null ? <li className="lg-day">{formatMoment(atMs, zone, 'day')}</li> : null}
      <li className={entry.anchor ? 'lg-entry anchor' : 'lg-entry'}>
        <span className="lg-time">
          {atMs === null ? (
            <span className="none">no time</span>
          ) : (
            <time dateTime={new Date(atMs).toISOString()} title={formatMoment(atMs, zone, 'millisecond')}>
              {formatMoment(atMs, zone, 'second')}
            </time>
          )}
        </span>
        <span className="lg-kind">
          <span className="lg-glyph">
            <Glyph outcome={glyphOf(entry)} stance={stance} size={14} />
            {letter === '' ? null : <sup aria-hidden="true">{letter}</sup>}
          </span>
          <span>
            {entry.kind}
            {feature === null ? null : <b title={feature.title}> {feature.id}</b>}
          </span>
        </span>
        <div className="lg-body">
          <Text entry={entry} />
          <Said entry={entry} />
        </div>
        <Place
          cite={entry.cite}
          lastLine={entry.lastLine}
          open={entry.open}
          says="Open the raw lines"
          card={card}
        />
      </li>
    </>
  );
}

/** What the entry came to, in words: verdict and whose doing it was, or that no outcome follows. */
function Said({ entry }: { entry: LogEntry }): ReactNode {
  const { outcome, openStart, anchor } = entry;
  const words = [
    ...(openStart ? ['no outcome follows'] : []),
    ...(outcome === null ? [] : [cameTo(outcome.verdict, outcome.attribution)]),
  ];
  if (words.length === 0 && !anchor) return null;
  return (
    <p className="lg-said">
      {anchor ? <span className="vh">The entry asked for. </span> : null}
      {words.join(', ')}
      {outcome === null || outcome.why === null ? null : <span className="lg-why">: {outcome.why}</span>}
    </p>
  );
}

/** The entry as it was written; a long one is cut until it is opened. */
function Text({ entry }: { entry: LogEntry }): ReactNode {
  const [open, setOpen] = useState(false);
  const { text } = entry;
  const lines = text.split('\n').length;
  const long = lines > LINES || text.length > LONG;
  return (
    <>
      <pre className={long && !open ? 'lg-text short' : 'lg-text'}>
        {text}
        {entry.cut && (open || !long) ? '…' : ''}
      </pre>
      {long ? (
        <button type="button" className="lg-all" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : lines > LINES ? `Show all ${lines} lines` : 'Show all of it'}
        </button>
      ) : null}
    </>
  );
}

/** One line an entry. */
const logCsv = (card: LogCard): CsvRows => ({
  header: [
    'time (UTC)',
    'feature',
    'kind',
    'level',
    'outcome',
    'attribution',
    'no outcome follows',
    'text',
    'source',
    'line',
    'last line',
  ],
  lines: card.entries.map((entry) => [
    entry.atMs === null ? null : new Date(entry.atMs).toISOString(),
    entry.feature?.id ?? null,
    entry.kind,
    entry.level,
    entry.outcome?.verdict ?? null,
    entry.outcome?.attribution ?? null,
    entry.openStart ? 'yes' : 'no',
    entry.text,
    entry.cite.label,
    entry.cite.line,
    entry.lastLine ?? entry.cite.line,
  ]),
});
