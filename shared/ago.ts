const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const many = (n: number, unit: string): string => `${n} ${unit}${n === 1 ? '' : 's'} ago`;

/** How long ago something was, in words, rounded down: "just now", "5 minutes ago", "3 days ago". @param ms milliseconds */
export function ago(ms: number): string {
  if (ms < MINUTE) return 'just now';
  if (ms < HOUR) return many(Math.floor(ms / MINUTE), 'minute');
  if (ms < DAY) return many(Math.floor(ms / HOUR), 'hour');
  return many(Math.floor(ms / DAY), 'day');
}
