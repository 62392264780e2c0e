import { ATTRIBUTIONS, plainName, REQUIREMENT_STATES, VERDICTS } from '../../shared/outcomes.ts';
import type { Dimension } from './dimensions.ts';
import type { QueryContext } from './query.ts';
import { clockOf } from './time.ts';

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  disputed: { disputed: 'sources disagree', undisputed: 'sources agree' },
  commit_kind: { accept: 'accepting', skip: 'skipping', other: 'other' },
  rule: {
    sources_disagree: 'sources disagree',
    passed_then_retried: 'passed, then retried',
    totals_differ: 'totals differ',
    reading: 'reading problem',
  },
  verdict: VERDICTS,
  attribution: ATTRIBUTIONS,
  requirement_state: REQUIREMENT_STATES,
  start_outcome: { open: 'without outcome', closed: 'with outcome' },
  activity: {
    model: 'model',
    tool: 'tools',
    subagent: 'subagents',
    gate: 'gates and hooks',
    person: 'waiting for a person',
    permission: 'waiting for permission',
    compaction: 'compacting',
    unknown: 'unknown',
    idle: 'idle',
  },
  agent: { main: 'main loop', subagent: 'subagents' },
  link_method: {
    explicit: 'named by the source',
    ledger: 'by the ledger',
    commit: 'by a commit',
    prompt: 'by the prompt',
    time_window: 'by time',
  },
  phase: { before: 'before the run', during: 'during the run', after: 'after the run' },
};
/** Dimensions whose values are names made of words. */
const PLAIN = new Set([
  'call_status',
  'cost_source',
  'end_reason',
  'gate',
  'failure_family',
  'requirement_kind',
  'entry_kind',
  'test_status',
]);
/** "2026-03-29" as "29 Mar 2026", "2026-03" as "Mar 2026", "14" as "14:00"; other texts as they are. */
function calendarText(id: string, key: string): string | null {
  const date = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(key);
  if (id === 'hour') return `${key}:00`;
  if ((id !== 'day' && id !== 'month') || date === null) return null;
  const month = MONTHS[Number(date[2]) - 1] ?? date[2];
  return [date[3] === undefined ? null : String(Number(date[3])), month, date[1]]
    .filter((part) => part !== null)
    .join(' ');
}
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const NOTHING: Readonly<Record<string, string>> = {
  feature: 'no feature',
  category: 'no category',
  run: 'no run',
  model: 'no model named',
  session: 'no session',
  branch: 'no branch',
  commit: 'no commit',
  attempt: 'no attempt',
  link_method: 'tied to nothing',
  tool: 'no tool named',
  error: 'no error text',
};

/** What people read for one value of a dimension; a missing one is said to be missing. */
export function groupLabel(
  dimension: Dimension,
  key: string | number | null,
  label: string | null,
  context: QueryContext,
): string {
  if (key === null && dimension.id === 'hook') return 'not a hook';
  if (key === null) return NOTHING[dimension.id] ?? 'not recorded';
  const told = label === null || label === '' ? null : label;
  if (dimension.kind === 'category' && told !== null) return told;
  if (dimension.kind !== 'category') {
    const value =
      dimension.kind === 'time' && typeof key === 'number' ? clockOf(key, context.zone) : String(key);
    return told === null ? value : `${value} · ${told}`;
  }
  if (dimension.id === 'source')
    return context.sources.find((source) => source.kind === key)?.label ?? String(key);
  if (PLAIN.has(dimension.id)) return plainName(String(key));
  const calendar = calendarText(dimension.id, String(key));
  if (calendar !== null) return calendar;
  const words = WORDS[dimension.id];
  return words && Object.hasOwn(words, key) ? (words[key] ?? String(key)) : String(key);
}
