import type { LogCard, LogEntry } from '../../../../shared/cards.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { ATTRIBUTION_IDS, VERDICT_IDS } from '../../../../shared/outcomes.ts';
import { count, fields, isRecord, list, number, oneOf } from '../../lib/unknown.ts';
import { base, cite, clip, short, words } from '../read.ts';
import { level, moment } from '../timeline/read.ts';

const KINDS = 12;

function outcome(value: unknown): LogEntry['outcome'] {
  if (!isRecord(value)) return null;
  const verdict = VERDICT_IDS.find((id) => id === value.verdict);
  if (verdict === undefined) return null;
  return {
    verdict,
    attribution: oneOf(value.attribution, ATTRIBUTION_IDS, 'unknown'),
    why: words(value.why, LIMITS.cellText),
  };
}

function entry(value: unknown): LogEntry | null {
  if (!isRecord(value)) return null;
  const feature = fields(value.feature);
  const id = words(feature.id, LIMITS.label);
  const last = number(value.lastLine);
  return {
    id: short(value.id),
    atMs: moment(value.atMs),
    kind: words(value.kind, LIMITS.label) ?? 'entry',
    level: level(value.level),
    feature: id === null ? null : { id, title: short(feature.title) },
    text: clip(value.text, LIMITS.entryText),
    cut: value.cut === true,
    lastLine: last === null ? null : Math.max(1, Math.trunc(last)),
    cite: cite(value.cite),
    open: words(value.open, LIMITS.label),
    outcome: outcome(value.outcome),
    openStart: value.openStart === true,
    anchor: value.anchor === true,
  };
}

/** Reads entries of a log from anything. */
export function readLog(value: unknown): LogCard {
  const from = fields(value);
  const entries = list(from.entries, entry, LIMITS.logLines);
  return {
    ...base(value),
    type: 'log',
    zone: short(from.zone),
    entries,
    total: Math.max(count(from.total), entries.length),
    before: count(from.before),
    kinds: list(
      from.kinds,
      (item) => {
        const of = fields(item);
        const kind = words(of.kind, LIMITS.label);
        return kind === null ? null : { kind, count: count(of.count) };
      },
      KINDS,
    ),
  };
}
