/**
 * What the wall time of a session can be, strongest first: where stretches lie side by side, the time is that of the first of them.
 * `unknown` follows an entry without an end (or with one before its start) until the next thing that is known; `idle` is the rest.
 */
export const ACTIVITIES = [
  'permission',
  'compaction',
  'gate',
  'tool',
  'subagent',
  'model',
  'person',
  'unknown',
  'idle',
] as const;
export type Activity = (typeof ACTIVITIES)[number];
