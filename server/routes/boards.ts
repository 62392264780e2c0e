import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod/v4';
import type { Code } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import { BoardChange, BoardOrder, BoardRequest, type Boards, PinRequest } from '../../shared/wire.ts';
import type { Answers } from '../answer/answers.ts';
import type { Desks } from '../answer/desks.ts';
import type { Archive } from '../archive/archive.ts';
import { boardOf, ITEM_ID } from '../boards/board.ts';
import { pinned } from '../boards/pin.ts';
import { runBoard } from '../boards/run.ts';
import type { BoardStore, Done } from '../boards/store.ts';
import { refuse, streamAnswer } from './reply.ts';

const Params = z.object({ id: z.string().regex(/^[A-Za-z0-9_-]{16}$/) });
const ItemParams = Params.extend({ item: z.string().regex(ITEM_ID) });

export interface BoardParts {
  /** Null where there is no state folder. */
  boards: BoardStore | null;
  answers: Answers;
  archive: Archive | null;
  desks: Desks;
}

const STATUS: Partial<Record<Code, number>> = { not_found: 404, not_kept: 503 };

/** Boards: their list, what stands on them, and the stream that draws one. */
export function boardRoutes(app: FastifyInstance, { boards, answers, archive, desks }: BoardParts): void {
  const limited = { config: { rateLimit: { max: LIMITS.answersPerMinute } } };
  const tell = <T>(reply: FastifyReply, done: Done<T>, told: (value: T) => unknown): FastifyReply =>
    done.ok
      ? reply.header('Cache-Control', 'no-store').send(told(done.value))
      : refuse(reply, STATUS[done.code] ?? 409, done.code);
  const listed = (): Boards => ({
    kept: boards?.keeps ?? false,
    boards: (boards?.list() ?? []).map(boardOf),
  });
  const store = boards;

  app.get('/api/boards', (_request, reply) => reply.header('Cache-Control', 'no-store').send(listed()));
  if (store === null) return;

  app.post('/api/boards', async (request, reply) => {
    const body = BoardRequest.safeParse(request.body);
    if (!body.success) return refuse(reply, 400, 'bad_request');
    return tell(reply, await store.create(body.data.name), boardOf);
  });

  app.put('/api/boards', async (request, reply) => {
    const body = BoardOrder.safeParse(request.body);
    if (!body.success) return refuse(reply, 400, 'bad_request');
    return tell(reply, await store.reorder(body.data.order), listed);
  });

  app.patch('/api/boards/:id', async (request, reply) => {
    const params = Params.safeParse(request.params);
    const body = BoardChange.safeParse(request.body);
    if (!params.success) return refuse(reply, 404, 'not_found');
    if (!body.success) return refuse(reply, 400, 'bad_request');
    return tell(reply, await store.change(params.data.id, body.data), boardOf);
  });

  app.delete('/api/boards/:id', async (request, reply) => {
    const params = Params.safeParse(request.params);
    if (!params.success) return refuse(reply, 404, 'not_found');
    return tell(reply, await store.remove(params.data.id), () => ({ ok: true }));
  });

  app.post('/api/boards/:id/restore', async (request, reply) => {
    const params = Params.safeParse(request.params);
    if (!params.success) return refuse(reply, 404, 'not_found');
    return tell(reply, await store.restore(params.data.id), boardOf);
  });

  app.post('/api/boards/:id/items', async (request, reply) => {
    const params = Params.safeParse(request.params);
    const body = PinRequest.safeParse(request.body);
    if (!params.success) return refuse(reply, 404, 'not_found');
    if (!body.success) return refuse(reply, 400, 'bad_request');
    const pin = await pinned(body.data.answer, body.data.card, { answers, archive });
    if (!pin.ok) return refuse(reply, STATUS[pin.code] ?? 409, pin.code);
    return tell(reply, await store.pin(params.data.id, pin.item), boardOf);
  });

  app.delete('/api/boards/:id/items/:item', async (request, reply) => {
    const params = ItemParams.safeParse(request.params);
    if (!params.success) return refuse(reply, 404, 'not_found');
    return tell(reply, await store.unpin(params.data.id, params.data.item), boardOf);
  });

  app.post('/api/boards/:id/items/:item/restore', async (request, reply) => {
    const params = ItemParams.safeParse(request.params);
    if (!params.success) return refuse(reply, 404, 'not_found');
    return tell(reply, await store.repin(params.data.id, params.data.item), boardOf);
  });

  app.get('/api/boards/:id/events', limited, (request, reply) => {
    const params = Params.safeParse(request.params);
    const board = params.success ? store.get(params.data.id) : null;
    if (board === null) return refuse(reply, 404, 'not_found');
    const answer = answers.start(
      (sink) => runBoard(board, desks, sink),
      (sink, error) => {
        request.log.warn({ err: error, board: board.id }, 'a board broke');
        sink.emit({
          event: 'done',
          data: { events: sink.count() + 1, cards: 0, ok: false, code: 'query_failed', ms: 0 },
        });
      },
    );
    return streamAnswer(reply, answer);
  });

  app.addHook('preClose', async () => {
    await store.close();
  });
}
