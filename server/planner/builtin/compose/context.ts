import type { Where } from '../../../../shared/plan.ts';
import type { EvidenceItem, PlannerRequest } from '../../../answer/types.ts';
import type { RecordProfile, SourceKind } from '../../../record/store.ts';
import { inValues } from '../filters.ts';
import { PlanBuilder, plainTitle } from '../plan-builder.ts';
import type { Reading } from '../reading.ts';

/** What every family composes from. */
export interface Context {
  reading: Reading;
  request: PlannerRequest;
  profile: RecordProfile;
}
/** One family of answers: from what was read to a plan. */
export type Compose = (context: Context) => PlanBuilder;

/** Filters of the question as the scope of a plan. */
export function scopeOf({ categories, filters, ranges }: Reading): Where[] {
  return [
    ...(categories.length > 0 ? [inValues('category', categories)] : []),
    ...filters,
    ...ranges.map(({ dim, from, to }): Where => ({ type: 'range', dim, from, to })),
  ];
}

/** A builder whose plan stays inside what the question names. */
export const start = (
  { reading, profile }: Context,
  about: { feature?: string | null; scope?: Where[] } = {},
): PlanBuilder =>
  withUnclear(
    reading,
    new PlanBuilder(profile, reading.question, {
      feature: about.feature ?? null,
      scope: about.scope ?? scopeOf(reading),
    }),
  );

/** A bound that was seen and not applied is said before everything else. */
const withUnclear = ({ unclear }: Reading, plan: PlanBuilder): PlanBuilder =>
  unclear === null
    ? plan
    : plan.explain('The question sets a bound that cannot be applied here, so nothing is filtered by it.');

export const featureOf = (
  profile: RecordProfile,
  id: string,
): RecordProfile['features'][number] | undefined => profile.features.find((feature) => feature.id === id);

/** "Feature 28, Loading skeletons", for titles. */
export function featureTitle(profile: RecordProfile, id: string): string {
  const title = plainTitle(featureOf(profile, id)?.title ?? '');
  return title === '' ? `Feature ${plainTitle(id)}` : `Feature ${plainTitle(id)}, ${title}`;
}

/** A feature in prose, by reference; an id that placeholders cannot carry is not named. */
export const mention = (id: string): string =>
  /^[^{}[\]]{1,80}$/.test(id) ? `{feature:${id}}` : 'this feature';

/** Label people know a kind of source by ("metrics.json"), or null when none is loaded. */
export const sourceLabel = (profile: RecordProfile, kind: SourceKind): string | null =>
  profile.sources.find((source) => source.kind === kind)?.label ?? null;

/** Evidence of one kind of source about one feature (null: the run), in order of relevance. */
export function evidenceOf(
  { request, profile }: Context,
  kind: SourceKind,
  feature: string | null,
): EvidenceItem[] {
  const ids = new Set(profile.sources.filter((source) => source.kind === kind).map(({ id }) => id));
  return request.evidence.filter((item) => ids.has(item.cite.source) && (item.feature ?? null) === feature);
}

/** " [E1]" for the first item, or nothing. */
export const citation = (items: readonly EvidenceItem[]): string => (items[0] ? ` [${items[0].id}]` : '');
