import { describe, expect, it } from 'vitest';
import { findingsOf } from './test-findings.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 4, 4, 10) + second * 1000).toISOString();
/** A log of messages, each so many seconds after ten. */
const log = (...lines: (readonly [second: number, task: string, message: string])[]) => ({
  '.testmuai/kane-activity.log': lines
    .map(([second, task, message]) => `[${at(second)}] [${task}] ${message}\n`)
    .join(''),
});
const START = 'running scripted test: "lend_test.md".';
const SWEEP = 'running general defect sweep against PRD section "PRD.md#UC-1".';
const CLEAN = 'sweep found no issues. -> KANE_VERIFIED.';
const failed = (n: number, batch: string, reason: string): string =>
  `scripted test FAILED (attempt ${n}/3). summary: testrun batch: ${batch} passed. reason: ${reason}`;
const MEMBERS = 'failed members: lend_test.md (failed)';
const says = async (rule: string, files: Record<string, string>) =>
  (await findingsOf(rule, files)).map((row) => [row.feature, row.says, row.lines]);

describe('log_line_contradicts_itself', () => {
  it('finds a failure whose reason or count is that of a success, and the reverse', async () => {
    const files = log(
      [0, 'L1', START],
      [60, 'L1', failed(1, '1/2', 'all members passed')],
      [70, 'L1', START],
      [90, 'L1', failed(2, '2/2', MEMBERS)],
      [100, 'L2', START],
      [130, 'L2', 'scripted test PASSED. summary: testrun batch: 1/2 passed'],
    );
    expect(await says('log_line_contradicts_itself', files)).toEqual([
      ['L1', 'The line says failed, gives as its reason "all members passed", and counts 1 of 2 passed', '2'],
      ['L1', 'The line says failed, and counts 2 of 2 passed', '4'],
      ['L2', 'The line says passed, and counts 1 of 2 passed', '6'],
    ]);
  });

  it('finds nothing where verdict, reason and count agree', async () => {
    const files = log(
      [0, 'L1', START],
      [60, 'L1', failed(1, '1/2', MEMBERS)],
      [70, 'L1', START],
      [90, 'L1', 'scripted test PASSED. summary: testrun batch: 2/2 passed'],
    );
    expect(await says('log_line_contradicts_itself', files)).toEqual([]);
  });
});

describe('complete_before_end', () => {
  const done = [100, 'L1', 'all tasks KANE_VERIFIED. Build complete.'] as const;

  it('finds work after everything was said to be done', async () => {
    const files = log([0, 'L1', START], done, [110, 'L2', START], [120, 'L2', failed(1, '0/1', MEMBERS)]);
    expect(await says('complete_before_end', files)).toEqual([
      [
        null,
        'The log says that all is done; 2 entries about 1 task follow, first about L2, and 1 is a failure',
        '2 3',
      ],
    ]);
  });

  it('finds nothing where it is the end, or only the harness says something after it', async () => {
    expect(await says('complete_before_end', log([0, 'L1', START], done))).toEqual([]);
    expect(
      await says(
        'complete_before_end',
        log([0, 'L1', START], done, [110, 'graph', 'auto-refresh failed: x']),
      ),
    ).toEqual([]);
  });
});

describe('counter_goes_back', () => {
  it('finds a counter set back after a block, one set back without it, and one that stands still', async () => {
    const files = log(
      [0, 'L1', failed(1, '0/1', MEMBERS)],
      [10, 'L1', failed(1, '0/1', MEMBERS)],
      [20, 'L1', failed(3, '0/1', MEMBERS)],
      [21, 'L1', '-> BLOCKED_NEEDS_HUMAN after 3 failures.'],
      [30, 'L2', failed(2, '0/1', MEMBERS)],
      [40, 'L2', 'AC EVIDENCE CHECK FAILED (attempt 1/3): x'],
      [50, 'L1', failed(1, '0/1', MEMBERS)],
    );
    expect(await says('counter_goes_back', files)).toEqual([
      [
        'L1',
        'Two failures of L1 are both counted as attempt 1 of 3, so the cap came one failure later',
        '1 2',
      ],
      ['L2', 'The counter of L2 goes back from 2 to 1 of 3 without a pass in between', '5 6'],
      [
        'L1',
        'The attempts of L1 were used up at 3 of 3; the next failure is attempt 1 again, and no entry says who set the counter back',
        '3 7',
      ],
    ]);
  });

  it('finds nothing where it counts up, or starts again after a pass', async () => {
    const files = log(
      [0, 'L1', failed(1, '0/1', MEMBERS)],
      [10, 'L2', failed(1, '0/1', MEMBERS)],
      [20, 'L1', failed(2, '0/1', MEMBERS)],
      [30, 'L1', CLEAN],
      [40, 'L1', failed(1, '0/1', MEMBERS)],
    );
    expect(await says('counter_goes_back', files)).toEqual([]);
  });
});

describe('start_without_outcome', () => {
  it('counts starts that were followed by another instead of an outcome', async () => {
    const files = log(
      [0, 'L1', START],
      [10, 'L1', START],
      [20, 'L1', failed(1, '0/1', MEMBERS)],
      [30, 'L2', SWEEP],
      [40, 'L3', SWEEP],
      [50, 'L3', CLEAN],
    );
    expect(await says('start_without_outcome', files)).toEqual([
      [null, '2 of 4 starts of a check have no outcome (L1 1 and L2 1)', '1 4'],
    ]);
  });

  it('finds nothing where each start has one, nor in a start that may still be running', async () => {
    expect(
      await says(
        'start_without_outcome',
        log([0, 'L1', START], [10, 'L1', failed(1, '0/1', MEMBERS)], [20, 'L1', START]),
      ),
    ).toEqual([]);
  });
});

describe('verdict_too_fast', () => {
  it('finds a verdict without a word within seconds', async () => {
    const files = log(
      [0, 'L1', SWEEP],
      [2, 'L1', 'sweep FOUND ISSUE (attempt 1/3): (no summary)'],
      [10, 'L2', SWEEP],
      [14, 'L2', CLEAN],
    );
    expect(await says('verdict_too_fast', files)).toEqual([
      ['L1', 'The defect sweep of L1 came to its verdict in 2.0 s and left no summary', '2'],
      ['L2', 'The defect sweep of L2 came to its verdict in 4.0 s and left no summary', '4'],
    ]);
  });

  it('finds nothing in one that took its time, that says what it saw, or that needs no browser', async () => {
    const files = log(
      [0, 'L1', SWEEP],
      [30, 'L1', 'sweep FOUND ISSUE (attempt 1/3): (no summary)'],
      [40, 'L2', SWEEP],
      [43, 'L2', 'sweep FOUND ISSUE (attempt 1/3): the page does not load'],
      [44, 'L3', 'SECRET SCAN FAILED (attempt 1/3): x'],
    );
    expect(await says('verdict_too_fast', files)).toEqual([]);
  });
});
