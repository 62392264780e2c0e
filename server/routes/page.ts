import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { refuse } from './reply.ts';

/** Names of built files carry a digest of their content, so they never change under one name. */
const FOREVER = 'public, max-age=31536000, immutable';

/**
 * The built page: its files, and the page itself for every address it has (`/`, `/a/<id>`, `/b/<id>`, each below `/p/<project>` as well).
 * @param web folder of the built page; without it only the interface is served
 */
export async function pageRoutes(app: FastifyInstance, web: string): Promise<void> {
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'not_found'));
  if (!existsSync(join(web, 'index.html'))) {
    app.log.warn('there is no built page; run "npm run build"');
    return;
  }
  await app.register(fastifyStatic, {
    root: web,
    index: false,
    cacheControl: false,
    setHeaders: (response, path) => {
      response.setHeader('Cache-Control', /[\\/]assets[\\/]/.test(path) ? FOREVER : 'no-cache');
    },
  });
  for (const below of ['', '/p/:project'])
    for (const path of [below || '/', `${below}/a/:id`, `${below}/b/:id`])
      app.get(path, (_request, reply) => reply.sendFile('index.html'));
}
