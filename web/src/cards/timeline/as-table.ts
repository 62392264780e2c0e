import type { Cell, TableColumn, TimelineCard } from '../../../../shared/cards.ts';
import { ATTRIBUTIONS } from '../../../../shared/outcomes.ts';
import type { CsvRows } from '../CsvButton.tsx';
import { isFailure, outcomeOf } from '../outcome/stance.ts';
import { cameToOf, laneName, whatOf } from './words.ts';

export const TIMELINE_COLUMNS: readonly TableColumn[] = [
  { id: 'feature', label: 'feature', align: 'start' },
  { id: 'what', label: 'what', align: 'start' },
  { id: 'outcome', label: 'outcome', align: 'start' },
  { id: 'began', label: 'began', align: 'end' },
  { id: 'ended', label: 'ended', align: 'end' },
  { id: 'took', label: 'took', align: 'end' },
  { id: 'source', label: 'source', align: 'start' },
];

const time = (ms: number | null, zone: string, why: string): Cell =>
  ms === null ? { kind: 'none', why } : { kind: 'time', ms, zone };

/** The same marks as rows, lane by lane. */
export const timelineRows = (card: TimelineCard): Cell[][] =>
  card.lanes.flatMap((lane) =>
    lane.marks.map((mark): Cell[] => [
      lane.id === null
        ? { kind: 'text', text: lane.title }
        : { kind: 'feature', id: lane.id, title: lane.title },
      { kind: 'text', text: whatOf(mark) },
      { kind: 'text', text: cameToOf(mark, card.of) },
      time(mark.startMs, card.zone, 'start not recorded'),
      time(mark.endMs, card.zone, mark.open ? 'no outcome recorded' : 'end not recorded'),
      mark.duration.missing === 'a moment'
        ? { kind: 'none', why: 'a moment' }
        : { kind: 'figure', figure: mark.duration },
      { kind: 'cite', cite: mark.cite },
    ]),
  );

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Every value a mark has, one line a mark. */
export const timelineCsv = (card: TimelineCard): CsvRows => ({
  header: [
    ...['feature', 'title', 'what', 'attempt', 'outcome', 'attribution', 'attribution rests on'],
    ...['began (UTC)', 'ended (UTC)', 'seconds', 'basis', 'source', 'line', 'text'],
  ],
  lines: card.lanes.flatMap((lane) =>
    lane.marks.map((mark) => [
      lane.id,
      lane.id === null ? laneName(lane) : lane.title,
      mark.what,
      mark.attempt?.n ?? null,
      cameToOf({ ...mark, attribution: 'agent' }, card.of).replace(/, by the agent$/, ''),
      isFailure(outcomeOf(mark)) ? ATTRIBUTIONS[mark.attribution] : null,
      mark.why,
      iso(mark.startMs),
      iso(mark.endMs),
      mark.duration.value,
      mark.cite.basis,
      mark.cite.label,
      mark.cite.line,
      mark.text,
    ]),
  ),
});
