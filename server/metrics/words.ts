import type { Where } from '../../shared/plan.ts';
import { type Dimension, dimensionById } from './dimensions.ts';
import type { CheckedQuery } from './fit.ts';
import { measureOf } from './fit.ts';
import { groupLabel } from './labels.ts';
import { isOfSessions, type Measure } from './measures.ts';
import type { QueryContext } from './query.ts';
import { dayAndClock } from './time.ts';

/** "a", "a and b", "a, b and c" */
export function list(items: readonly string[], joiner = 'and'): string {
  const last = items.at(-1);
  if (last === undefined) return '';
  const rest = items.slice(0, -1);
  return rest.length === 0 ? last : `${rest.join(', ')} ${joiner} ${last}`;
}

/** "the run of 28 March, 12:48", or "the current run" when its start is not known. */
export const runWords = (context: Pick<QueryContext, 'zone' | 'startedAtMs'>): string =>
  context.startedAtMs === null
    ? 'the current run'
    : `the run of ${dayAndClock(context.startedAtMs, context.zone)}`;

const EXTREMES: Readonly<Record<string, readonly [most: string, least: string]>> = {
  s: ['slowest', 'fastest'],
  points: ['highest', 'lowest'],
  ratio: ['highest', 'lowest'],
  none: ['largest', 'smallest'],
};
const orderWords = (measure: Measure, order: CheckedQuery['order']): string | null => {
  if (order === 'natural') return null;
  const [most, least] = EXTREMES[measure.unit] ?? ['most', 'fewest'];
  return `${order === 'largest' ? most : least} first`;
};

const sourceWords = (source: string, context: QueryContext): string | null =>
  source === 'counted'
    ? null
    : source === 'each'
      ? 'as each source says it'
      : `as ${context.sources.find(({ kind }) => kind === source)?.label ?? source} says it`;

/** Units of dimensions whose numbers have one. */
const UNITS: Readonly<Record<string, string>> = { build_time: ' s', lines_added: ' lines' };

/** The whole number a bound lies a hundredth past, or null: bounds are inclusive, and so is "over 200" written. */
function justPast(bound: string, by: 0.01 | -0.01): string | null {
  const whole = Math.round(Number(bound));
  return Number.isFinite(whole) && !/^[+-]?\d+$/.test(bound) && Math.abs(Number(bound) - whole - by) < 1e-9
    ? String(whole)
    : null;
}

function rangeWords(
  label: string,
  { from, to }: Extract<Where, { type: 'range' }>,
  dimension: Dimension | undefined,
): string {
  const time = dimension?.kind === 'time';
  const unit = UNITS[dimension?.id ?? ''] ?? '';
  if (from !== null && to !== null) return `${label} ${from} to ${to}${unit}`;
  if (from !== null) {
    const over = time ? null : justPast(from, 0.01);
    if (over !== null) return `${label} over ${over}${unit}`;
    return time ? `${label} from ${from} on` : `${label} of ${from}${unit} or more`;
  }
  if (to === null) return `any ${label}`;
  const under = time ? null : justPast(to, -0.01);
  if (under !== null) return `${label} under ${under}${unit}`;
  return time ? `${label} up to ${to}` : `${label} of ${to}${unit} or less`;
}

function whereWords(where: Where, context: QueryContext): string {
  const dimension = dimensionById(where.dim);
  const label = dimension?.label ?? where.dim;
  if (where.type === 'range') return rangeWords(label, where, dimension);
  const values = where.any_of.map((value) =>
    dimension && dimension.id !== 'feature' ? groupLabel(dimension, value, null, context) : value,
  );
  if (where.dim === 'feature')
    return where.not
      ? `without feature ${list(values, 'or')}`
      : `feature${values.length > 1 ? 's' : ''} ${list(values)}`;
  return `${label} ${where.not ? 'not ' : ''}${list(values, 'or')}`;
}

/**
 * A query in words, as people read it in the drawer: "The sum of build seconds by feature, in the run of 28 March,
 * 12:48, slowest first."
 * @param at which of its measures
 * @param group the group it was opened at, in words, or null for all of it
 */
export function queryWords(
  query: CheckedQuery,
  at: number,
  context: QueryContext,
  group: string | null = null,
): string {
  const ref = query.measures[at] ?? query.measures[0];
  if (!ref) return '';
  const measure = measureOf(ref.measure);
  const dims = [query.by, query.split].flatMap((id) => (id === null ? [] : (dimensionById(id)?.label ?? [])));
  const anyRun = [query.by, query.split, ...query.where.map(({ dim }) => dim)].some(
    (id) => id === 'run' || id === 'phase',
  );
  const namesRun = query.where.some(({ dim }) => dim === 'run');
  // One feature has one value: what is summed over many is then simply its build time.
  const alone =
    query.where.find(
      (where) => where.dim === 'feature' && where.type === 'in' && !where.not && where.any_of.length === 1,
    ) !== undefined && dims.length === 0;
  const what = alone && measure.fact !== null ? measure.label : measure.meaning;
  const filters = query.where.map((where) => whereWords(where, context));
  const own = alone ? filters.filter((entry) => entry.startsWith('feature ')) : [];
  const others = filters.filter((entry) => !own.includes(entry));
  const parts = [
    `The ${what}${own.length > 0 ? ` of ${own.join(', ')}` : ''}${dims.length > 0 ? ` by ${list(dims)}` : ''}`,
    sourceWords(ref.source, context),
    others.length > 0 ? `where ${list(others)}` : null,
    measure.base === 'own_answer'
      ? 'of all answers that are kept'
      : isOfSessions(measure.base)
        ? namesRun
          ? null
          : 'over all sessions of the project'
        : anyRun
          ? 'over all runs'
          : `in ${runWords(context)}`,
    group === null ? null : `at ${group}`,
    dims.length > 0 ? orderWords(measureOf(query.measures[0]?.measure ?? ref.measure), query.order) : null,
  ].filter((part) => part !== null);
  return `${parts.join(', ')}.`;
}

const ROW_WORDS: Readonly<Partial<Record<Measure['base'], string>>> = {
  gate_event:
    'Every run of a gate that came to an outcome is one row. Whose doing a failure was needs positive evidence.',
  requirement:
    'Every requirement is one row. Its latest evidence that is not void decides its state; proof older than the last commit of its feature is stale.',
  attempt: 'Every attempt is one row, as the strongest source that lists attempts one by one gives them.',
  log_event: 'Every entry of a log is one row, however many lines it has.',
  test_result: 'Every result of a test report is one row.',
  request:
    'Every model request is one row, counted once however many files and channels tell of it, each at its own price. A request without a price is left out and said to be; it is never taken as free.',
  session: 'Every session is one row, a subagent by itself.',
  tool_call: 'Every tool call is one row, with its result.',
  session_time:
    'Each second of a session belongs to one thing: waiting for permission before compacting, gates, tools, subagents, the model and waiting for a person; what nothing covers is idle, and what follows an entry without an end is unknown until the next entry.',
};

/** How the rows behind a query were chosen, in a sentence. */
export function ruleWords(measure: Measure, source: string): string {
  if (measure.base === 'commit') return 'Every commit of the git log is one row.';
  if (measure.base === 'finding') return 'Every audit finding is one row; a rule over the record made it.';
  const own = ROW_WORDS[measure.base];
  if (own !== undefined) return own;
  if (measure.fact === null)
    return 'Every feature of the list is one row, with the status its strongest source gives.';
  if (source === 'each') return 'Every source stands for itself; none is preferred.';
  if (source !== 'counted') return 'Only what this one source says is read.';
  return 'Every source that gives one is read, the strongest basis is counted, and the others are kept beside it.';
}
