import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { agentOutput } from './agent-output.ts';

const PATH = '.ralph/logs/claude_output_2026-01-28_14-30-00.log';
const BLOCK = `---RALPH_STATUS---
STATUS: IN_PROGRESS
TASKS_COMPLETED_THIS_LOOP: 1
TESTS_STATUS: PASSING
EXIT_SIGNAL: false
RECOMMENDATION: Go on with the door
---END_RALPH_STATUS---`;

describe('outputs of the agent', () => {
  it('reads status blocks in text and inside JSON', async () => {
    const json = JSON.stringify({ result: BLOCK.replace('IN_PROGRESS', 'BLOCKED') });
    const read = await readWith(agentOutput, { [PATH]: `Working on it.\n${BLOCK}\nmore\n${json}\n` });
    expect(
      read
        .rows('log_events')
        .map((row) => [row.kind, row.level, row.message, row.source_line, row.last_line]),
    ).toEqual([
      ['agent_status', 'info', 'IN_PROGRESS, tests PASSING, exit false, Go on with the door', 2, 8],
      ['agent_status', 'warning', 'BLOCKED, tests PASSING, exit false, Go on with the door', 10, 10],
      ['agent_output', 'info', '10 lines of output, 2 with a status', 1, undefined],
    ]);
    expect(read.rows('log_events')[0]).toMatchObject({ at_ms: Date.UTC(2026, 0, 28, 14, 30), zone: null });
  });

  it('ends a block that has no end', async () => {
    const read = await readWith(agentOutput, {
      [PATH]: `---RALPH_STATUS---\nSTATUS: COMPLETE\n${'word\n'.repeat(100)}`,
    });
    expect(read.rows('log_events').map((row) => row.kind)).toEqual(['agent_status', 'agent_output']);
  });

  it('finds no block in plain talk about one', async () => {
    const read = await readWith(agentOutput, {
      [PATH]: 'I must write ---RALPH_STATUS--- at the end.\nSTATUS: COMPLETE\n',
    });
    expect(read.rows('log_events').map((row) => row.kind)).toEqual(['agent_output']);
  });
});
