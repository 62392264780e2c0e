import { capital } from '../../shared/capital.ts';
import type { Figure, Unit } from '../../shared/cards.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { About, Fact, Where } from '../../shared/plan.ts';
import { measureOf, QueryRefused } from '../metrics/fit.ts';
import { BASES, type Measure } from '../metrics/measures.ts';
import { type Query, single } from '../metrics/query.ts';
import type { Coverage, Group, GroupValue, QueryAnswer } from '../metrics/run.ts';
import { wilson } from '../metrics/wilson.ts';
import { list } from '../metrics/words.ts';
import type { Queries } from './resolve/context.ts';
import { whereOf } from './resolve/context.ts';
import type { Descriptor } from './resolve/descriptor.ts';
import { figureOf, inDoubt, missing, weaker } from './resolve/figure.ts';
import type { ResolvedFact } from './types.ts';

/** A fact with what cards need besides its figure. */
export interface FactResult extends ResolvedFact {
  fact: Fact;
  measure: Measure | null;
  /** What it is, in words that begin a sentence: "Build time of feature 28". */
  words: string;
  /** Labels of the extreme groups, all of a tie. */
  labels: string[];
  descriptor: Descriptor | null;
  coverage: Coverage | null;
  interval: GroupValue['interval'];
}

/** Most labels of a tie that are written out. */
const TIES = 2;

/** The one feature a set of filters leaves, or null. */
export function featureIn(where: readonly Where[]): string | null {
  for (const entry of where)
    if (entry.type === 'in' && entry.dim === 'feature' && !entry.not && entry.any_of.length === 1)
      return entry.any_of[0] ?? null;
  return null;
}

function factWords(fact: Fact, measure: Measure, where: readonly Where[], queries: Queries): string {
  const feature = featureIn(where);
  const source = queries.context.sources.find(({ kind }) => kind === fact.source)?.label;
  return capital(
    `${measure.label}${feature === null ? '' : ` of feature ${feature}`}${source === undefined ? '' : ` in ${source}`}`,
  );
}

/** Why a source has no figure, in the words of a page. */
export function absence(source: string, queries: Pick<Queries, 'context'>): string {
  if (source === 'git') return 'not in a commit';
  const label = queries.context.sources.find(({ kind }) => kind === source)?.label;
  return label === undefined ? 'not recorded' : `not in ${label}`;
}

/** Groups with the first group's value, in order, leaving out those without a name or value. */
function extremes(groups: readonly Group[]): Group[] {
  const named = groups.filter((group) => group.key !== null && group.values[0]?.value != null);
  const first = named[0]?.values[0]?.value;
  return named.filter((group) => group.values[0]?.value === first);
}

const tieWords = (labels: readonly string[]): string =>
  labels.length <= TIES + 1
    ? list(labels)
    : `${labels.slice(0, TIES).join(', ')} and ${labels.length - TIES} more`;

/** Values an aggregate was taken over, one a feature. Empty for what is no aggregate over features. */
async function valuesBehind(queries: Queries, query: Query, measure: Measure, n: number): Promise<number[]> {
  const spread = ['median', 'mean', 'min', 'max'].includes(measure.aggregate);
  if (!spread || measure.base !== 'feature' || n < 2) return [];
  const answer = await queries.run({ ...query, by: 'feature', limit: LIMITS.points });
  return answer.groups.flatMap((group) => group.values[0]?.value ?? []);
}

type Found = Pick<
  FactResult,
  'figure' | 'label' | 'values' | 'labels' | 'descriptor' | 'coverage' | 'interval'
>;

async function find(fact: Fact, where: Where[], queries: Queries, register: Register): Promise<Found> {
  const measure = measureOf(fact.measure);
  const wantsSource = fact.by === 'source' && fact.kind !== 'value';
  const source = fact.source === 'each' && !wantsSource ? 'counted' : fact.source;
  const query = single(fact.measure, source, where);
  const why = absence(source, queries);
  const none = { label: null, labels: [], values: [], interval: null };
  const valueIn = (answer: QueryAnswer): GroupValue | undefined => answer.groups[0]?.values[0];

  switch (fact.kind) {
    case 'value': {
      const answer = await queries.run(query);
      const value = valueIn(answer);
      const descriptor: Descriptor = { kind: 'query', query, key: {} };
      const figure = value
        ? figureOf(measure, value, register(descriptor), why)
        : missing(measure.unit, why, register(descriptor));
      const values = await valuesBehind(queries, query, measure, value?.n ?? 0);
      return {
        ...none,
        figure,
        values,
        descriptor,
        coverage: answer.coverage[0] ?? null,
        interval: value?.interval ?? null,
      };
    }
    case 'count': {
      const answer = await queries.run(query);
      const value = valueIn(answer);
      const have = measure.fact === null ? (value?.value ?? 0) : (answer.coverage[0]?.have ?? 0);
      const descriptor: Descriptor = { kind: 'known', query };
      const figure: Figure = {
        value: have,
        unit: BASES[measure.base].unit,
        basis: have === 0 || !value ? 'derived' : value.basis,
        evidence: register(descriptor),
        disputed: false,
        n: null,
        missing: null,
      };
      return { ...none, figure, descriptor, coverage: answer.coverage[0] ?? null };
    }
    case 'share':
      return share(fact, measure, where, query, queries, register);
    default: {
      const by = fact.by;
      if (by === null)
        throw new QueryRefused('block_invalid', 'A highest or lowest needs a grouping.', 'feature');
      const top = fact.kind === 'top_label' || fact.kind === 'top_value';
      const grouped: Query = { ...query, by, order: top ? 'largest' : 'smallest' };
      const answer = await queries.run(grouped);
      const groups = extremes(answer.groups);
      const first = groups[0];
      const value = first?.values[0];
      const descriptor: Descriptor = {
        kind: 'query',
        query: grouped,
        key: first ? { by: first.key } : {},
      };
      const labels = groups.map((group) => group.label);
      const figure = value
        ? figureOf(measure, value, register(descriptor), why)
        : missing(measure.unit, why, register(descriptor));
      const named = fact.kind === 'top_label' || fact.kind === 'bottom_label';
      return {
        ...none,
        figure,
        label: named && labels.length > 0 ? tieWords(labels) : null,
        labels,
        descriptor,
        coverage: value ? { have: value.n, of: value.of, claimedOnly: value.claimedOnly } : null,
      };
    }
  }
}

/** The part `where` selects out of the scope, as a quotient of the same additive measure. */
async function share(
  fact: Fact,
  measure: Measure,
  where: Where[],
  part: Query,
  queries: Queries,
  register: Register,
): Promise<Found> {
  if (!measure.additive)
    throw new QueryRefused('block_incompatible', `"${measure.label}" has no shares.`, 'features');
  const own = new Set(fact.where.map((entry) => JSON.stringify(entry)));
  const whole: Query = { ...part, where: where.filter((entry) => !own.has(JSON.stringify(entry))) };
  const [inside, all] = await Promise.all([queries.run(part), queries.run(whole)]);
  const a = inside.groups[0]?.values[0];
  const b = all.groups[0]?.values[0];
  const descriptor: Descriptor = { kind: 'share', part, whole };
  const evidence = register(descriptor);
  const counts = measure.aggregate === 'count';
  const none = { label: null, labels: [], values: [], descriptor, coverage: all.coverage[0] ?? null };
  if (a?.value == null || !b?.value)
    return { ...none, figure: missing('ratio', 'not recorded', evidence), interval: null };
  return {
    ...none,
    figure: {
      value: a.value / b.value,
      unit: 'ratio',
      basis: weaker(a.basis, b.basis),
      evidence,
      disputed: inDoubt(measure, a) || inDoubt(measure, b),
      n: counts ? b.value : b.n,
      missing: null,
    },
    interval: counts ? wilson(a.value, b.value) : null,
  };
}

type Register = (descriptor: Descriptor) => string;

/**
 * Runs one fact.
 * @returns its figure; a fact whose names do not fit has a missing figure that says so
 * @throws QueryError when the store fails or runs out of time
 */
export async function resolveFact(
  fact: Fact,
  about: About,
  queries: Queries,
  register: Register,
): Promise<FactResult> {
  const where = whereOf(about, fact.scope, fact.where);
  const empty = { label: null, labels: [], values: [], descriptor: null, coverage: null, interval: null };
  try {
    const measure = measureOf(fact.measure);
    const words = factWords(fact, measure, where, queries);
    try {
      const found = await find(fact, where, queries, register);
      return { name: fact.name, fact, measure, words, ...found };
    } catch (error) {
      if (!(error instanceof QueryRefused)) throw error;
      const figure = missing(fact.kind === 'share' ? 'ratio' : measure.unit, 'not recorded that way');
      return { name: fact.name, fact, measure, words, ...empty, figure };
    }
  } catch (error) {
    if (!(error instanceof QueryRefused)) throw error;
    const figure = missing('none', 'no such measure');
    return { name: fact.name, fact, measure: null, words: 'This figure', ...empty, figure };
  }
}

const QUERY_FAILED = 'its query failed';

/** A fact whose query failed or ran out of time. */
export const failedFact = (fact: Fact): FactResult => ({
  name: fact.name,
  fact,
  measure: null,
  words: 'This figure',
  figure: missing('none', QUERY_FAILED),
  label: null,
  labels: [],
  values: [],
  descriptor: null,
  coverage: null,
  interval: null,
});

const PLURAL = new Set<Unit>([
  'attempts',
  'features',
  'lines',
  'files',
  'commits',
  'tokens',
  'findings',
  'requirements',
  'gates',
  'entries',
  'tests',
]);

/** The server's own sentence for a fact that is not there: "Build time of feature 3 is not recorded." */
export function absentSentence(result: FactResult | undefined): string {
  if (result?.figure.missing === QUERY_FAILED)
    return 'A figure of this answer could not be read: its query failed.';
  if (!result?.measure) return 'A figure of this answer is not recorded.';
  const verb = PLURAL.has(result.measure.unit) ? 'are' : 'is';
  if (result.figure.missing === 'only claimed') return `${result.words} ${verb} only claimed.`;
  return `${result.words} ${verb} not recorded.`;
}
