import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { SourceKind } from '../source-kinds.ts';

/** Coding agents that keep sessions in a folder of the person who runs them; and what Looplight itself keeps of their telemetry. */
export type SessionHarness = 'claude' | 'codex' | 'telemetry';

/** A folder in which one of them keeps its sessions. */
export interface SessionHome {
  harness: SessionHarness;
  /** Absolute; it need not be there. */
  dir: string;
  /** How it is written in paths that people see: `~/.claude`, never where the person's own folder is. */
  shown: string;
}

/**
 * Which sessions belong to a project: those that worked in its folder or below it (`folder`), also those in other worktrees of
 * the same repository (`worktrees`), or all there are.
 */
export const SESSION_SCOPES = ['folder', 'worktrees', 'all'] as const;
export type SessionScope = (typeof SESSION_SCOPES)[number];

/** Where sessions are looked for beside the project's folder, and which of them are read. */
export interface SessionHomes {
  homes: readonly SessionHome[];
  scope: SessionScope;
}

/** Kinds of sources that a home may hold; its files are offered to patterns of these kinds alone. */
export const KINDS_OF_HOME: Readonly<Record<SessionHarness, readonly SourceKind[]>> = {
  claude: ['claude_session', 'claude_subagent', 'claude_result'],
  codex: ['codex_rollout'],
  telemetry: ['otlp_events'],
};

/** Folders one setting may name. */
const MOST = 8;

const placesOf = (list: string | undefined, home: string): string[] => [
  ...new Set(
    (list ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '')
      .slice(0, MOST)
      .map((one) => (one === '~' || one.startsWith('~/') ? join(home, one.slice(1)) : one))
      .map((one) => (isAbsolute(one) ? one : resolve(one))),
  ),
];

const named = (harness: SessionHarness, name: string, dirs: readonly string[]): SessionHome[] =>
  dirs.map((dir, at) => ({ harness, dir, shown: at === 0 ? `$${name}` : `$${name}:${at + 1}` }));

/**
 * The homes of this machine's user. `CLAUDE_CONFIG_DIR` (several, separated by commas) and `CODEX_HOME` take the place of the
 * usual folders, as they do for the harnesses themselves.
 * @param env the environment
 * @param home the user's own folder
 */
export function sessionHomes(
  env: Readonly<Record<string, string | undefined>>,
  home: string = homedir(),
): SessionHome[] {
  const claude = placesOf(env.CLAUDE_CONFIG_DIR, home);
  const codex = placesOf(env.CODEX_HOME, home).slice(0, 1);
  const usual = (harness: SessionHarness, path: string): SessionHome => ({
    harness,
    dir: join(home, path),
    shown: `~/${path}`,
  });
  return [
    ...(claude.length > 0
      ? named('claude', 'CLAUDE_CONFIG_DIR', claude)
      : [usual('claude', '.claude'), usual('claude', '.config/claude')]),
    ...(codex.length > 0 ? named('codex', 'CODEX_HOME', codex) : [usual('codex', '.codex')]),
  ];
}
