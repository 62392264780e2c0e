import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export interface RunningServer {
  url: string;
  /** Everything it wrote to its output so far. */
  log(): string;
  stop(): Promise<void>;
}

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

/** Folder of the demo record. */
export const DEMO = join(root, 'data', 'agentforge');

/** A copy of the demo record that a test may change; removed by `done`. */
export async function demoCopy(): Promise<{ path: string; done(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'looplight-record-'));
  await cp(DEMO, folder, { recursive: true });
  return { path: folder, done: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * Starts the built server on a free port of loopback with a state folder of its own.
 * @param env settings beside those; no key of the surroundings is passed on
 * @param record folder to serve, the demo's by default
 */
export const startServer = (env: Record<string, string> = {}, record = DEMO): Promise<RunningServer> =>
  startWith([record], env);

/** The same with several folders, each a project; the first is the default one. */
export const startProjects = (
  records: readonly string[],
  env: Record<string, string> = {},
): Promise<RunningServer> => startWith(records, env);

/** The same, playing a saved answer at so many times its own pace. */
export const startReplay = (file: string, speed: number): Promise<RunningServer> =>
  startWith(['replay', file, '--speed', String(speed)], {});

async function startWith(args: readonly string[], env: Record<string, string>): Promise<RunningServer> {
  const state = await mkdtemp(join(tmpdir(), 'looplight-state-'));
  const child: ChildProcess = spawn(process.execPath, [join(root, 'dist', 'server', 'main.js'), ...args], {
    cwd: root,
    // A home of its own, so that no session of whoever runs the tests is read.
    env: {
      PATH: process.env.PATH ?? '',
      HOME: state,
      HOST: '127.0.0.1',
      PORT: '0',
      LOOPLIGHT_STATE: state,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the server gave no address:\n${output}`)), 30_000);
    const read = (bytes: Buffer): void => {
      output += bytes.toString('utf8');
      const match = ADDRESS.exec(output);
      if (!match) return;
      clearTimeout(timer);
      resolve(match[0]);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.on('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`the server ended with ${code}:\n${output}`));
    });
  });
  return {
    url,
    log: () => output,
    stop: async () => {
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGTERM');
      await gone;
      await rm(state, { recursive: true, force: true });
    },
  };
}
