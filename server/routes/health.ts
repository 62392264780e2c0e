import type { FastifyInstance } from 'fastify';
import { CATALOG_ID, PROTOCOL } from '../../shared/catalog.ts';
import { type Health, InProject } from '../../shared/wire.ts';
import type { Desk } from '../answer/desks.ts';
import type { NamedPlanner } from '../answer/types.ts';
import type { RecordProfile } from '../record/store.ts';
import { refuse } from './reply.ts';

export interface HealthParts {
  planner: NamedPlanner;
  /** The desk of a project, the default one's when none is named; null when there is no such project. */
  project(id: string | undefined): Pick<Desk, 'projects' | 'ports'> | null;
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

/** What is running here: protocol, planner, the record of one project. */
export function healthRoutes(app: FastifyInstance, parts: HealthParts): void {
  app.get('/api/health', async (request, reply) => {
    const query = InProject.safeParse(request.query);
    const desk = query.success ? parts.project(query.data.project) : null;
    if (desk === null) return refuse(reply, 404, 'project_gone');
    const profile = await desk.ports.profile();
    const [project] = desk.projects;
    const { kind, model } = parts.planner;
    const health: Health = {
      ok: true,
      protocol: PROTOCOL,
      catalogId: CATALOG_ID,
      planner: { kind, model },
      ...(project ? { project } : {}),
      record: recordHealth(profile, desk.ports.suggestions(profile)),
    };
    return reply.send(health);
  });
}
