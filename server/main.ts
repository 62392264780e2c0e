import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LIMITS } from '../shared/limits.ts';
import { createKeeping } from './answer/keeping.ts';
import { type App, createApp, createReplayApp } from './app.ts';
import { openArchive } from './archive/archive.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { folderProblem } from './folder.ts';
import { createLog } from './log.ts';
import { packageRoot } from './paths.ts';
import { choosePlanner } from './planner/choose.ts';
import { openRecord } from './record/index.ts';
import type { RecordLog } from './record/log.ts';
import type { RecordHandle } from './record/store.ts';
import { openSaved, type PlayableAnswer, ReplayError } from './replay/saved-file.ts';
import { createWiring } from './wiring.ts';

/** Ends the process with a sentence for the person at the terminal. */
function fail(message: string): never {
  process.stderr.write(`\n${message}\n\n`);
  process.exit(1);
}

function settings(): Config {
  try {
    return readConfig(process.env, process.argv.slice(2), packageRoot());
  } catch (error) {
    if (error instanceof ConfigError) return fail(error.message);
    throw error;
  }
}

/** One database file a record folder, so that records of two folders never mix; in memory where no file can be made. */
async function databaseOf(config: Config, log: RecordLog): Promise<string> {
  try {
    await mkdir(config.state, { recursive: true });
  } catch {
    log.warn(`${config.state} cannot be written; the record is kept in memory.`);
    return ':memory:';
  }
  const key = createHash('sha256').update(resolve(config.record)).digest('hex').slice(0, 16);
  return join(config.state, `record-${key}.duckdb`);
}

/** Lines kept while the server's own log is not there yet. */
const EARLY_LINES = 200;

/** A log that holds its lines until it is told where they go. */
function earlyLog(): RecordLog & { goTo(log: RecordLog): void } {
  const lines: ['info' | 'warn', string][] = [];
  let target: RecordLog | null = null;
  const write = (level: 'info' | 'warn', message: string): void => {
    if (target !== null) target[level](message);
    else if (lines.length < EARLY_LINES) lines.push([level, message]);
  };
  return {
    info: (message) => write('info', message),
    warn: (message) => write('warn', message),
    goTo(log) {
      target = log;
      for (const [level, message] of lines.splice(0)) log[level](message);
    },
  };
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

async function listen(app: App, config: Config): Promise<string> {
  try {
    return await app.server.listen({ host: config.host, port: config.port });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EADDRINUSE')
      return fail(`Port ${config.port} is in use. Stop what runs there, or set PORT to another one.`);
    if (code === 'EACCES')
      return fail(`Port ${config.port} may not be used by this user. Set PORT to one above 1023.`);
    if (code === 'EADDRNOTAVAIL')
      return fail(`This machine has no address ${config.host}. Set HOST to one it has.`);
    throw error;
  }
}

/** Ends answers, connections and the record, within LIMITS.shutdownMs. */
function endOnSignal(app: App, record: Pick<RecordHandle, 'close'> | null): void {
  let ending = false;
  const end = (): void => {
    // A second signal means now.
    if (ending) process.exit(1);
    ending = true;
    setTimeout(() => process.exit(1), LIMITS.shutdownMs).unref();
    app.server
      .close()
      .then(() => record?.close())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

/** A file that cannot be played ends the process with a sentence. */
async function savedAnswer(path: string): Promise<PlayableAnswer> {
  try {
    return await openSaved(path);
  } catch (error) {
    if (error instanceof ReplayError) return fail(error.message);
    throw error;
  }
}

/** Serves one saved answer; there is no record and no planner. */
async function replay(config: Config, { file, speed }: NonNullable<Config['replay']>): Promise<void> {
  const logger = createLog({ level: config.logLevel, secrets: [config.token] });
  const app = await createReplayApp({ config, logger, saved: await savedAnswer(file), speed });
  endOnSignal(app, null);
  const address = await listen(app, config);
  const pace = speed === 1 ? '' : ` · at ${speed} times its pace`;
  process.stdout.write(`\nLooplight: ${address}\nReplay · ${file}${pace}\n\n`);
}

async function main(): Promise<void> {
  const config = settings();
  if (config.replay !== null) return replay(config, config.replay);
  const secrets = [config.model.apiKey, config.token].filter((secret) => secret !== null);
  const logger = createLog({ level: config.logLevel, secrets });
  const planner = choosePlanner({
    apiKey: config.model.apiKey,
    baseURL: config.model.baseUrl,
    model: config.model.model,
    effort: config.model.effort,
  });
  const problem = await folderProblem(config.record);
  if (problem !== null) return fail(problem);
  const log = earlyLog();
  const record = await openRecord({ root: config.record, database: await databaseOf(config, log), log });
  const folder = join(config.state, 'answers');
  const keeping = createKeeping({
    archive: await openArchive({ folder, keepDays: config.keepDays, log }),
    folder: resolve(config.record),
  });
  const app = await createApp({ config, logger, planner, secrets, keeping, ...createWiring(record) });
  log.goTo({
    info: (message) => app.server.log.info(message),
    warn: (message) => app.server.log.warn(message),
  });
  endOnSignal(app, record);
  const address = await listen(app, config);
  process.stdout.write(`\nLooplight: ${address}\n${planner.name} · ${config.record}\n\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
