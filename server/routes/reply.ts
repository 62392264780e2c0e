import type { FastifyReply } from 'fastify';
import type { Code } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import { ANSWER_HEADER } from '../../shared/wire.ts';
import type { Answer } from '../answer/answers.ts';
import { AnswerStream, SSE_HEADERS } from '../answer/sse.ts';
import { refusal } from '../security/guard.ts';

/** A small JSON answer with a stable code, for requests that cannot be answered with cards. */
export const refuse = (reply: FastifyReply, status: number, code: Code): FastifyReply =>
  reply.code(status).type('application/json').send(refusal(code));

/**
 * Streams an answer from the event after `after` on.
 * @param after id of the last event the reader has seen, 0 for none
 */
export function streamAnswer(reply: FastifyReply, answer: Answer, after = 0): FastifyReply {
  if (answer.readers >= LIMITS.readers) return refuse(reply, 429, 'rate_limited');
  return reply.headers({ ...SSE_HEADERS, [ANSWER_HEADER]: answer.id }).send(new AnswerStream(answer, after));
}
