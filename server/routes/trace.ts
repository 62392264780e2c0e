import type { FastifyInstance } from 'fastify';
import { z } from 'zod/v4';
import { LIMITS } from '../../shared/limits.ts';
import type { Answers } from '../answer/answers.ts';
import { savedAnswer } from '../answer/saved.ts';
import { createRedactor, createSecretRemover } from '../redact.ts';
import { refuse } from './reply.ts';

const Params = z.object({ id: z.string().regex(/^[\w-]{1,64}$/) });

/**
 * How an answer was made: its trace, and the whole of it as a file that can be played elsewhere.
 * @param secrets configured keys and tokens, which are taken out of both
 */
export function traceRoutes(app: FastifyInstance, answers: Answers, secrets: readonly string[]): void {
  const clean = createRedactor(secrets, LIMITS.planBytes);
  const hide = createSecretRemover(secrets);

  app.get('/api/answers/:id/trace', (request, reply) => {
    const params = Params.safeParse(request.params);
    const trace = params.success ? answers.get(params.data.id)?.trace : undefined;
    if (trace === undefined) return refuse(reply, 404, 'not_found');
    return reply.header('Cache-Control', 'no-store').send(trace.trace(clean));
  });

  app.get('/api/answers/:id/file', (request, reply) => {
    const params = Params.safeParse(request.params);
    const answer = params.success ? answers.get(params.data.id) : null;
    if (!answer?.trace || !answer.ended) return refuse(reply, 404, 'not_found');
    return reply
      .header('Cache-Control', 'no-store')
      .send(savedAnswer(answer, answer.trace.trace(clean), hide));
  });
}
