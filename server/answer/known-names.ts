import type { RecordProfile } from '../record/store.ts';
import { numberedNames } from './figures/numbered-names.ts';

const known = new WeakMap<RecordProfile['features'], string[]>();

/** Names of a record that hold numbers ("Error 404 page", "metrics-2.json"), for `findTypedFigures`; made once a profile. */
export function namesOf(profile: RecordProfile): readonly string[] {
  const made =
    known.get(profile.features) ??
    numberedNames([
      ...profile.features.map(({ title }) => title),
      ...profile.categories,
      ...profile.statuses,
      ...profile.sources.map(({ label }) => label),
      profile.run?.name ?? '',
      profile.project,
    ]);
  known.set(profile.features, made);
  return made;
}
