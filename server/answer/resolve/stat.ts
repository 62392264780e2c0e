import type { CardData, Cite, Figure, Inline, StatCard, StatFigure } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { StatBlock } from '../../../shared/plan.ts';
import { checkQuery } from '../../metrics/fit.ts';
import { BASES } from '../../metrics/measures.ts';
import { onlyFeature, type Query, single } from '../../metrics/query.ts';
import { compileRows } from '../../metrics/rows.ts';
import { codeCard } from '../code-card.ts';
import { type FactResult, featureIn } from '../facts.ts';
import { plainText } from '../placeholders.ts';
import { renderCaption } from '../prose.ts';
import { baseOf, proseContext, shown } from './base.ts';
import { citeOf, type ResolveContext, readingProblems } from './context.ts';
import { emptyOf } from './empty.ts';
import { judge, missing, weaker } from './figure.ts';
import { countedTold, isStoryFact } from './story.ts';

const text = (value: string): Inline => ({ kind: 'text', text: value });
const perCent = (share: number): string => `${Math.round(share * 100)} %`;

/** What a figure is set against, after the quotient: "the median", "feature 1", or as the card itself calls it. */
function against(other: FactResult, block: StatBlock, context: ResolveContext): string {
  const aggregate = other.measure?.aggregate;
  const whole = other.fact.scope === 'run' && other.fact.where.length === 0;
  if (whole && (aggregate === 'median' || aggregate === 'mean')) return `the ${aggregate}`;
  const named = block.figures.find(({ fact }) => fact === other.name)?.label;
  if (named !== undefined) return plainText(named, proseContext(context), LIMITS.label);
  const feature = featureIn(other.fact.where);
  if (feature !== null) return `feature ${feature}`;
  return other.label ?? `the ${other.measure?.label ?? 'other'}`;
}

function compare(
  result: FactResult,
  other: FactResult | undefined,
  block: StatBlock,
  context: ResolveContext,
): StatFigure['compare'] {
  const a = result.figure;
  const b = other?.figure;
  if (!other || !b || a.value === null || !b.value || a.unit !== b.unit) return null;
  const evidence =
    result.descriptor && other.descriptor
      ? context.register({ kind: 'quotient', over: result.descriptor, under: other.descriptor })
      : null;
  const figure: Figure = {
    value: a.value / b.value,
    unit: 'times',
    basis: weaker(a.basis, b.basis),
    evidence,
    disputed: a.disputed || b.disputed,
    n: null,
    missing: null,
  };
  return { figure, label: against(other, block, context) };
}

/** "claude-progress.txt:71": where a single counted value stands. */
async function placeOf(result: FactResult, context: ResolveContext): Promise<Inline[]> {
  const descriptor = result.descriptor;
  if (descriptor?.kind !== 'query' || result.measure?.fact == null) return [];
  const told = await countedPlace(descriptor.query, result.measure.fact, context);
  if (told !== null) return placed(told);
  const compiled = compileRows(
    checkQuery({ ...descriptor.query, limit: null }),
    0,
    descriptor.key,
    1,
    context.queries.context,
  );
  const [row] = await context.queries.rows(compiled.sql, compiled.params, 1);
  if (!row) return [];
  return placed(citeOf(row));
}

const placed = ({ label, line }: Pick<Cite, 'label' | 'line'>): Inline[] =>
  label === '' ? [] : [{ kind: 'text', text: line === null ? label : `${label}:${line}`, code: true }];

/**
 * Where the counted word on one feature stands, out of what all sources tell about it: one statement for all its figures,
 * and most answers about a feature have it already. Null for every other query.
 */
async function countedPlace(query: Query, fact: string, context: ResolveContext): Promise<Cite | null> {
  const [ref] = query.measures;
  const feature = featureIn(query.where);
  const whole = query.by === null && query.where.length === 1 && ref?.source === 'counted';
  if (!whole || feature === null || !isStoryFact(fact)) return null;
  const told = await countedTold(feature, fact, context);
  return told?.cite ?? null;
}

/** How many rows stand behind a figure, its interval, and what was left out: said by the server, always. */
function counted(result: FactResult): string | null {
  const { figure, measure, coverage, interval } = result;
  if (!measure || figure.value === null) return null;
  // "≥ $12.40" says why: "13 of 76 requests unpriced".
  if (figure.atLeast !== undefined) return figure.atLeast;
  const noun = BASES[measure.base].many;
  if (interval)
    return `n = ${figure.n ?? 0} ${noun}, 95 % interval ${perCent(interval.low)} to ${perCent(interval.high)}`;
  if (measure.aggregate === 'count')
    return coverage && measure.filter !== 'all' && coverage.of > figure.value
      ? `of ${coverage.of} ${noun}`
      : null;
  if ((figure.n ?? 0) < 2) return null;
  const left =
    coverage && coverage.claimedOnly > 0 ? `; ${coverage.claimedOnly} only claimed and left out` : '';
  return `n = ${figure.n} ${noun}${left}`;
}

/** How many of counted findings are problems with reading, where some are. */
async function problemsIn(result: FactResult, context: ResolveContext): Promise<string | null> {
  const { descriptor, measure } = result;
  if (measure?.base !== 'finding' || descriptor?.kind !== 'query' || descriptor.query.by !== null)
    return null;
  const query = { ...descriptor.query, where: [...descriptor.query.where, readingProblems()] };
  const problems = (await context.queries.run(query)).groups[0]?.values[0]?.value ?? 0;
  return problems === 0
    ? null
    : `${problems} of them ${problems === 1 ? 'is a reading problem' : 'are reading problems'}`;
}

async function captionOf(
  given: string | null,
  result: FactResult,
  context: ResolveContext,
): Promise<Inline[]> {
  const own = counted(result) ?? (await problemsIn(result, context));
  if (given !== null && given.trim() !== '') {
    const caption = renderCaption(given, proseContext(context));
    return own === null || caption.length === 0 ? caption : [...caption, text(` (${own})`)];
  }
  const names = result.label === null ? [] : [text(result.label)];
  if (own !== null) return names.length > 0 ? [...names, text(`; ${own}`)] : [text(own)];
  if (result.figure.value === null) return names;
  const place = await placeOf(result, context);
  return names.length > 0 && place.length > 0 ? [...names, text(', '), ...place] : [...names, ...place];
}

async function stripOf(result: FactResult, context: ResolveContext): Promise<StatFigure['strip']> {
  const { figure, values, fact } = result;
  if (figure.value === null || values.length < 2) return null;
  const id = context.about.feature;
  let subject: { value: number; label: string } | null = null;
  if (id !== null) {
    const answer = await context.queries.run(single(fact.measure, 'counted', [onlyFeature(id)]));
    const value = answer.groups[0]?.values[0]?.value;
    if (value != null) subject = { value, label: id };
  }
  return { values: values.slice(0, LIMITS.points), at: figure.value, subject, unit: figure.unit };
}

async function statFigure(
  spec: StatBlock['figures'][number],
  block: StatBlock,
  context: ResolveContext,
): Promise<StatFigure> {
  const result = context.facts.get(spec.fact);
  const label = plainText(spec.label, proseContext(context), LIMITS.label);
  if (!result)
    return {
      label,
      figure: missing('none', 'not recorded'),
      compare: null,
      caption: [],
      strip: null,
    };
  const other = spec.compare_to === null ? undefined : context.facts.get(spec.compare_to);
  const [caption, strip] = await Promise.all([
    captionOf(spec.caption, result, context),
    stripOf(result, context),
  ]);
  return { label, figure: result.figure, compare: compare(result, other, block, context), caption, strip };
}

/** Rows a total leaves out make the total incomplete; a median or a rate says its n instead. */
function wholeOf(results: readonly FactResult[]): { have: number; of: number; why: string } | null {
  for (const { measure, coverage, fact, figure } of results)
    if (
      fact.kind === 'value' &&
      measure?.aggregate === 'sum' &&
      coverage &&
      figure.value !== null &&
      coverage.have < coverage.of
    )
      return {
        ...coverage,
        why: `${coverage.have} of ${coverage.of} have a ${measure.label}; the total leaves the others out.`,
      };
  return null;
}

/** One to four figures, each perhaps set against another. */
export async function resolveStat(block: StatBlock, id: string, context: ResolveContext): Promise<CardData> {
  const specs = block.figures.slice(0, LIMITS.statFigures);
  if (specs.length === 0) return codeCard(id, 'block_invalid', null);
  const results = specs.flatMap(({ fact }) => context.facts.get(fact) ?? []);
  const first = results[0];
  if (results.every(({ figure }) => figure.value === null)) {
    const about = { id, title: block.title, actions: block.actions };
    if (!first?.measure) return codeCard(id, 'block_unbound', plainText(block.title, proseContext(context)));
    return emptyOf(context, about, first.measure, first.fact.source);
  }
  const figures = await Promise.all(specs.map((spec) => statFigure(spec, block, context)));
  const shownFigures = figures.map(({ figure }) => figure);
  const all = figures.flatMap(({ figure, compare: other }) => (other ? [figure, other.figure] : [figure]));
  const card: StatCard = {
    ...baseOf(context, {
      id,
      title: block.title,
      actions: block.actions,
      evidence: all.map(({ evidence }) => evidence),
      trimmed: shown(specs.length, block.figures.length, 'figures'),
      ...judge(shownFigures, shownFigures, wholeOf(results)),
    }),
    type: 'stat',
    figures,
  };
  return card;
}
