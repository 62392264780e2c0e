import type { Where } from '../../../../shared/plan.ts';
import type { EvidenceItem, PlannerRequest } from '../../../answer/types.ts';
import { measureById } from '../../../metrics/measures.ts';
import { KINDS, SOURCE_KINDS } from '../../../record/source-kinds.ts';
import type { RecordProfile, SourceKind } from '../../../record/store.ts';
import { inValues } from '../filters.ts';
import { PlanBuilder, plainTitle } from '../plan-builder.ts';
import { tells } from '../questions.ts';
import type { Reading } from '../reading.ts';
import { clockRange } from './clock-range.ts';

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

/** A builder whose plan stays inside what the question names; without a scope of its own, features finished at the times it names. */
export const start = (
  { reading, profile }: Context,
  about: { feature?: string | null; scope?: Where[] } = {},
): PlanBuilder =>
  withUnclear(
    reading,
    new PlanBuilder(profile, reading.question, {
      feature: about.feature ?? null,
      scope: about.scope ?? [...scopeOf(reading), ...clockRange(reading.question, 'completed_at')],
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

/** A kind of source that tells something, as it stands in a sentence. */
export interface Teller {
  kind: SourceKind;
  /** The name of the file where it is one ("metrics.json"). */
  label: string;
  /** With an article: "the progress log". */
  words: string;
}

/** Whether a source of this kind tells the fact; a profile that does not say is taken to. */
export const tellsOf = ({ sources }: RecordProfile, kind: SourceKind, fact: string): boolean =>
  sources.some((source) => source.kind === kind && (source.tells?.includes(fact) ?? true));

/** Whether anything in the record can fill a measure: a count can always be made, a fact has to be told. */
export function isTold(profile: RecordProfile, measure: string): boolean {
  const fact = measureById(measure)?.fact ?? null;
  return fact === null || tells(profile, fact);
}

/**
 * The first kind of source that claims a measure's fact, or that measured it, in the order of asking; null when none is
 * loaded that does.
 */
export function tellerOf(
  profile: RecordProfile,
  measure: string,
  basis: 'claimed' | 'measured',
): Teller | null {
  const fact = measureById(measure)?.fact ?? measure;
  const kind = SOURCE_KINDS.find((one) => KINDS[one].basis === basis && tellsOf(profile, one, fact));
  if (kind === undefined) return null;
  const [first, ...others] = profile.sources.filter((source) => source.kind === kind);
  const { words } = KINDS[kind];
  return { kind, label: first !== undefined && others.length === 0 ? first.label : words, words };
}

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
