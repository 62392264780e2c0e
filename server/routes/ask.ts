import type { FastifyInstance } from 'fastify';
import { LIMITS } from '../../shared/limits.ts';
import { ActionRequest, AskRequest } from '../../shared/wire.ts';
import type { Asking } from '../answer/asking.ts';
import { refuse, streamAnswer } from './reply.ts';

const limited = { config: { rateLimit: { max: LIMITS.answersPerMinute } } };

/** Everything that begins an answer: a question, a pressed button, the starting view. */
export function askRoutes(app: FastifyInstance, asking: Asking): void {
  app.post('/api/ask', limited, (request, reply) => {
    const body = AskRequest.safeParse(request.body);
    if (!body.success) return refuse(reply, 400, 'bad_request');
    return streamAnswer(reply, asking.ask(body.data.question, body.data.conversation, body.data.anew));
  });

  app.post('/api/action', limited, (request, reply) => {
    const body = ActionRequest.safeParse(request.body);
    if (!body.success) return refuse(reply, 400, 'bad_request');
    // A button's request is text a model wrote and a browser sent: a question like any other.
    const { request: question, conversation } = body.data.action.context;
    return streamAnswer(reply, asking.ask(question, conversation));
  });

  app.get('/api/start', limited, (_request, reply) => streamAnswer(reply, asking.start()));
}
