import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { LIMITS } from '../shared/limits.ts';
import type { AnswerLimits, Answers } from './answer/answers.ts';
import { createAnswers } from './answer/answers.ts';
import { createAsking } from './answer/asking.ts';
import { createConversations } from './answer/conversation.ts';
import { createKeeping } from './answer/keeping.ts';
import type { NamedPlanner } from './answer/types.ts';
import type { Archive } from './archive/archive.ts';
import type { BoardStore } from './boards/store.ts';
import type { Config } from './config.ts';
import { createFeed } from './live/feed.ts';
import type { createLog } from './log.ts';
import { createReceiver, type ReceiverLimits } from './otlp/receiver.ts';
import type { PlayableAnswer } from './replay/saved-file.ts';
import { answerRoutes, archiveRoutes } from './routes/answers.ts';
import { askRoutes } from './routes/ask.ts';
import { boardRoutes } from './routes/boards.ts';
import { healthRoutes } from './routes/health.ts';
import { liveRoutes } from './routes/live.ts';
import { otlpRoutes } from './routes/otlp.ts';
import { pageRoutes } from './routes/page.ts';
import { projectRoutes } from './routes/projects.ts';
import { recordRoutes } from './routes/record.ts';
import { replayRoutes } from './routes/replay.ts';
import { refuse } from './routes/reply.ts';
import { reportRoutes } from './routes/report.ts';
import { traceRoutes } from './routes/trace.ts';
import { vocabularyRoutes } from './routes/vocabulary.ts';
import { guard } from './security/guard.ts';
import { protectiveHeaders } from './security/headers.ts';
import { createDesks } from './workspace/desks.ts';
import { describeProject, type Project } from './workspace/project.ts';

export interface AppParts {
  config: Pick<Config, 'host' | 'port' | 'hosts' | 'token' | 'trustLocal' | 'web'>;
  logger: ReturnType<typeof createLog>;
  /** What can be asked about, the default project first. */
  projects: readonly [Project, ...Project[]];
  planner: NamedPlanner;
  /** Where answers outlive the process; without it they do not. */
  archive?: Archive;
  /** The record of its own answers; without it they cannot be asked about. */
  own?: Project;
  /** Where boards are kept; without it there are none. */
  boards?: BoardStore;
  /** Folder under which received telemetry is kept; without it there is no receiver. */
  telemetry?: string;
  /** Bounds of received telemetry, where a test needs other ones. */
  telemetryLimits?: ReceiverLimits;
  /** Clock of the kept answers, epoch milliseconds. */
  now?: () => number;
  /** Name of the program that plans, where a test needs another one. */
  program?: string;
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
  const { config, projects, planner, archive, now, own = null } = parts;
  /** Everything that is read, whoever it is about. */
  const all = own === null ? projects : [...projects, own];
  const { app, answers } = await createShell(config, parts.logger, parts.limits);
  const desks = createDesks({
    projects,
    planner,
    own,
    keeping:
      archive === undefined
        ? null
        : (folder) =>
            createKeeping({
              archive,
              folder,
              ...(now ? { now } : {}),
              ...(parts.program === undefined ? {} : { program: parts.program }),
            }),
    log: app.log,
  });
  const asking = createAsking({ desks, answers, conversations: createConversations(), log: app.log });
  app.addHook('preClose', async () => {
    await archive?.close();
  });
  askRoutes(app, asking);
  answerRoutes(app, { answers, asking });
  archiveRoutes(app, answers, archive ?? null, (folder) => desks.kept(folder)?.projects ?? []);
  healthRoutes(app, { planner, project: (id) => desks.start(id) });
  projectRoutes(app, () => Promise.all(projects.map(describeProject)));
  vocabularyRoutes(app, (id) => desks.start(id));
  recordRoutes(app, {
    async evidence(id) {
      for (const { wiring } of all) {
        const evidence = await wiring.registry.open(id);
        if (evidence === null) continue;
        // Whose it is goes without saying where there is only one.
        const { project, ...rest } = evidence;
        return all.length > 1 && project !== undefined ? { ...rest, project } : rest;
      }
      return null;
    },
    async rows(id) {
      for (const { wiring } of all) {
        const rows = await wiring.registry.rows(id);
        if (rows !== null) return rows;
      }
      return null;
    },
    rawLines: async (source, line, around, id) => {
      const project = id === undefined ? projects[0] : all.find((one) => one.id === id);
      return project === undefined ? null : project.record.rawLines(source, line, around);
    },
  });
  const feed = createFeed({
    log: app.log,
    onChange(listener) {
      const ends = projects.map(({ record }) => record.onChange(listener));
      return () => {
        for (const end of ends) end();
      };
    },
    onBoards: (listener) => parts.boards?.onChange(listener) ?? (() => undefined),
  });
  app.addHook('preClose', async () => feed.close());
  liveRoutes(app, feed, answers, asking);
  boardRoutes(app, { boards: parts.boards ?? null, answers, archive: archive ?? null, desks });
  if (parts.telemetry !== undefined)
    otlpRoutes(
      app,
      createReceiver({
        projects,
        folder: parts.telemetry,
        log: { warn: (message) => app.log.warn(message) },
        ...(parts.telemetryLimits === undefined ? {} : { limits: parts.telemetryLimits }),
      }),
    );
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
