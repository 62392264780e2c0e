import { LIMITS } from '../../../shared/limits.ts';
import { COUNTED_ROWS, NO_COUNTS, type RecordProfile } from '../../record/store.ts';

/**
 * What several records hold together, for reading and checking a comparison: names only, no run of its own.
 * @param fingerprint of all of them
 */
export function joinedProfile(profiles: readonly RecordProfile[], fingerprint: string): RecordProfile {
  const all = <T>(read: (profile: RecordProfile) => readonly T[], most: number): T[] =>
    profiles.flatMap((profile) => [...read(profile)]).slice(0, most);
  const names = (read: (profile: RecordProfile) => readonly string[]): string[] => [
    ...new Set(all(read, LIMITS.profileFeatures)),
  ];
  const counts = { ...NO_COUNTS };
  for (const profile of profiles) for (const rows of COUNTED_ROWS) counts[rows] += profile.counts[rows];
  return {
    project: `${profiles.length} projects`,
    run: null,
    counts,
    features: all(({ features }) => features, LIMITS.profileFeatures),
    categories: names(({ categories }) => categories),
    statuses: names(({ statuses }) => statuses),
    // The same id may stand for a source of each; told apart they are counted apart.
    sources: profiles
      .flatMap(({ sources }, at) => sources.map((source) => ({ ...source, id: `${at + 1}.${source.id}` })))
      .slice(0, LIMITS.foundSources),
    findings: profiles.reduce((sum, { findings }) => sum + findings, 0),
    issues: profiles.reduce((sum, { issues }) => sum + issues, 0),
    fingerprint,
  };
}
