import type { Issues } from './issue.ts';

/** Times in more than one zone are sound, but a sign of more than one writer. */
export function reportZones(zones: readonly (string | null)[], issues: Issues): void {
  const found = [...new Set(zones.filter((zone) => zone !== null))].sort();
  if (found.length < 2) return;
  issues.add(
    'mixed_zones',
    'info',
    null,
    `Times are written in ${found.length} zones: ${found.slice(0, 6).join(', ')}. All were converted.`,
  );
}
