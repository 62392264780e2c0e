import type { FastifyInstance } from 'fastify';
import { z } from 'zod/v4';
import { LIMITS } from '../../shared/limits.ts';
import { type ArchivedAnswers, CardChanges, type ProjectRef } from '../../shared/wire.ts';
import type { Answers } from '../answer/answers.ts';
import type { Asking } from '../answer/asking.ts';
import { lastSeen } from '../answer/sse.ts';
import type { Archive } from '../archive/archive.ts';
import { refuse, streamAnswer } from './reply.ts';

const Params = z.object({ id: z.string().regex(/^[\w-]{1,64}$/) });
/** Cards of a plan's own blocks, by place. */
const CardParams = Params.extend({ card: z.string().regex(/^c\d{1,2}$/) });
const Query = z.object({ from: z.string().max(20).optional() });

export interface AnswerParts {
  answers: Answers;
  asking: Asking;
}

/** Coming back to an answer, and ending one. */
export function answerRoutes(app: FastifyInstance, { answers, asking }: AnswerParts): void {
  // Making an answer again is as much work as a question; listening to one that is there is not.
  const counted = app.createRateLimit({ max: LIMITS.answersPerMinute, timeWindow: '1 minute' });
  const changing = app.createRateLimit({ max: LIMITS.changesPerMinute, timeWindow: '1 minute' });

  app.get('/api/answers/:id/events', async (request, reply) => {
    const params = Params.safeParse(request.params);
    if (!params.success) return refuse(reply, 404, 'not_found');
    const query = Query.safeParse(request.query);
    const from = query.success ? query.data.from : undefined;
    const after = lastSeen(request.headers['last-event-id'], from);
    const answer = await asking.reopen(params.data.id, after, async () => {
      const use = await counted(request);
      return use.isAllowed || !use.isExceeded;
    });
    if (answer === 'rate_limited') return refuse(reply, 429, 'rate_limited');
    if (answer === 'begin_again') return refuse(reply, 410, 'not_found');
    if (answer === 'not_found') return refuse(reply, 404, 'not_found');
    return streamAnswer(reply, answer, after);
  });

  app.post('/api/answers/:id/cards/:card', async (request, reply) => {
    const params = CardParams.safeParse(request.params);
    const body = CardChanges.safeParse(request.body);
    const settled = params.success ? (answers.get(params.data.id)?.settled ?? null) : null;
    if (!params.success || settled === null) return refuse(reply, 404, 'not_found');
    if (!body.success) return refuse(reply, 400, 'bad_request');
    const use = await changing(request);
    if (!use.isAllowed && use.isExceeded) return refuse(reply, 429, 'rate_limited');
    const refused = await settled.change(Number(params.data.card.slice(1)), body.data.change);
    // What comes of it reaches the page by the feed of changes.
    return refused === null ? reply.send({ ok: true }) : refuse(reply, 409, refused);
  });

  app.post('/api/answers/:id/stop', (request, reply) => {
    const params = Params.safeParse(request.params);
    const answer = params.success ? answers.get(params.data.id) : null;
    if (answer === null) return refuse(reply, 404, 'not_found');
    answer.stop();
    return reply.send({ ok: true });
  });
}

/**
 * The list of kept answers, and deleting them.
 * @param archive null where answers are not archived: then there is an empty list
 * @param projectsOf the loaded projects an answer is about, by what it remembers of its record; none when it is not loaded
 */
export function archiveRoutes(
  app: FastifyInstance,
  answers: Answers,
  archive: Archive | null,
  projectsOf: (folder: string) => readonly ProjectRef[] = () => [],
): void {
  app.get('/api/answers', (_request, reply) => {
    const list: ArchivedAnswers = {
      kept: archive?.keeps ?? false,
      answers:
        archive?.list().map(({ folder, ...answer }) => ({ ...answer, projects: [...projectsOf(folder)] })) ??
        [],
    };
    return reply.header('Cache-Control', 'no-store').send(list);
  });

  app.delete('/api/answers/:id', async (request, reply) => {
    const params = Params.safeParse(request.params);
    if (!params.success) return refuse(reply, 404, 'not_found');
    const dropped = answers.drop(params.data.id);
    const removed = (await archive?.remove(params.data.id)) ?? false;
    return dropped || removed ? reply.send({ ok: true }) : refuse(reply, 404, 'not_found');
  });

  app.delete('/api/answers', async (_request, reply) => {
    for (const id of (await archive?.removeAll()) ?? []) answers.drop(id);
    return reply.send({ ok: true });
  });
}
