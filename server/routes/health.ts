import type { FastifyInstance } from 'fastify';
import { CATALOG_ID, PROTOCOL } from '../../shared/catalog.ts';
import type { Health } from '../../shared/wire.ts';
import type { NamedPlanner } from '../answer/types.ts';
import type { RecordProfile } from '../record/store.ts';

export interface HealthParts {
  planner: NamedPlanner;
  profile(): Promise<RecordProfile>;
  suggestions(profile: RecordProfile): string[];
}

function recordHealth(profile: RecordProfile, suggestions: string[]): Health['record'] {
  if (profile.features.length === 0) return null;
  return {
    project: profile.project,
    run: profile.run?.name ?? '',
    fingerprint: profile.fingerprint.slice(0, 12),
    features: profile.features.length,
    findings: profile.findings,
    sources: profile.sources.map(({ id: _id, ...source }) => source),
    suggestions,
  };
}

/** What is running here: protocol, planner, record. */
export function healthRoutes(app: FastifyInstance, parts: HealthParts): void {
  app.get('/api/health', async (): Promise<Health> => {
    const profile = await parts.profile();
    const { kind, model } = parts.planner;
    return {
      ok: true,
      protocol: PROTOCOL,
      catalogId: CATALOG_ID,
      planner: { kind, model },
      record: recordHealth(profile, parts.suggestions(profile)),
    };
  });
}
