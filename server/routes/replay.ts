import type { FastifyInstance } from 'fastify';
import { z } from 'zod/v4';
import { CATALOG_ID, PROTOCOL } from '../../shared/catalog.ts';
import { ActionRequest, AskRequest, type Boards, type Health, type Projects } from '../../shared/wire.ts';
import type { Answers } from '../answer/answers.ts';
import { lastSeen } from '../answer/sse.ts';
import { redact } from '../redact.ts';
import { createPlayer } from '../replay/player.ts';
import type { PlayableAnswer } from '../replay/saved-file.ts';
import { refuse, streamAnswer } from './reply.ts';

const Params = z.object({ id: z.string().regex(/^[\w-]{1,64}$/) });
const Query = z.object({ from: z.string().max(20).optional() });

/**
 * The interface of a replay: the saved answer under its own address, and a note in answer to everything asked.
 * @param speed 1 for the answer's own pace
 */
export function replayRoutes(
  app: FastifyInstance,
  answers: Answers,
  saved: PlayableAnswer,
  speed: number,
): void {
  const player = createPlayer(saved, speed, answers);
  const idOf = (params: unknown): string | null => {
    const read = Params.safeParse(params);
    return read.success ? read.data.id : null;
  };
  /** Id of the event a reader goes on after. */
  const seen = (header: unknown, query: unknown): number => {
    const read = Query.safeParse(query);
    return lastSeen(header, read.success ? read.data.from : undefined);
  };

  app.addHook('onRequest', async (request, reply) => {
    if (request.method === 'GET' && request.url.split('?', 1)[0] === '/')
      return reply.redirect(`/a/${saved.id}`, 302);
  });

  app.get('/api/health', (): Health => {
    return {
      ok: true,
      protocol: PROTOCOL,
      catalogId: CATALOG_ID,
      planner: { kind: 'builtin', model: null },
      replay: true,
      record: null,
    };
  });

  app.get('/api/start', (_request, reply) => streamAnswer(reply, player.note(null)));
  app.post('/api/ask', (request, reply) => {
    const body = AskRequest.safeParse(request.body);
    if (!body.success) return refuse(reply, 400, 'bad_request');
    return streamAnswer(reply, player.note(body.data.question));
  });
  app.post('/api/action', (request, reply) => {
    const body = ActionRequest.safeParse(request.body);
    if (!body.success) return refuse(reply, 400, 'bad_request');
    return streamAnswer(reply, player.note(body.data.action.context.request));
  });

  app.get('/api/answers/:id/events', (request, reply) => {
    const id = idOf(request.params);
    const after = seen(request.headers['last-event-id'], request.query);
    const answer = id === saved.id ? player.play(after) : id === null ? null : answers.get(id);
    return answer === null ? refuse(reply, 404, 'not_found') : streamAnswer(reply, answer, after);
  });
  app.post('/api/answers/:id/stop', (request, reply) => {
    const id = idOf(request.params);
    const answer = id === saved.id ? player.current() : id === null ? null : answers.get(id);
    if (answer === null) return refuse(reply, 404, 'not_found');
    answer.stop();
    return reply.send({ ok: true });
  });
  app.get('/api/answers/:id/trace', (request, reply) => {
    const id = idOf(request.params);
    if (id === saved.id) return reply.send(saved.saved.trace);
    const trace = id === null ? undefined : answers.get(id)?.trace;
    return trace === undefined ? refuse(reply, 404, 'not_found') : reply.send(trace.trace(redact));
  });
  app.get('/api/answers/:id/file', (request, reply) =>
    idOf(request.params) === saved.id ? reply.send(saved.saved) : refuse(reply, 404, 'not_found'),
  );
  app.get('/api/projects', (): Projects => ({ projects: [] }));
  app.get('/api/boards', (): Boards => ({ kept: false, boards: [] }));
  for (const path of ['/api/evidence/:queryId', '/api/raw/:source/:line'])
    app.get(path, (_request, reply) => refuse(reply, 404, 'replay_only'));
}
