/**
 * The one place where written times become numbers. Read: ISO 8601 with `Z`, `-07:00`, `-0700` or `-07`, seconds and their
 * fraction optional, `T` or a space between date and time, a space before the offset. Nothing else is a time here:
 * `Date.parse` takes many more forms, differently in every engine, and reads a time without a zone in the zone of the machine.
 */
const FORM =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?$/;

export interface WrittenTime {
  /** UTC epoch milliseconds. */
  ms: number;
  /** Offset as `-07:00`; `+00:00` for `Z`; null when none was written and `ms` rests on the fallback. */
  zone: string | null;
}

const pad = (n: number): string => String(n).padStart(2, '0');

function offsetOf(text: string): { zone: string; minutes: number } | null {
  if (text === 'Z') return { zone: '+00:00', minutes: 0 };
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', '') || '0');
  if (hours > 14 || minutes > 59) return null;
  const total = (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
  return { zone: `${total < 0 ? '-' : '+'}${pad(hours)}:${pad(minutes)}`, minutes: total };
}

/**
 * Reads one written time.
 * @param text as written in the source
 * @param fallbackZone offset taken when none is written, such as `-07:00`; UTC by default. The caller reports that.
 * @returns null when it is not a time, or not one the calendar has
 */
export function readTime(text: string, fallbackZone = '+00:00'): WrittenTime | null {
  const match = FORM.exec(text.trim());
  if (!match) return null;
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((i) => Number(match[i] ?? 0));
  if (
    year === undefined ||
    month === undefined ||
    day === undefined ||
    hour === undefined ||
    minute === undefined ||
    second === undefined
  ) {
    return null;
  }
  if (hour > 23 || minute > 59 || second > 59) return null;
  const fraction = Math.trunc(Number(`0.${match[7] ?? '0'}`) * 1000);
  const utc = Date.UTC(year, month - 1, day, hour, minute, second, fraction);
  // Date.UTC carries a 31 February over into March; a time that does not read back as written is none.
  if (new Date(utc).getUTCDate() !== day || new Date(utc).getUTCMonth() !== month - 1) return null;
  const written = match[8];
  const offset = offsetOf(written ?? fallbackZone);
  if (!offset) return null;
  return { ms: utc - offset.minutes * 60_000, zone: written === undefined ? null : offset.zone };
}

/** Minutes of an offset such as `-07:00`; 0 when it is none. */
export const zoneMinutes = (zone: string): number =>
  /^[+-]\d\d:?\d\d$/.test(zone) ? (offsetOf(zone)?.minutes ?? 0) : 0;

/** A time in its zone as `2026-03-28 12:48:30`; `from` and `to` cut parts out of it. */
function local(ms: number, zone: string, from: number, to: number): string {
  const shifted = new Date(ms + zoneMinutes(zone) * 60_000);
  return Number.isNaN(shifted.getTime()) ? '' : shifted.toISOString().replace('T', ' ').slice(from, to);
}
/** `2026-03-28 12:48` in the given zone. */
export const minuteText = (ms: number, zone: string): string => local(ms, zone, 0, 16);
/** `12:48:30` in the given zone. */
export const clockText = (ms: number, zone: string): string => local(ms, zone, 11, 19);

/** The zone most of the times are in (the first one among equals), or null when none has a zone. */
export function usualZone(zones: readonly (string | null)[]): string | null {
  const counts = new Map<string, number>();
  for (const zone of zones) if (zone !== null) counts.set(zone, (counts.get(zone) ?? 0) + 1);
  let best: string | null = null;
  for (const [zone, n] of counts) if (best === null || n > (counts.get(best) ?? 0)) best = zone;
  return best;
}
