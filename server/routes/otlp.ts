import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CODES } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import { CONTENT_TYPES, refused, taken } from '../otlp/answer.ts';
import { type Format, formatOf, Refused, readBody, unpacked } from '../otlp/body.ts';
import type { Receiver } from '../otlp/receiver.ts';
import type { Signal } from '../otlp/wire.ts';

/** Words for whoever runs an exporter, by HTTP status. */
const WORDS: Readonly<Record<number, string>> = {
  400: 'The request could not be read.',
  401: 'An access token is needed: send it in the header Authorization as a bearer.',
  403: 'Requests are taken only under a name this server answers to.',
  408: 'The body took too long to arrive.',
  413: `The body is larger than ${LIMITS.otlpBodyBytes} bytes.`,
  415: 'Send application/json or application/x-protobuf.',
  429: 'Too many requests; send it again later.',
  503: 'This cannot be taken now; send it again later.',
};

const first = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;
/** What cannot be mirrored is answered in JSON. */
const format = (request: FastifyRequest): Format => formatOf(request.headers['content-type']) ?? 'json';

const statusOf = (error: unknown): number =>
  error instanceof Refused
    ? error.status
    : error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
      ? error.statusCode
      : 500;

function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  message?: string,
): FastifyReply {
  const how = format(request);
  return reply
    .code(status)
    .type(CONTENT_TYPES[how])
    .send(refused(how, status, message ?? WORDS[status] ?? CODES.query_failed.says));
}

/**
 * OTLP over HTTP: `/v1/logs`, `/v1/metrics`, `/v1/traces`. Every answer, also one of the guard before it, is written the way the
 * request was.
 */
export function otlpRoutes(app: FastifyInstance, receiver: Receiver): void {
  let open = 0;
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: LIMITS.otlpBodyBytes },
      (_request, body, done) => done(null, body),
    );

    // After the guard: whoever is not let in takes no place.
    scope.addHook('onRequest', async (request, reply) => {
      if (reply.sent) return;
      if (open >= LIMITS.otlpOpen) {
        reply.header('Retry-After', '1');
        return refuse(request, reply, 503);
      }
      open += 1;
      // A body that trickles in must not hold its place for long.
      const late = setTimeout(() => request.raw.destroy(), LIMITS.otlpBodyMs);
      late.unref();
      request.raw.once('end', () => clearTimeout(late));
      let held = true;
      const release = (): void => {
        clearTimeout(late);
        if (held) open -= 1;
        held = false;
      };
      reply.raw.once('finish', release);
      reply.raw.once('close', release);
    });

    // The guard refuses in its own words, and in JSON.
    scope.addHook('onSend', async (request, reply, payload) => {
      if (reply.statusCode < 400 || Buffer.isBuffer(payload)) return payload;
      const how = format(request);
      reply.type(CONTENT_TYPES[how]).removeHeader('content-length');
      return refused(how, reply.statusCode, WORDS[reply.statusCode] ?? CODES.query_failed.says);
    });

    scope.setErrorHandler((error, request, reply) => {
      const status = statusOf(error);
      if (status >= 500) request.log.error({ err: error }, 'telemetry could not be taken');
      if (status === 429 || status === 503) {
        if (reply.getHeader('retry-after') === undefined) reply.header('Retry-After', '1');
      }
      return refuse(request, reply, status, error instanceof Refused ? error.message : undefined);
    });

    const take = async (
      signal: Signal,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<FastifyReply> => {
      const how = formatOf(request.headers['content-type']);
      if (how === null) return refuse(request, reply, 415);
      const sent = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const bytes = await unpacked(sent, first(request.headers['content-encoding']));
      const project = first(request.headers['x-looplight-project'])?.slice(0, LIMITS.title) ?? null;
      const outcome = await receiver.take(readBody(bytes, how, signal), signal, bytes, project);
      if (outcome.type === 'later') {
        reply.header('Retry-After', String(outcome.seconds));
        return refuse(request, reply, 429);
      }
      if (outcome.type === 'failed') {
        request.log.warn({ err: outcome.error }, 'telemetry could not be kept');
        reply.header('Retry-After', '30');
        return refuse(request, reply, 503, 'What was sent cannot be kept now; send it again later.');
      }
      return reply
        .code(200)
        .type(CONTENT_TYPES[how])
        .send(taken(how, signal, outcome.rejected, outcome.why));
    };
    scope.post('/v1/logs', (request, reply) => take('logs', request, reply));
    scope.post('/v1/traces', (request, reply) => take('traces', request, reply));
    scope.post('/v1/metrics', (request, reply) => take('metrics', request, reply));
  });
  app.addHook('preClose', async () => {
    await receiver.close();
  });
}
