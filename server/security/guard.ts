import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CODES, type Code } from '../../shared/codes.ts';
import { fetchSiteAllowed, type HostRules, hostAllowed, originAllowed } from './hosts.ts';
import { carriesToken, isToken, setCookie } from './token.ts';

export interface GuardOptions {
  rules: HostRules;
  /** Port to assume when a request did not come over a socket. */
  port: number;
  /** Null when only this machine can reach the server. */
  token: string | null;
}

/** Body of every refusal: a stable code with its words. */
export const refusal = (code: Code) => ({ code, ...CODES[code] });

/** By the route that matched, not by the address as written: `/%61pi` and `http://host/api` lead to the same one. */
const isApi = (request: FastifyRequest): boolean =>
  /^\/api(?:\/|$)/.test(request.routeOptions.url ?? '') || /^\/api(?:[/?]|$)/.test(request.url);
/** Where telemetry is sent; it is not always JSON, and its routes look at its type themselves. */
const isTelemetry = (request: FastifyRequest): boolean =>
  /^\/v1\/(?:logs|metrics|traces)$/.test(request.routeOptions.url ?? '');
const path = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';

/** One line of the log for a refused request: the reason and the path, never a header's value in full. */
function refuse(request: FastifyRequest, reply: FastifyReply, status: number, code: Code, why: string) {
  request.log.warn({ path: path(request).slice(0, 200), why }, 'request refused');
  return reply.code(status).type('application/json').send(refusal(code));
}

/** Not a redirect: a browser keeps a strict cookie back on a redirect that another site started. */
const admitted = (to: string) =>
  `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${to}"><title>Looplight</title>`;

/**
 * Refuses what the page of this server did not ask for: foreign Host or Origin, calls from other sites, posts that are not
 * JSON; and beyond loopback, whoever has no access token.
 */
export function guard(app: FastifyInstance, options: GuardOptions): void {
  app.addHook('onRequest', async (request, reply) => {
    const { host, origin, authorization, cookie } = request.headers;
    const port = request.socket.localPort ?? options.port;
    if (host === undefined || !hostAllowed(host, port, options.rules))
      return refuse(request, reply, 403, 'forbidden', 'host');
    if (!originAllowed(origin, host)) return refuse(request, reply, 403, 'forbidden', 'origin');
    const site = request.headers['sec-fetch-site'];
    if ((isApi(request) || isTelemetry(request)) && !fetchSiteAllowed(Array.isArray(site) ? site[0] : site))
      return refuse(request, reply, 403, 'forbidden', 'site');
    if (options.token !== null && !carriesToken({ authorization, cookie }, options.token)) {
      const given = new URLSearchParams(request.url.split('?', 2)[1] ?? '').get('token');
      if (isApi(request) || request.method !== 'GET' || !isToken(given, options.token))
        return refuse(request, reply, 401, 'token_needed', 'token');
      const to = /^\/(?:[ab]\/[\w-]{1,64})?$/.test(path(request)) ? path(request) : '/';
      return reply.header('Set-Cookie', setCookie(options.token)).type('text/html').send(admitted(to));
    }
    if (
      request.method === 'POST' &&
      !isTelemetry(request) &&
      !/^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')
    )
      return refuse(request, reply, 415, 'bad_request', 'content type');
  });
}
