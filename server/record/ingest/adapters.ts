import type { Adapter } from './adapter.ts';
import { AGENT_LOOP } from './agent-loop/index.ts';
import { AGENTFORGE } from './agentforge/index.ts';
import { CLAUDE_CODE, CLAUDE_HEADLESS } from './claude-code/index.ts';
import { CODEX } from './codex/index.ts';
import { GIT } from './git/index.ts';
import { GUARDIANKANE } from './guardiankane/index.ts';
import { OTLP } from './otlp/index.ts';
import { RALPH } from './ralph/index.ts';
import { TEST_REPORTS } from './test-reports/index.ts';
import { UNKNOWN } from './unknown/index.ts';

/**
 * Every adapter, in the order in which a file is offered to them: the first that wants it reads it. Those of sessions
 * look at how a file begins, so they come before readers that go by names. A folder's git comes last:
 * readers of harnesses that need the commits for their own runs have taken it by then.
 */
export const ADAPTERS: readonly Adapter[] = [
  ...CLAUDE_CODE,
  ...CODEX,
  ...OTLP,
  ...RALPH,
  ...CLAUDE_HEADLESS,
  ...AGENTFORGE,
  ...GUARDIANKANE,
  ...AGENT_LOOP,
  ...TEST_REPORTS,
  ...GIT,
  ...UNKNOWN,
];
