import type { FastifyInstance } from 'fastify';
import { InProject } from '../../shared/wire.ts';
import type { Desk } from '../answer/desks.ts';
import { askingMenu } from '../planner/asking-menu.ts';
import { refuse } from './reply.ts';

/** What can be asked. @param project the desk of a project, the default one's when none is named; null when there is none */
export function vocabularyRoutes(
  app: FastifyInstance,
  project: (id: string | undefined) => Pick<Desk, 'ports'> | null,
): void {
  app.get('/api/vocabulary', async (request, reply) => {
    const query = InProject.safeParse(request.query);
    const desk = query.success ? project(query.data.project) : null;
    if (desk === null) return refuse(reply, 404, 'project_gone');
    return reply.header('Cache-Control', 'no-store').send(askingMenu(await desk.ports.profile()));
  });
}
