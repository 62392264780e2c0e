import { cp, mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createParser } from 'eventsource-parser';
import type { AnswerLimits } from '../../server/answer/answers.ts';
import type { AnswerPorts } from '../../server/answer/ports.ts';
import type { NamedPlanner } from '../../server/answer/types.ts';
import type { VerifyPorts } from '../../server/answer/verify.ts';
import { createApp } from '../../server/app.ts';
import { openArchive } from '../../server/archive/archive.ts';
import { openBoards } from '../../server/boards/store.ts';
import type { Config } from '../../server/config.ts';
import { createLog } from '../../server/log.ts';
import type { ReceiverLimits } from '../../server/otlp/receiver.ts';
import { openOwn } from '../../server/own/own-project.ts';
import { packageRoot } from '../../server/paths.ts';
import { builtinPlanner } from '../../server/planner/builtin/index.ts';
import { SILENT } from '../../server/record/log.ts';
import type { Project } from '../../server/workspace/project.ts';
import { openWorkspace, type Workspace } from '../../server/workspace/workspace.ts';
import type { StreamEvent } from '../../shared/wire.ts';

/** The whole server in this process on a free port of loopback, with a record of its own in memory. */

export const ROOT = packageRoot();
export const DEMO = join(ROOT, 'data', 'agentforge');

export interface Options {
  planner?: NamedPlanner;
  record?: string;
  /** Several folders, each a project of its own; the first is the default one. */
  records?: readonly string[];
  /** State folder in which answers are kept; none are without it. */
  state?: string;
  /** Folder under which received telemetry is kept; without it none is taken. */
  telemetry?: string;
  telemetryLimits?: ReceiverLimits;
  /** Clock of the kept answers, epoch milliseconds. */
  now?: () => number;
  /** Name of the program that plans, where it is not the one that runs. */
  program?: string;
  config?: Partial<Config>;
  limits?: AnswerLimits;
  secrets?: string[];
  /** Changes single steps, the second reading's among them. */
  ports?: (ports: AnswerPorts, verifying: VerifyPorts) => AnswerPorts;
}

export interface Running {
  url: string;
  /** Everything the log was given. */
  log(): string;
  /** The loaded projects. */
  projects: Workspace['projects'];
  /** Reads the default record's folder again. */
  reload(): Promise<boolean>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export async function start(options: Options = {}): Promise<Running> {
  const lines: string[] = [];
  const workspace = await openWorkspace({
    folders: options.records ?? [options.record ?? DEMO],
    state: null,
    log: SILENT,
    ...(options.telemetry === undefined ? {} : { telemetry: options.telemetry }),
  });
  const archive =
    options.state === undefined
      ? {}
      : {
          boards: await openBoards(join(options.state, 'boards'), {
            warn: (message) => void lines.push(message),
          }),
          archive: await openArchive({
            folder: join(options.state, 'answers'),
            keepDays: 90,
            log: { warn: (message) => void lines.push(message) },
          }),
        };
  const { archive: answers } = archive;
  const own =
    options.state === undefined
      ? null
      : await openOwn({
          folder: join(options.state, 'answers'),
          database: ':memory:',
          written: async () => answers?.written(),
          log: SILENT,
        });
  const change = options.ports ?? ((ports: AnswerPorts) => ports);
  const changed = (project: Project): Project => ({
    ...project,
    wiring: {
      ...project.wiring,
      ports: (log) => change(project.wiring.ports(log), project.wiring.verifying),
    },
  });
  const [first, ...others] = workspace.projects;
  const { server } = await createApp({
    config: {
      host: '127.0.0.1',
      port: 0,
      hosts: [],
      token: null,
      trustLocal: false,
      web: join(ROOT, 'does', 'not', 'exist'),
      ...options.config,
    },
    logger: createLog({
      level: 'debug',
      secrets: options.secrets ?? [],
      stream: { write: (line) => void lines.push(line) },
    }),
    planner: options.planner ?? builtinPlanner(),
    secrets: options.secrets ?? [],
    projects: [changed(first), ...others.map(changed)],
    ...archive,
    ...(own === null ? {} : { own }),
    ...(options.now ? { now: options.now } : {}),
    ...(options.program === undefined ? {} : { program: options.program }),
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.telemetry === undefined ? {} : { telemetry: options.telemetry }),
    ...(options.telemetryLimits === undefined ? {} : { telemetryLimits: options.telemetryLimits }),
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${portOf(server.server.address())}`;
  const json = { 'content-type': 'application/json' };
  return {
    url,
    log: () => lines.join(''),
    projects: workspace.projects,
    reload: () => first.record.reload(),
    fetch: (path, init) => fetch(`${url}${path}`, init),
    post: (path, body, init = {}) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        ...init,
        headers: { ...json, ...init.headers },
      }),
    close: async () => {
      await server.close();
      await workspace.close();
      await own?.record.close();
    },
  };
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0;

/** A copy of the demo record that a test may change. */
export async function demoCopy(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'looplight-record-'));
  await cp(DEMO, folder, { recursive: true });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export interface Numbered {
  id: number;
  event: StreamEvent;
}

const NAMES = ['open', 'a2ui', 'progress', 'chat', 'report', 'suggestions', 'done'] as const;

/** One event out of its parts. What the server writes is trusted to have its shape; that it has is tested elsewhere. */
function eventOf(name: string | undefined, data: string): StreamEvent {
  const known = NAMES.find((one) => one === name);
  if (known === undefined) throw new Error(`no such event: ${name}`);
  const event: StreamEvent = JSON.parse(JSON.stringify({ event: known, data: JSON.parse(data) }));
  return event;
}

/** Events of a response as they arrive. Leaving the loop early closes the connection. */
export async function* events(response: Response): AsyncGenerator<Numbered> {
  if (!response.ok || response.body === null) throw new Error(`refused with ${response.status}`);
  const ready: Numbered[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => ready.push({ id: Number(id), event: eventOf(event, data) }),
  });
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parser.feed(decoder.decode(part.value, { stream: true }));
      yield* ready.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** All events of a response, to its end. */
export async function readAll(response: Response): Promise<Numbered[]> {
  const all: Numbered[] = [];
  for await (const one of events(response)) all.push(one);
  return all;
}

/** Asks and reads the whole answer. */
export const ask = async (
  app: Running,
  question: string,
  more: Record<string, unknown> = {},
): Promise<Numbered[]> => readAll(await app.post('/api/ask', { question, ...more }));

export const doneOf = (all: readonly Numbered[]) => {
  const last = all.at(-1)?.event;
  if (last?.event !== 'done') throw new Error('the answer did not end with done');
  return last.data;
};
export const reportOf = (all: readonly Numbered[]) =>
  all.flatMap(({ event }) => (event.event === 'report' ? [event.data] : []))[0];
export const answerIdOf = (all: readonly Numbered[]): string => {
  const first = all[0]?.event;
  if (first?.event !== 'open') throw new Error('the answer did not begin with open');
  return first.data.answerId;
};
