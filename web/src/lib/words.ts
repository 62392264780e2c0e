/** "1 card", "5 cards". */
export const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** Time of day on a 24-hour clock ("08:04"). */
export const timeOfDay = (at: number): string => clock.format(at);

const exact = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** Time of day to the second ("08:04:31"). */
export const exactTime = (at: number): string => exact.format(at);

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const year = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

/** When something was, as short as it stays clear: the time of today, the day of this year ("28 Nov"), else with its year. */
export function whenAsked(at: number, now: number): string {
  const then = new Date(at);
  const today = new Date(now);
  if (then.toDateString() === today.toDateString()) return timeOfDay(at);
  return (then.getFullYear() === today.getFullYear() ? day : year).format(at);
}

/** A duration with its unit: "41 ms", "2.4 s". */
export const duration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
