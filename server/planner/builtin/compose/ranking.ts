import { measureById } from '../../../metrics/measures.ts';
import { inValues } from '../filters.ts';
import { groupMeasure } from '../group-measure.ts';
import { groupingOf } from '../intent.ts';
import { button, figure, type PlanBuilder } from '../plan-builder.ts';
import { inCategory, QUESTIONS } from '../questions.ts';
import {
  capital,
  columnFor,
  columnsWith,
  labelOf,
  ofFeature,
  ofGroup,
  rankingTitle,
  singleLabel,
  typicalOf,
} from '../wording.ts';
import { type Compose, type Context, isTold, start, type Teller, tellerOf } from './context.ts';

/** Features, or groups of them, in the order of one measure. */
export const composeRanking: Compose = (context) => {
  const { reading } = context;
  const by = groupingOf(reading);
  if (by !== null) return rankGroups(context, by);
  const first = base(reading.measures[0] ?? 'build_time');
  if (first === 'finding' || first === 'commit') return rankGroups(context, 'feature');
  if (reading.cues.has('struggle')) return struggle(context);
  return rankFeatures(context);
};

/** Why a ranking of features leads as it does: its first place, and what is usual. */
function lead(plan: PlanBuilder, measure: string, direction: 'high' | 'low', by: string): void {
  const kind = direction === 'high' ? 'top' : 'bottom';
  plan.fact('lead', { measure, kind: `${kind}_label`, by });
  plan.fact('lead_value', { measure, kind: `${kind}_value`, by });
}

function rankFeatures(context: Context): PlanBuilder {
  const { reading, profile } = context;
  const measure =
    reading.measures.map(ofFeature).find((id) => id !== null && base(id) === 'feature') ?? 'build_time';
  const order = reading.direction === 'high' ? 'largest' : 'smallest';
  const plan = start(context);
  const typical = typicalOf(measure);
  lead(plan, measure, reading.direction, 'feature');
  plan.fact('usual', { measure: typical ?? measure });
  const far = farthest(measure, reading.direction);
  if (reading.judged !== null) plan.explain(readAs(reading.judged, measure, far));
  plan.explain(`The ${far} ${singleLabel(measure)} is {lead_value}: {lead}.`);
  plan.explain(
    typical === null
      ? `Over all features in question the ${labelOf(measure)} ${measure === 'mean_score' ? 'is' : 'come to'} {usual}.`
      : `The ${labelOf(typical)} is {usual}.`,
  );
  const claim = tellerOf(profile, measure, 'claimed');
  const accepted = profile.statuses.length > 1 && profile.statuses.includes('accepted');
  // Most features have the same few attempts: as many equal bars would say nothing.
  if (measure === 'attempts')
    plan.chart({
      title: 'Features by number of attempts',
      of: ['features'],
      by: 'attempts',
      actions: [button('By category', byCategory(measure))],
    });
  else
    plan.chart({
      title: rankingTitle(measure, reading.direction),
      of: [measure],
      by: 'feature',
      order,
      size: reading.size,
      actions: [button('By category', byCategory(measure))],
    });
  if (reading.amount !== null && measure !== 'attempts')
    plan.explain(
      'A card shows a few, some or all features: the nearest size to the number asked for is shown.',
    );
  plan.stat(`${capital(singleLabel(measure))} in figures`, [
    figure(capital(far), 'lead_value', {
      ...(typical === null ? {} : { compare_to: 'usual' }),
      caption: '{lead}',
    }),
    figure(capital(labelOf(typical ?? measure)), 'usual'),
  ]);
  if ((measure === 'attempts' || measure === 'mean_score') && claim !== null)
    claims(plan, measure, claim, order);
  plan.table('feature_table', {
    // What is only claimed does not count in the chart above and would lead this table.
    title: accepted ? 'Accepted features with their other facts' : 'The features with their other facts',
    where: accepted ? [inValues('status', ['accepted'])] : [],
    columns: columnsWith(columnFor(measure)),
    order_by: columnFor(measure),
    order,
    size: reading.size,
  });
  return plan.ask(...others(measure), QUESTIONS.timeTrend);
}

/** What one source claims beside what is counted. */
function claims(
  plan: PlanBuilder,
  measure: string,
  { kind: source, label }: Teller,
  order: 'largest' | 'smallest',
): void {
  const check = plan.agree('sources_agree', measure);
  plan.fact('claimed_lead', {
    measure,
    source,
    kind: order === 'largest' ? 'top_label' : 'bottom_label',
    by: 'feature',
  });
  plan.fact('claimed_value', {
    measure,
    source,
    kind: order === 'largest' ? 'top_value' : 'bottom_value',
    by: 'feature',
  });
  plan.explain(`The sources disagree: in ${label} it is {claimed_lead}, with {claimed_value}.`, [
    check,
    'false',
  ]);
  plan.chart({
    title: `${capital(singleLabel(measure))} as ${label} tells it`,
    of: [{ measure, source }],
    by: 'feature',
    order,
    size: 'some',
    actions: [button('Disputed features', QUESTIONS.disputed)],
  });
}

function rankGroups(context: Context, by: string): PlanBuilder {
  const { reading } = context;
  const asked = reading.measures.length > 0 ? reading.measures : ['build_time'];
  const measure = groupMeasure(asked, by);
  const plan = start(context);
  const direction = reading.direction;
  const label = labelOf(measure);
  lead(plan, measure, direction, by);
  if (reading.judged !== null)
    plan.explain(readAs(reading.judged, measure, direction === 'high' ? 'highest' : 'lowest'));
  const far = direction === 'high' ? 'bottom' : 'top';
  plan.fact('last', { measure, kind: `${far}_label`, by });
  plan.fact('last_value', { measure, kind: `${far}_value`, by });
  plan.fact('whole', { measure });
  plan.explain(`By ${label}, {lead} stands at {lead_value}, and {last} at the other end at {last_value}.`);
  plan.chart({
    title: `${capital(label)} by ${by.replaceAll('_', ' ')}`,
    of: [measure],
    by,
    order: direction === 'high' ? 'largest' : 'smallest',
    actions: [button('Single features', rankQuestion(measure, direction))],
  });
  // A group is a part of a sum, not something to set against it.
  const against = measureById(measure)?.additive ? {} : { compare_to: 'whole' };
  plan.stat(`${capital(label)}, from end to end`, [
    figure(direction === 'high' ? 'Highest' : 'Lowest', 'lead_value', {
      caption: '{lead}',
      ...against,
    }),
    figure(direction === 'high' ? 'Lowest' : 'Highest', 'last_value', {
      caption: '{last}',
      ...against,
    }),
    figure('All together', 'whole'),
  ]);
  if (base(measure) === 'feature' && by === 'category') {
    const asked = reading.measures
      .slice(1)
      .map(besideOf)
      .find((id) => id !== measure && base(id) === 'feature');
    const beside = asked ?? (measure === 'median_build_time' ? 'features' : 'median_build_time');
    if (isTold(context.profile, beside))
      plan.chart({ title: `${capital(labelOf(beside))} by category, beside it`, of: [beside], by });
  }
  const category = context.profile.categories[0];
  return plan.ask(...others(measure), ...(category === undefined ? [] : [inCategory(category)]));
}

function struggle(context: Context): PlanBuilder {
  const plan = start(context);
  lead(plan, 'build_time', 'high', 'feature');
  plan.fact('usual', { measure: 'median_build_time' });
  plan.fact('lowest', { measure: 'mean_score', kind: 'bottom_label', by: 'feature' });
  plan.fact('lowest_value', { measure: 'mean_score', kind: 'bottom_value', by: 'feature' });
  plan.fact('skipped', { measure: 'skipped_features' });
  plan.explain('By time, {lead} stands out: {lead_value} against a median of {usual}.');
  plan.explain('By score it is {lowest}, with {lowest_value}. The run skipped {skipped}.');
  plan.chart({
    title: 'Slowest features, by build time',
    of: ['build_time'],
    by: 'feature',
    order: 'largest',
    size: 'some',
    actions: [button('Over the run', QUESTIONS.timeTrend)],
  });
  plan.chart({ title: 'Lowest scores', of: ['mean_score'], by: 'feature', order: 'smallest', size: 'some' });
  plan.stat('Where it struggled, in figures', [
    figure('Longest build', 'lead_value', { caption: '{lead}', compare_to: 'usual' }),
    figure('Lowest score', 'lowest_value', { caption: '{lowest}' }),
    figure('Skipped', 'skipped'),
  ]);
  plan.table('finding_table', {
    title: 'What the audit found',
    columns: ['finding', 'feature', 'source'],
    size: 'some',
  });
  return plan.ask(QUESTIONS.mostAttempts, QUESTIONS.skipped, QUESTIONS.slowestCategory);
}

/** How a word that judges was taken, so that nobody has to guess it. */
const readAs = (judged: string, measure: string, far: string): string =>
  `"${capital(judged)}" is read as the ${far} ${singleLabel(measure)}.`;

/** The end of a ranking, in the words of its measure. */
function farthest(measure: string, direction: 'high' | 'low'): string {
  if (measure === 'build_time') return direction === 'high' ? 'longest' : 'shortest';
  return direction === 'high' ? 'highest' : 'lowest';
}

/** A sum of attempts would only find the biggest group. */
const besideOf = (measure: string): string =>
  measure === 'attempts' ? 'attempts_per_feature' : ofGroup(measure);

const base = (measure: string): string | undefined => measureById(measure)?.base;

/** The question that asks for a measure by category. */
export function byCategory(measure: string): string {
  if (measure === 'mean_score') return QUESTIONS.scoreByCategory;
  if (measure === 'build_time') return QUESTIONS.timeByCategory;
  return `What are the ${labelOf(measure)} by category?`;
}

const rankQuestion = (measure: string, direction: 'high' | 'low'): string => {
  if (measure === 'mean_score')
    return direction === 'high' ? 'Which features have the highest score?' : QUESTIONS.lowestScores;
  if (measure.endsWith('build_time')) return direction === 'high' ? QUESTIONS.slowest : QUESTIONS.fastest;
  if (ofFeature(measure) === null || base(measure) !== 'feature') return QUESTIONS.table;
  return `Which features have the ${direction === 'high' ? 'most' : 'fewest'} ${labelOf(measure)}?`;
};

/** Rankings worth asking next. */
function others(measure: string): string[] {
  const all = [QUESTIONS.slowest, QUESTIONS.lowestScores, QUESTIONS.mostLines, QUESTIONS.mostAttempts];
  const own = rankQuestion(measure, 'high');
  return all.filter((question) => question !== own).slice(0, 2);
}
