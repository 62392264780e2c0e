import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod/v4';
import { LIMITS } from '../shared/limits.ts';
import { isLoopback } from './security/hosts.ts';

/** Everything that can be set from outside, read once at start. */
export interface Config {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  /** Built page. */
  web: string;
  /** Folder for the database file. */
  state: string;
  /** Days an answer is kept as a file; 0 keeps none. */
  keepDays: number;
  model: {
    apiKey: string | null;
    baseUrl: string | null;
    model: string | null;
    effort: (typeof EFFORTS)[number] | null;
  };
  /** Needed beyond loopback, unless `trustLocal`. */
  token: string | null;
  /** The port is published on the host's own loopback only (a container behind compose). */
  trustLocal: boolean;
  /** Further host names the page may be opened under. */
  hosts: string[];
  logLevel: (typeof LEVELS)[number];
}

/** A setting that cannot be used; the message is for the person at the terminal and holds no value of a secret. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/** `off` sends no effort at all, for servers that know none. */
const EFFORTS = ['off', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const HOST_ENTRY = /^(?:\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/;

const Env = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .refine((port) => port <= 65_535)
    .optional(),
  HOST: z
    .string()
    .max(253)
    .regex(/^[A-Za-z0-9.:-]+$/)
    .optional(),
  OPENAI_API_KEY: z.string().max(4_096).optional(),
  OPENAI_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  OPENAI_MODEL: z.string().max(200).optional(),
  LOOPLIGHT_EFFORT: z.enum(EFFORTS).optional(),
  LOOPLIGHT_TOKEN: z
    .string()
    .max(256)
    .regex(/^[\w~.-]{16,}$/)
    .optional(),
  LOOPLIGHT_TRUST_LOCAL: z.enum(['0', '1']).optional(),
  LOOPLIGHT_HOSTS: z
    .string()
    .max(2_000)
    .transform((list) =>
      list
        .toLowerCase()
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    )
    .refine((entries) => entries.every((entry) => HOST_ENTRY.test(entry)))
    .optional(),
  LOOPLIGHT_STATE: z.string().max(4_096).optional(),
  LOOPLIGHT_KEEP_DAYS: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .refine((days) => days <= LIMITS.keepDays)
    .optional(),
  LOG_LEVEL: z.enum(LEVELS).optional(),
});

/** What each setting takes, in words; never the value that was given. */
const TAKES: Record<keyof z.infer<typeof Env>, string> = {
  PORT: 'a port number from 0 to 65535',
  HOST: 'an address or host name, such as 127.0.0.1',
  OPENAI_API_KEY: 'the key of the model server, on one line',
  OPENAI_BASE_URL: 'an http or https address, such as http://127.0.0.1:11434/v1',
  OPENAI_MODEL: 'the name of a model',
  LOOPLIGHT_EFFORT: `one of ${EFFORTS.join(', ')}`,
  LOOPLIGHT_TOKEN: 'at least 16 letters, digits, "-", "_", "." or "~"',
  LOOPLIGHT_TRUST_LOCAL: '1 or 0',
  LOOPLIGHT_HOSTS: 'host names separated by commas, each with its port if it is not the usual one',
  LOOPLIGHT_STATE: 'a folder',
  LOOPLIGHT_KEEP_DAYS: `a number of days from 0 to ${LIMITS.keepDays}`,
  LOG_LEVEL: `one of ${LEVELS.join(', ')}`,
};

/** Settings that stand on the command line; they go before the environment's. */
export interface GivenSettings {
  port: number | null;
  host: string | null;
}

/**
 * Settings from the environment and the command line.
 * @param env the environment; an empty value counts as not set
 * @param given what the command line says
 * @param root folder of the package
 * Throws ConfigError with one sentence for each thing that is wrong.
 */
export function readConfig(env: NodeJS.ProcessEnv, given: GivenSettings, root: string): Config {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const read = Env.safeParse(set);
  if (!read.success) {
    const names = new Set(read.error.issues.map((issue) => String(issue.path[0])));
    const sentences = Object.entries(TAKES).filter(([name]) => names.has(name));
    throw new ConfigError(sentences.map(([name, takes]) => `${name} takes ${takes}.`).join('\n'));
  }
  const values = read.data;
  const host = given.host ?? values.HOST ?? '127.0.0.1';
  const config: Config = {
    host,
    port: given.port ?? values.PORT ?? 4173,
    web: join(root, 'dist', 'web'),
    state: stateFolder(env, root),
    keepDays: values.LOOPLIGHT_KEEP_DAYS ?? 90,
    model: {
      apiKey: values.OPENAI_API_KEY ?? null,
      baseUrl: values.OPENAI_BASE_URL ?? null,
      model: values.OPENAI_MODEL ?? null,
      effort: values.LOOPLIGHT_EFFORT ?? null,
    },
    token: values.LOOPLIGHT_TOKEN ?? null,
    trustLocal: values.LOOPLIGHT_TRUST_LOCAL === '1',
    hosts: values.LOOPLIGHT_HOSTS ?? [],
    logLevel: values.LOG_LEVEL ?? 'warn',
  };
  if (!isLoopback(host) && config.token === null && !config.trustLocal)
    throw new ConfigError(
      `HOST is ${host}, which other machines can reach. Set LOOPLIGHT_TOKEN to an access token (${TAKES.LOOPLIGHT_TOKEN}), ` +
        'or, if the port is published on this machine alone, LOOPLIGHT_TRUST_LOCAL=1.',
    );
  return config;
}

/** Where databases, answers and telemetry are kept, whatever else is set. */
export function stateFolder(env: NodeJS.ProcessEnv, root: string): string {
  const set = env.LOOPLIGHT_STATE?.trim() ?? '';
  return set === '' ? join(root, '.looplight') : absolute(set);
}

const absolute = (path: string): string => (isAbsolute(path) ? path : resolve(path));
