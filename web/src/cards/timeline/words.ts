import type { TimelineCard, TimelineLane, TimelineMark } from '../../../../shared/cards.ts';
import { citeText } from '../basis.tsx';
import { figureParts, formatFigure, formatMoment, zoneName } from '../format.ts';
import { cameTo, outcomeOf } from '../outcome/stance.ts';

/** Marks as people read them, in one place for hover, focus, the table and screen readers. */

/** "T1 Cart lines", or the title alone. */
export const laneName = ({ id, title }: Pick<TimelineLane, 'id' | 'title'>): string =>
  id === null ? title : title === '' || title === id ? id : `${id} ${title}`;

/** "scripted test, attempt 2 of 3" */
export function whatOf({ what, attempt }: Pick<TimelineMark, 'what' | 'attempt'>): string {
  if (attempt === null || what === `attempt ${attempt.n}`) return what;
  return `${what}, attempt ${attempt.n}${attempt.of === null ? '' : ` of ${attempt.of}`}`;
}

export const cameToOf = (mark: TimelineMark, of: TimelineCard['of']): string =>
  of === 'builds' && mark.text !== null ? mark.text : cameTo(outcomeOf(mark), mark.attribution);

/** How closely two ends have to be told so that they differ. */
const closeness = (mark: TimelineMark): 'second' | 'millisecond' =>
  mark.duration.value !== null && mark.duration.value < 10 ? 'millisecond' : 'second';

/** "16:48:02 to 16:53:22", "16:48:02", "ended 16:53:22"; with the day where it is another one. */
export function whenOf(mark: TimelineMark, zone: string): string {
  const { startMs, endMs } = mark;
  const close = closeness(mark);
  const at = (ms: number): string => formatMoment(ms, zone, close);
  const day = (ms: number): string => formatMoment(ms, zone, 'day');
  if (startMs === null) return endMs === null ? 'no time recorded' : `${day(endMs)}, ended ${at(endMs)}`;
  if (endMs === null) return `${day(startMs)}, began ${at(startMs)}`;
  if (endMs === startMs) return `${day(startMs)}, ${at(startMs)}`;
  const other = day(endMs) === day(startMs) ? '' : `${day(endMs)}, `;
  return `${day(startMs)}, ${at(startMs)} to ${other}${at(endMs)}`;
}

/** "320 s"; the exact value where it is written shorter; why there is none. */
export function tookOf({ duration }: Pick<TimelineMark, 'duration'>): string | null {
  if (duration.value === null)
    return duration.missing === 'a moment' ? null : (duration.missing ?? 'not recorded');
  const { exact } = figureParts(duration);
  const shown = formatFigure(duration);
  return exact === shown ? shown : `${shown} (${exact})`;
}

/** Everything about a mark in one sentence: its accessible name. */
export function sentenceOf(
  mark: TimelineMark,
  lane: TimelineLane,
  card: Pick<TimelineCard, 'zone' | 'of'>,
): string {
  const took = tookOf(mark);
  return [
    `${laneName(lane)}: ${whatOf(mark)}`,
    cameToOf(mark, card.of),
    `${whenOf(mark, card.zone)} ${zoneName(card.zone)}`,
    ...(took === null || took === 'no outcome recorded' ? [] : [took]),
    ...(mark.disputed ? ['sources disagree'] : []),
  ].join('. ');
}

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** The drawing in a sentence. */
export function drawingOf(card: TimelineCard): string {
  const marks = card.lanes.flatMap((lane) => lane.marks);
  const times = marks.flatMap(({ startMs, endMs }) => [startMs, endMs]).filter((ms) => ms !== null);
  const noun = {
    builds: ['build', 'builds'],
    attempts: ['attempt', 'attempts'],
    gates: ['gate run', 'gate runs'],
    entries: ['log entry', 'log entries'],
  }[card.of];
  const what = `${plural(marks.length, noun[0] ?? '', noun[1] ?? '')} in ${plural(card.lanes.length, 'row', 'rows')}`;
  if (times.length === 0) return `${what}, without times.`;
  const first = Math.min(...times);
  const last = Math.max(...times);
  const at = (ms: number): string =>
    `${formatMoment(ms, card.zone, 'day')}, ${formatMoment(ms, card.zone, 'minute')}`;
  const span = first === last ? `at ${at(first)}` : `from ${at(first)} to ${at(last)}`;
  return `${what}, ${span}, ${zoneName(card.zone)}.`;
}

/** "activity.log:18" */
export const placeOf = (mark: TimelineMark): string => citeText(mark.cite);
