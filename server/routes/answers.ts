import type { FastifyInstance } from 'fastify';
import { z } from 'zod/v4';
import type { Answers } from '../answer/answers.ts';
import { lastSeen } from '../answer/sse.ts';
import { refuse, streamAnswer } from './reply.ts';

const Params = z.object({ id: z.string().regex(/^[\w-]{1,64}$/) });
const Query = z.object({ from: z.string().max(20).optional() });

/** Coming back to an answer, and ending one. */
export function answerRoutes(app: FastifyInstance, answers: Answers): void {
  app.get('/api/answers/:id/events', (request, reply) => {
    const params = Params.safeParse(request.params);
    const answer = params.success ? answers.get(params.data.id) : null;
    if (answer === null) return refuse(reply, 404, 'not_found');
    const query = Query.safeParse(request.query);
    const from = query.success ? query.data.from : undefined;
    return streamAnswer(reply, answer, lastSeen(request.headers['last-event-id'], from));
  });

  app.post('/api/answers/:id/stop', (request, reply) => {
    const params = Params.safeParse(request.params);
    const answer = params.success ? answers.get(params.data.id) : null;
    if (answer === null) return refuse(reply, 404, 'not_found');
    answer.stop();
    return reply.send({ ok: true });
  });
}
