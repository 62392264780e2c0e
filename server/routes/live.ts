import type { FastifyInstance } from 'fastify';
import { z } from 'zod/v4';
import { LIMITS } from '../../shared/limits.ts';
import type { Answers } from '../answer/answers.ts';
import type { Asking } from '../answer/asking.ts';
import { SSE_HEADERS } from '../answer/sse.ts';
import type { Feed, Followed } from '../live/feed.ts';
import { refuse } from './reply.ts';

const Query = z.object({
  answer: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .optional(),
  record: z
    .string()
    .regex(/^[0-9a-f]{0,64}$/)
    .default(''),
});

/** The feed of changes: one stream a page, for the answer that is on it. */
export function liveRoutes(app: FastifyInstance, feed: Feed, answers: Answers, asking: Asking): void {
  const counted = app.createRateLimit({ max: LIMITS.answersPerMinute, timeWindow: '1 minute' });

  app.get('/api/live', async (request, reply) => {
    const query = Query.safeParse(request.query);
    if (!query.success) return refuse(reply, 400, 'bad_request');
    if (feed.full) return refuse(reply, 429, 'rate_limited');
    const { answer: id, record } = query.data;
    const settled = id === undefined ? null : (answers.get(id)?.settled ?? null);
    let followed: Followed | null = id === undefined || settled === null ? null : { id, settled };
    if (id !== undefined && followed === null) {
      // One that is gone from memory is made again from its plan, so that it can follow the record.
      const answer = await asking.reopen(id, 0, async () => {
        const use = await counted(request);
        return use.isAllowed || !use.isExceeded;
      });
      if (answer === 'rate_limited') return refuse(reply, 429, 'rate_limited');
      if (answer === 'begin_again' || answer === 'not_found') return refuse(reply, 404, 'not_found');
      // It ends within its own deadlines; with a reader it is not taken for abandoned meanwhile.
      const leave = answer.subscribe(() => undefined);
      await answer.finished;
      leave();
      followed = { id, settled: answer.settled };
    }
    const reader = feed.listen(followed, record);
    if (reader === null) return refuse(reply, 429, 'rate_limited');
    return reply.headers(SSE_HEADERS).send(reader);
  });
}
