import { isAbsolute, resolve } from 'node:path';
import { Command as Commander, CommanderError, Option } from 'commander';
import { LIMITS } from '../../shared/limits.ts';
import type { SessionScope } from '../record/ingest/session-homes.ts';

/** Severities from which on an audit can be made to fail. */
export const FAIL_ON = ['warning', 'error'] as const;
export type FailOn = (typeof FAIL_ON)[number];

/** Which folders are meant: those given, the folder the person stands in, or the demo projects. */
export type Where =
  | { type: 'given'; folders: string[] }
  | { type: 'here'; folder: string }
  | { type: 'demo' };

/** Which sessions of coding agents are read beside the folders: none, or those of a scope. */
export type Sessions = SessionScope | 'none';

/** What the command line asks for, with every path absolute. */
export type CliCommand =
  | {
      type: 'serve';
      where: Where;
      sessions: Sessions;
      /** A price list of the person's own. */
      prices?: string;
      /** Reads new lines as they come. */
      watch: boolean;
      /** Opens the page in a browser, where there is somebody to look at it. */
      open: boolean;
      port: number | null;
      host: string | null;
    }
  | {
      type: 'audit';
      where: Where;
      sessions: Sessions;
      prices?: string;
      json: boolean;
      failOn: FailOn | null;
    }
  | {
      type: 'replay';
      file: string;
      /** 1 is the answer's own pace. */
      speed: number;
      open: boolean;
      port: number | null;
      host: string | null;
    }
  /** Help or the version was asked for: a text to print. */
  | { type: 'text'; text: string };

/** The command line cannot be followed; the message is for the person at the terminal. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

const AFTER = `
A folder called audit or replay is given as ./audit or ./replay.
Nothing is ever written into the folders that are read.

Sessions of Claude Code and Codex that worked in a folder are read with it, where they lie: in ~/.claude, ~/.config/claude
and ~/.codex, or in CLAUDE_CONFIG_DIR and CODEX_HOME.

Settings of the environment (PORT, HOST, OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL, LOOPLIGHT_STATE and others)
are described in the README; --port and --host go before them.

Exit codes: 0 done, 1 the audit found what --fail-on names, 2 the command could not be followed or carried out.`;

const port = (value: string): number => {
  const number = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number <= 65_535)) throw new UsageError('--port takes a port number from 0 to 65535.');
  return number;
};
const host = (value: string): string => {
  if (value.length > 253 || !/^[A-Za-z0-9.:-]+$/.test(value))
    throw new UsageError('--host takes an address or host name, such as 127.0.0.1.');
  return value;
};
const speed = (value: string): number => {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!(number >= LIMITS.slowest && number <= LIMITS.fastest))
    throw new UsageError(`--speed takes a number from ${LIMITS.slowest} to ${LIMITS.fastest}.`);
  return number;
};
const failOn = (value: string): FailOn => {
  const known = FAIL_ON.find((one) => one === value);
  if (known === undefined) throw new UsageError(`--fail-on takes ${FAIL_ON.join(' or ')}.`);
  return known;
};

/** The end of a commander error in one sentence of ours. */
function sentenceOf(error: CommanderError): string {
  const quoted = /'([^']{1,80})'/.exec(error.message)?.[1];
  switch (error.code) {
    case 'commander.unknownOption':
      return `There is no option ${quoted ?? 'like that'}. --help lists what there is.`;
    case 'commander.missingArgument':
      return 'Give the file of one saved answer: replay <file> [--speed 0.25].';
    case 'commander.excessArguments':
      return 'replay takes one file: replay <file> [--speed 0.25].';
    case 'commander.optionMissingArgument':
      return `${quoted?.split(/[ ,]/).find((part) => part.startsWith('--')) ?? 'That option'} needs a value. --help says which.`;
    default:
      return `${error.message.replace(/^error: /, '')} --help lists what there is.`;
  }
}

export interface SessionOptions {
  allSessions?: boolean;
  worktrees?: boolean;
  /** False with --no-sessions. */
  sessions: boolean;
  prices?: string;
}

/** Of this folder, unless something else is asked for. The demo projects have none outside their folders. */
export function sessionsOf({ allSessions, worktrees, sessions }: SessionOptions, where: Where): Sessions {
  if ([allSessions === true, worktrees === true, !sessions].filter(Boolean).length > 1)
    throw new UsageError('Give one of --all-sessions, --worktrees and --no-sessions.');
  if (!sessions || where.type === 'demo') return 'none';
  if (allSessions === true) return 'all';
  return worktrees === true ? 'worktrees' : 'folder';
}

/** Options of commands that read sessions. */
export const readingSessions = (command: Commander): Commander =>
  command
    .option('--all-sessions', 'read the sessions of coding agents in every folder, not only in this one')
    .option('--worktrees', 'read also the sessions in other worktrees of the same repository')
    .option('--no-sessions', 'read no sessions outside the folder')
    .option('--prices <file>', 'a price list of your own, before the one that comes along (docs/money.md)');

interface ServeOptions extends SessionOptions {
  watch?: boolean;
  open: boolean;
  port?: number;
  host?: string;
  demo?: boolean;
  here?: boolean;
}

interface AuditOptions extends SessionOptions {
  json?: boolean;
  failOn?: FailOn;
  demo?: boolean;
}

const serving = (command: Commander): Commander =>
  command
    .option('--port <number>', 'port to serve at; 0 lets the system choose', port)
    .option('--host <address>', 'address to serve at; beyond this machine it needs LOOPLIGHT_TOKEN', host)
    .option('--no-open', 'do not open the page in a browser');

/**
 * Reads the command line.
 * @param args what stands after the program's name
 * @param cwd folder that relative paths start at
 * @param version of the program
 * @throws UsageError with one sentence
 */
export function parseCommand(args: readonly string[], cwd: string, version: string): CliCommand {
  let found: CliCommand | null = null;
  let text = '';
  const absolute = (path: string): string => {
    if (path === '') throw new UsageError('One of the paths is empty.');
    return isAbsolute(path) ? path : resolve(cwd, path);
  };
  const pricesAt = ({ prices }: SessionOptions): { prices?: string } =>
    prices === undefined ? {} : { prices: absolute(prices) };
  const where = (paths: readonly string[], options: Pick<ServeOptions, 'demo' | 'here'>): Where => {
    if (options.demo === true && paths.length > 0)
      throw new UsageError('Give folders, or --demo for the demo projects, not both.');
    if (paths.length > LIMITS.projects)
      throw new UsageError(`At most ${LIMITS.projects} folders can be read at once.`);
    if (paths.length > 0) return { type: 'given', folders: paths.map(absolute) };
    return options.here === true && options.demo !== true ? { type: 'here', folder: cwd } : { type: 'demo' };
  };

  const program = readingSessions(serving(new Commander('looplight')))
    .description(
      'Answers questions about what coding agents did on their own, from what their harness recorded.',
    )
    .argument('[paths...]', 'folders to read, each a project')
    .option('--no-watch', 'do not read new lines while serving')
    .option('--watch', 'read new lines while serving (the default)')
    .option('--demo', 'read the demo projects')
    // Set by the launcher: without paths the folder one stands in is meant.
    .addOption(new Option('--here').hideHelp())
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this')
    .addHelpText('after', AFTER)
    .enablePositionalOptions()
    .action((paths: string[], options: ServeOptions) => {
      const meant = where(paths, options);
      found = {
        type: 'serve',
        where: meant,
        sessions: sessionsOf(options, meant),
        ...pricesAt(options),
        watch: options.watch !== false,
        open: options.open,
        port: options.port ?? null,
        host: options.host ?? null,
      };
    });

  readingSessions(program.command('audit'))
    .description('print what contradicts itself in the record, with the lines it rests on')
    .argument('[paths...]', 'folders to read, each a project')
    .option('--json', 'print it as JSON')
    .option(
      '--fail-on <severity>',
      `end with exit code 1 from this severity on: ${FAIL_ON.join(' or ')}`,
      failOn,
    )
    .option('--demo', 'read the demo projects')
    .helpOption('-h, --help', 'print this')
    .action((paths: string[], own: AuditOptions) => {
      const { here } = program.opts<ServeOptions>();
      const meant = where(paths, { ...own, ...(here === true ? { here } : {}) });
      found = {
        type: 'audit',
        where: meant,
        sessions: sessionsOf(own, meant),
        ...pricesAt(own),
        json: own.json === true,
        failOn: own.failOn ?? null,
      };
    });

  serving(program.command('replay'))
    .description('play a saved answer from its file, without record and model')
    .argument('<file>', 'a saved answer')
    .option('--speed <factor>', 'how fast; 1 is its own pace', speed, 1)
    .allowExcessArguments(false)
    .helpOption('-h, --help', 'print this')
    .action((file: string, options: ServeOptions & { speed: number }) => {
      found = {
        type: 'replay',
        file: absolute(file),
        speed: options.speed,
        open: options.open,
        port: options.port ?? null,
        host: options.host ?? null,
      };
    });

  for (const command of [program, ...program.commands])
    command.exitOverride().configureOutput({
      writeOut: (part) => {
        text += part;
      },
      writeErr: () => undefined,
    });
  program.helpCommand(false);

  try {
    program.parse([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { type: 'text', text };
    throw new UsageError(sentenceOf(error));
  }
  if (found === null) throw new UsageError('Nothing was asked for. --help lists what there is.');
  return found;
}
