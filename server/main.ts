import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { LIMITS } from '../shared/limits.ts';
import { type App, createApp, createReplayApp } from './app.ts';
import { openArchive } from './archive/archive.ts';
import { openBoards } from './boards/store.ts';
import { auditJson, auditOf, auditText, fails } from './cli/audit.ts';
import { type CliCommand, parseCommand, type Sessions, UsageError } from './cli/command.ts';
import { foundText } from './cli/found.ts';
import { earlyLog, quietAtFirst } from './cli/logs.ts';
import { canShowPage, openPage } from './cli/open-page.ts';
import { CliError, readFolders, usableState } from './cli/read.ts';
import { type Config, ConfigError, readConfig, stateFolder } from './config.ts';
import { createLog } from './log.ts';
import { telemetryBase } from './otlp/receiver.ts';
import { openOwn } from './own/own-project.ts';
import { packageRoot } from './paths.ts';
import { choosePlanner } from './planner/choose.ts';
import { type SessionHomes, sessionHomes } from './record/ingest/session-homes.ts';
import { SILENT } from './record/log.ts';
import { loadPrices, PriceListError } from './record/prices/price-files.ts';
import type { Price } from './record/prices/price-list.ts';
import { openSaved, ReplayError } from './replay/saved-file.ts';

type Of<T extends CliCommand['type']> = Extract<CliCommand, { type: T }>;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** The bundled prices, and over them a list of the person's own: the one of the command line, else the one of the environment. */
const pricesFor = (given: string | undefined, root: string): Promise<Price[]> =>
  loadPrices(join(root, 'data', 'prices'), given ?? (process.env.LOOPLIGHT_PRICES?.trim() || null));

/** Where sessions are looked for; only the command line looks into the homes of harnesses. */
const homesFor = (sessions: Sessions): { homes?: SessionHomes } =>
  sessions === 'none' ? {} : { homes: { homes: sessionHomes(process.env), scope: sessions } };

function versionOf(root: string): string {
  const read = z
    .object({ version: z.string() })
    .safeParse(createRequire(import.meta.url)(join(root, 'package.json')));
  return read.success ? read.data.version : '';
}

async function listen(app: App, config: Config): Promise<string> {
  try {
    return await app.server.listen({ host: config.host, port: config.port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EADDRINUSE')
      throw new CliError(
        `Port ${config.port} is in use. Stop what runs there, or give another one with --port.`,
      );
    if (code === 'EACCES')
      throw new CliError(
        `Port ${config.port} may not be used by this user. Give one above 1023 with --port.`,
      );
    if (code === 'EADDRNOTAVAIL')
      throw new CliError(`This machine has no address ${config.host}. Give one it has with --host.`);
    throw error;
  }
}

/** Ends answers, connections and the records, within LIMITS.shutdownMs. */
function endOnSignal(app: App, records: { close(): Promise<void> } | null): void {
  let ending = false;
  const end = (): void => {
    // A second signal means now.
    if (ending) process.exit(1);
    ending = true;
    setTimeout(() => process.exit(1), LIMITS.shutdownMs).unref();
    app.server
      .close()
      .then(() => records?.close())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

/** With an access token the page has to be opened by hand, since the token must not stand among a program's arguments. */
async function show(address: string, open: boolean, config: Config): Promise<void> {
  if (open && config.token === null && canShowPage(process)) await openPage(address);
}

/** Serves one saved answer; there is no record and no planner. */
async function replay({ file, speed, open, ...given }: Of<'replay'>, root: string): Promise<void> {
  const config = readConfig(process.env, given, root);
  const logger = createLog({ level: config.logLevel, secrets: [config.token] });
  const app = await createReplayApp({ config, logger, saved: await openSaved(file), speed });
  endOnSignal(app, null);
  const address = await listen(app, config);
  const pace = speed === 1 ? '' : ` · at ${speed} times its pace`;
  say(`\nLooplight: ${address}\nReplay · ${file}${pace}\n`);
  await show(address, open, config);
}

/** Reads the folders, says what was found, and serves the page. */
async function serve(
  { where, sessions, prices, watch, open, ...given }: Of<'serve'>,
  root: string,
): Promise<void> {
  const config = readConfig(process.env, given, root);
  const secrets = [config.model.apiKey, config.token].filter((secret) => secret !== null);
  const logger = createLog({ level: config.logLevel, secrets });
  const planner = choosePlanner({
    apiKey: config.model.apiKey,
    baseURL: config.model.baseUrl,
    model: config.model.model,
    effort: config.model.effort,
  });
  const early = earlyLog();
  const state = await usableState(config.state, early);
  const reading = quietAtFirst(early);
  const workspace = await readFolders({
    where,
    data: join(root, 'data'),
    state,
    log: reading.log,
    ...homesFor(sessions),
    ...(state === null ? {} : { telemetry: telemetryBase(state) }),
    prices: await pricesFor(prices, root),
    stream: process.stderr,
  });
  reading.loud();
  const summaries = workspace.projects.map(async ({ name, record }) => ({
    ...(await record.summary()),
    name,
  }));
  say(foundText(await Promise.all(summaries)));
  const folder = join(config.state, 'answers');
  const archive = await openArchive({ folder, keepDays: config.keepDays, log: early });
  const own = archive.keeps
    ? await openOwn({
        folder,
        database: join(config.state, 'own-answers.duckdb'),
        written: () => archive.written(),
        log: SILENT,
      })
    : null;
  const app = await createApp({
    config,
    logger,
    planner,
    secrets,
    projects: workspace.projects,
    archive,
    ...(own === null ? {} : { own }),
    ...(state === null ? {} : { telemetry: telemetryBase(state) }),
    boards: await openBoards(join(config.state, 'boards'), early),
  });
  early.goTo({
    info: (message) => app.server.log.info(message),
    warn: (message) => app.server.log.warn(message),
  });
  endOnSignal(app, {
    async close() {
      await Promise.all([workspace.close(), own?.record.close()]);
    },
  });
  if (watch) workspace.watch();
  own?.record.watch();
  const address = await listen(app, config);
  say(
    `\nLooplight: ${address}\n${planner.name} · ${workspace.projects.map(({ name }) => name).join(', ')}\n`,
  );
  await show(address, open, config);
}

/** Prints the findings of the folders; they are read into memory, so that nothing is left behind. */
async function audit({ where, sessions, prices, json, failOn }: Of<'audit'>, root: string): Promise<void> {
  const workspace = await readFolders({
    where,
    data: join(root, 'data'),
    state: null,
    log: SILENT,
    ...homesFor(sessions),
    telemetry: telemetryBase(stateFolder(process.env, root)),
    prices: await pricesFor(prices, root),
    stream: process.stderr,
  });
  try {
    const projects = await auditOf(workspace.projects);
    say(json ? auditJson(projects) : auditText(projects));
    if (fails(projects, failOn)) process.exitCode = 1;
  } finally {
    await workspace.close();
  }
}

async function main(): Promise<void> {
  const root = packageRoot();
  const command = parseCommand(process.argv.slice(2), process.cwd(), versionOf(root));
  switch (command.type) {
    case 'text':
      process.stdout.write(command.text);
      return;
    case 'replay':
      return replay(command, root);
    case 'audit':
      return audit(command, root);
    case 'serve':
      return serve(command, root);
  }
}

/** What a person at the terminal is told in a sentence; anything else is a defect and shows its stack. */
const FOR_PEOPLE = [UsageError, CliError, ConfigError, PriceListError, ReplayError];

main().catch((error: unknown) => {
  const told = FOR_PEOPLE.find((kind) => error instanceof kind) !== undefined;
  const message =
    error instanceof Error ? (told ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(told ? `\n${message}\n\n` : `${message}\n`);
  process.exit(2);
});
