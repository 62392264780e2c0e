import type { TimelineCard, TimelineLane, TimelineMark } from '../../../../shared/cards.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { ATTRIBUTION_IDS, VERDICT_IDS } from '../../../../shared/outcomes.ts';
import { count, fields, isRecord, list, number, oneOf } from '../../lib/unknown.ts';
import { base, cite, figure, short, words } from '../read.ts';

const KINDS = ['builds', 'attempts', 'gates', 'entries'] as const;
const LEVELS = ['info', 'warning', 'error'] as const;
/** Moments a calendar has. */
const MOST_MS = 8.64e15;

export const moment = (value: unknown): number | null => {
  const ms = number(value);
  return ms === null || Math.abs(ms) > MOST_MS ? null : ms;
};

export const level = (value: unknown): TimelineMark['level'] =>
  LEVELS.find((candidate) => candidate === value) ?? null;

function attempt(value: unknown): TimelineMark['attempt'] {
  if (!isRecord(value)) return null;
  const n = number(value.n);
  return n === null ? null : { n: Math.trunc(n), of: number(value.of) };
}

function mark(value: unknown): TimelineMark | null {
  if (!isRecord(value)) return null;
  const startMs = moment(value.startMs);
  const endMs = moment(value.endMs);
  return {
    id: short(value.id),
    what: words(value.what, LIMITS.label) ?? 'event',
    // What ends before it began has one end too many; the end is what was written last.
    startMs: startMs !== null && endMs !== null && endMs < startMs ? null : startMs,
    endMs,
    open: value.open === true,
    verdict: VERDICT_IDS.find((id) => id === value.verdict) ?? null,
    attribution: oneOf(value.attribution, ATTRIBUTION_IDS, 'unknown'),
    why: words(value.why, LIMITS.cellText),
    level: level(value.level),
    text: words(value.text, LIMITS.cellText),
    attempt: attempt(value.attempt),
    duration: figure(value.duration),
    evidence: words(value.evidence, LIMITS.label),
    disputed: value.disputed === true,
    cite: cite(value.cite),
  };
}

function lane(value: unknown): TimelineLane | null {
  if (!isRecord(value)) return null;
  return {
    id: words(value.id, LIMITS.label),
    title: short(value.title),
    status: words(value.status, LIMITS.label),
    marks: list(value.marks, mark, LIMITS.marks),
  };
}

/** Reads a timeline from anything. */
export function readTimeline(value: unknown): TimelineCard {
  const from = fields(value);
  return {
    ...base(value),
    type: 'timeline',
    of: oneOf(from.of, KINDS, 'entries'),
    zone: short(from.zone),
    zoneUnsure: from.zoneUnsure === true,
    lanes: list(from.lanes, lane, LIMITS.lanes),
    total: count(from.total),
    untimed: count(from.untimed),
  };
}
