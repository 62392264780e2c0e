/** Times as people in the run's zone read and write them. Everything here is UTC epoch milliseconds on the inside. */

const OFFSET = /^([+-])(\d{2}):?(\d{2})$/;
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

const MOST_CLOCKS = 32;
const clocks = new Map<string, Intl.DateTimeFormat>();
/** Throws RangeError for a zone nobody knows. */
function clockFor(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (clocks.size < MOST_CLOCKS) clocks.set(zone, clock);
  return clock;
}

/** Offset of a zone from UTC in ms at an instant: `-07:00`, `-0700`, `Z`, or an IANA name; unknown zones count as UTC. */
export function offsetMs(zone: string, at: number): number {
  const fixed = OFFSET.exec(zone);
  if (fixed) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3])) * 60_000;
  if (zone === '' || /^(?:z|utc)$/i.test(zone)) return 0;
  try {
    const parts = clockFor(zone).formatToParts(at);
    const part = (type: string) => Number(parts.find((entry) => entry.type === type)?.value ?? 0);
    const local = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return local - Math.floor(at / 1000) * 1000;
  } catch {
    return 0;
  }
}

const two = (n: number): string => String(n).padStart(2, '0');
const local = (ms: number, zone: string): Date => new Date(ms + offsetMs(zone, ms));

/** "14:03" */
export function clockOf(ms: number, zone: string): string {
  const date = local(ms, zone);
  return `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
}

/** "28 March, 12:48" */
export function dayAndClock(ms: number, zone: string): string {
  const date = local(ms, zone);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''}, ${clockOf(ms, zone)}`;
}

/** The instant at which clocks of a zone show a time (given as if it were UTC). */
function instantOf(wall: number, zone: string): number {
  const guess = wall - offsetMs(zone, wall);
  const offset = offsetMs(zone, guess);
  return wall - offset;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * Reads one end of a time range.
 * @param text ISO 8601 (without an offset: in the zone of the run; a bare date: its first or last instant) or `HH:MM`
 *   on the day of the run; a clock time before the run's start means the day after
 * @param edge `to` takes in the whole minute, second or day that was named
 * @returns epoch ms, or null when it cannot be read
 */
export function parseWhen(
  text: string,
  edge: 'from' | 'to',
  run: { zone: string; startedAtMs: number | null },
): number | null {
  const given = text.trim();
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(given);
  if (clock) {
    if (run.startedAtMs === null) return null;
    const hours = Number(clock[1]);
    const minutes = Number(clock[2]);
    const seconds = Number(clock[3] ?? 0);
    if (hours > 23 || minutes > 59 || seconds > 59) return null;
    const offset = offsetMs(run.zone, run.startedAtMs);
    const midnight = Math.floor((run.startedAtMs + offset) / DAY) * DAY - offset;
    const unit = clock[3] === undefined ? MINUTE : 1000;
    let at = midnight + (hours * 60 + minutes) * MINUTE + seconds * 1000;
    if (at + unit <= run.startedAtMs && run.startedAtMs - at > DAY / 2) at += DAY;
    return edge === 'to' ? at + unit - 1 : at;
  }
  const iso =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(given);
  if (!iso) return null;
  const zone = iso[4] ?? null;
  const wall = Date.parse(`${iso[1]}T${iso[2] ?? '00:00'}${iso[3] ?? ':00'}Z`);
  if (!Number.isFinite(wall)) return null;
  const own = zone ?? run.zone;
  // A day lasts until the next one begins: 23 or 25 hours where clocks change.
  if (iso[2] === undefined) return edge === 'to' ? instantOf(wall + DAY, own) - 1 : instantOf(wall, own);
  const at = instantOf(wall, own);
  const unit = iso[3] === undefined ? MINUTE : iso[3].includes('.') ? 1 : 1000;
  return edge === 'to' ? at + unit - 1 : at;
}
