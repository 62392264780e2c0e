import type { Adapter } from '../adapter.ts';
import { execOutput } from './exec-output.ts';
import { rollout } from './rollout.ts';

/** Readers of what Codex writes. */
export const CODEX: readonly Adapter[] = [rollout, execOutput];
