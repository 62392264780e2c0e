/** "1 card", "5 cards". */
export const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** Time of day on a 24-hour clock ("08:04"). */
export const timeOfDay = (at: number): string => clock.format(at);

/** A duration with its unit: "41 ms", "2.4 s". */
export const duration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
