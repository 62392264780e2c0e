import { offsetMs } from './time.ts';

/** Days, months and hours of a zone as SQL over UTC epoch milliseconds. Offsets come from the zone's own rules, piece by piece. */

const DAY = 86_400_000;
const MINUTE = 60_000;
/** Years whose changes of clock are looked for; before and after them the nearest offset holds. */
const FROM = Date.UTC(2015, 0, 1);
const TO = Date.UTC(2038, 0, 1);

/** From this instant on (UTC ms, the first from always) clocks are this far ahead of UTC. */
export interface Piece {
  from: number;
  offset: number;
}

const MOST_ZONES = 16;
const known = new Map<string, readonly Piece[]>();

/** The offsets of a zone over the years, in order. A zone nobody knows is UTC. */
export function piecesOf(zone: string): readonly Piece[] {
  const made = known.get(zone);
  if (made) return made;
  const pieces: Piece[] = [{ from: Number.NEGATIVE_INFINITY, offset: offsetMs(zone, FROM) }];
  for (let at = FROM; at < TO; at += 28 * DAY) {
    let low = at;
    let high = at + 28 * DAY;
    const before = offsetMs(zone, low);
    if (offsetMs(zone, high) === before) continue;
    // Clocks change on whole minutes.
    while (high - low > MINUTE) {
      const middle = low + Math.floor((high - low) / (2 * MINUTE)) * MINUTE;
      if (offsetMs(zone, middle) === before) low = middle;
      else high = middle;
    }
    pieces.push({ from: high, offset: offsetMs(zone, high) });
  }
  if (known.size >= MOST_ZONES) known.clear();
  known.set(zone, pieces);
  return pieces;
}

/** An instant on the clock of the zone, as ms since its own 1970-01-01 00:00. */
export function localMs(at: string, zone: string): string {
  const pieces = piecesOf(zone);
  const last = pieces.at(-1)?.offset ?? 0;
  if (pieces.length === 1) return last === 0 ? `(${at})` : `(${at} + ${last})`;
  const cases = pieces
    .slice(0, -1)
    .map(({ offset }, i) => `WHEN ${at} < ${pieces[i + 1]?.from ?? 0} THEN ${offset}`);
  return `(${at} + CASE ${cases.join(' ')} ELSE ${last} END)`;
}

/** Which day of the zone an instant lies in, as a count of days from 1970-01-01. */
export const localDay = (at: string, zone: string): string =>
  `CAST(floor(${localMs(at, zone)} / ${DAY}.0) AS BIGINT)`;

/** The first instant of a day of the zone: days are 23 or 25 hours long where clocks change. */
export function dayStart(day: string, zone: string): string {
  const pieces = piecesOf(zone);
  const start = `CAST(${day} AS BIGINT) * ${DAY}`;
  const begins = ({ from, offset }: Piece): string => {
    const midnight = `${start} - ${offset}`;
    return Number.isFinite(from) ? `greatest(${midnight}, ${from})` : midnight;
  };
  const last = pieces.at(-1) ?? { from: Number.NEGATIVE_INFINITY, offset: 0 };
  if (pieces.length === 1) return `(${begins(last)})`;
  const cases = pieces
    .slice(0, -1)
    .map((piece, i) => `WHEN ${start} - ${piece.offset} < ${pieces[i + 1]?.from ?? 0} THEN ${begins(piece)}`);
  return `(CASE ${cases.join(' ')} ELSE ${begins(last)} END)`;
}

/** The zone of this machine, which is the reader's where page and server are on one machine. */
export const machineZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
