import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { LIMITS } from '../shared/limits.ts';
import type { AnswerLimits, Answers } from './answer/answers.ts';
import { createAnswers } from './answer/answers.ts';
import { type AskingParts, createAsking } from './answer/asking.ts';
import { createConversations } from './answer/conversation.ts';
import type { Keeping } from './answer/keeping.ts';
import type { AnswerPorts } from './answer/ports.ts';
import type { NamedPlanner } from './answer/types.ts';
import type { Config } from './config.ts';
import type { createLog } from './log.ts';
import type { PlayableAnswer } from './replay/saved-file.ts';
import { answerRoutes, archiveRoutes } from './routes/answers.ts';
import { askRoutes } from './routes/ask.ts';
import { healthRoutes } from './routes/health.ts';
import { pageRoutes } from './routes/page.ts';
import { type RecordParts, recordRoutes } from './routes/record.ts';
import { replayRoutes } from './routes/replay.ts';
import { refuse } from './routes/reply.ts';
import { reportRoutes } from './routes/report.ts';
import { traceRoutes } from './routes/trace.ts';
import { guard } from './security/guard.ts';
import { protectiveHeaders } from './security/headers.ts';

export interface AppParts {
  config: Pick<Config, 'host' | 'port' | 'hosts' | 'token' | 'trustLocal' | 'web'>;
  logger: ReturnType<typeof createLog>;
  /** Made once the server's own log is there, so that steps write into it. */
  ports(log: FastifyInstance['log']): AnswerPorts;
  planner: NamedPlanner;
  starting: AskingParts['starting'];
  record: RecordParts;
  /** Where answers outlive the process; without it they do not. */
  keeping?: Keeping;
  /** Configured keys and tokens, which never leave in a trace. */
  secrets?: readonly string[];
  /** Bounds of kept answers, where a test needs other ones. */
  limits?: AnswerLimits;
}

export interface App {
  server: FastifyInstance;
  answers: Answers;
}

const statusOf = (error: unknown): number =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : 500;

/** The server with everything that guards it, without routes; closing it ends every answer first. */
async function createShell(
  config: AppParts['config'],
  logger: AppParts['logger'],
  limits?: AnswerLimits,
): Promise<{ app: FastifyInstance; answers: Answers }> {
  const app = Fastify({
    logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LIMITS.bodyBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 256 },
  });

  app.setErrorHandler((error, request, reply) => {
    const status = statusOf(error);
    if (status === 429) return refuse(reply, 429, 'rate_limited');
    if (status < 500) return refuse(reply, status, 'bad_request');
    request.log.error({ err: error }, 'a request failed');
    return refuse(reply, 500, 'query_failed');
  });

  await protectiveHeaders(app);
  guard(app, {
    rules: { host: config.host, extra: config.hosts, anyPort: config.trustLocal },
    port: config.port,
    token: config.token,
  });
  await app.register(rateLimit, { global: true, max: LIMITS.requestsPerMinute, timeWindow: '1 minute' });
  jsonOnly(app);

  const answers = createAnswers(limits);
  app.addHook('preClose', async () => {
    await answers.close();
  });
  return { app, answers };
}

/** The whole interface, not yet listening. Closing it ends every answer first. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config } = parts;
  const { app, answers } = await createShell(config, parts.logger, parts.limits);
  const ports = parts.ports(app.log);
  const asking = createAsking({
    ports,
    answers,
    conversations: createConversations(),
    planner: parts.planner,
    starting: parts.starting,
    keeping: parts.keeping ?? null,
  });
  app.addHook('preClose', async () => {
    await parts.keeping?.archive.close();
  });
  askRoutes(app, asking);
  answerRoutes(app, { answers, asking });
  archiveRoutes(app, answers, parts.keeping?.archive ?? null);
  healthRoutes(app, {
    planner: parts.planner,
    profile: () => ports.profile(),
    suggestions: (profile) => ports.suggestions(profile),
  });
  recordRoutes(app, parts.record);
  reportRoutes(app);
  traceRoutes(app, answers, parts.secrets ?? []);
  await pageRoutes(app, config.web);
  return { server: app, answers };
}

/** The same page with one saved answer instead of a record: nothing is read and nothing is planned. */
export async function createReplayApp(
  parts: Pick<AppParts, 'config' | 'logger'> & { saved: PlayableAnswer; speed: number },
): Promise<App> {
  const { app, answers } = await createShell(parts.config, parts.logger);
  replayRoutes(app, answers, parts.saved, parts.speed);
  archiveRoutes(app, answers, null);
  reportRoutes(app);
  await pageRoutes(app, parts.config.web);
  return { server: app, answers };
}

/** JSON is the only body that is read; an empty one is no body. Keys that reach for a prototype are refused. */
function jsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    if (text.trim() === '') done(null, undefined);
    else parse(request, text, done);
  });
}
