import type { FastifyInstance } from 'fastify';
import type { ProjectInfo, Projects } from '../../shared/wire.ts';

/** Which projects are loaded. @param projects what is told of them, the default one first */
export function projectRoutes(app: FastifyInstance, projects: () => Promise<ProjectInfo[]>): void {
  app.get('/api/projects', async (_request, reply) => {
    const list: Projects = { projects: await projects() };
    return reply.header('Cache-Control', 'no-store').send(list);
  });
}
