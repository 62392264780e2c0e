import type { FastifyInstance } from 'fastify';
import { LIMITS } from '../../shared/limits.ts';
import { ActionRequest, AskRequest, InProject } from '../../shared/wire.ts';
import type { Asking } from '../answer/asking.ts';
import { refuse, streamAnswer } from './reply.ts';

const limited = { config: { rateLimit: { max: LIMITS.answersPerMinute } } };

/** Everything that begins an answer: a question, a pressed button, the starting view. */
export function askRoutes(app: FastifyInstance, asking: Asking): void {
  app.post('/api/ask', limited, (request, reply) => {
    const body = AskRequest.safeParse(request.body);
    if (!body.success) return refuse(reply, 400, 'bad_request');
    const { question, ...how } = body.data;
    return streamAnswer(reply, asking.ask(question, how));
  });

  app.post('/api/action', limited, (request, reply) => {
    const body = ActionRequest.safeParse(request.body);
    if (!body.success) return refuse(reply, 400, 'bad_request');
    // A button's request is text a model wrote and a browser sent: a question like any other.
    const { request: question, conversation, project } = body.data.action.context;
    return streamAnswer(reply, asking.ask(question, { conversation, project }));
  });

  app.get('/api/start', limited, (request, reply) => {
    const query = InProject.safeParse(request.query);
    if (!query.success) return refuse(reply, 400, 'bad_request');
    return streamAnswer(reply, asking.start(query.data.project));
  });
}
