import type { FastifyInstance } from 'fastify';
import { ErrorReport } from '../../shared/wire.ts';
import { refuse } from './reply.ts';

/** What a browser could not draw. It goes to the log, as text from outside. */
export function reportRoutes(app: FastifyInstance): void {
  app.post('/api/report', (request, reply) => {
    const body = ErrorReport.safeParse(request.body);
    if (!body.success) return refuse(reply, 400, 'bad_request');
    request.log.warn({ report: body.data.error }, 'a card could not be drawn');
    return reply.code(202).send({ ok: true });
  });
}
