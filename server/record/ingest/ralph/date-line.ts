import { readTime, type WrittenTime } from '../time.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** What `date` prints: "Fri Mar 27 07:42:26 AM UTC 2026", with or without a half of the day. */
const PRINTED =
  /^(?:[A-Z][a-z]{2},? )?([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d{1,2}):(\d\d):(\d\d)(?: ([AP]M))? (?:([A-Z]{2,5}|[+-]\d{2,4}) )?(\d{4})$/;

const two = (n: number): string => String(n).padStart(2, '0');

/**
 * Reads a time as the `date` command prints it in English, or as ISO 8601. Of zones written as letters only UTC and GMT say
 * where they are; any other leaves the time without a zone.
 * @returns null when it is neither, a mere date included
 */
export function readPrinted(text: string): WrittenTime | null {
  const match = PRINTED.exec(text.trim());
  if (!match) return readTime(text);
  const [, name = '', day, hour, minute = '', second = '', half, zone, year = ''] = match;
  const month = MONTHS.indexOf(name) + 1;
  let hours = Number(hour);
  if (half !== undefined) {
    if (hours < 1 || hours > 12) return null;
    hours = (hours % 12) + (half === 'PM' ? 12 : 0);
  }
  const offset = zone === 'UTC' || zone === 'GMT' ? 'Z' : zone !== undefined && /\d/.test(zone) ? zone : '';
  return readTime(`${year}-${two(month)}-${two(Number(day))}T${two(hours)}:${minute}:${second}${offset}`);
}
