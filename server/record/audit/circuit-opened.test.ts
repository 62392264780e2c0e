import { describe, expect, it } from 'vitest';
import { findingsOf } from './test-findings.ts';

const change = (to: string, clock: string): object => ({
  timestamp: `2026-02-01T${clock}Z`,
  loop: 7,
  from_state: 'CLOSED',
  to_state: to,
  reason: `Because of ${to}.`,
});
const state = (to: string, clock: string): string =>
  JSON.stringify({
    state: to,
    last_change: `2026-02-01T${clock}Z`,
    reason: `Because of ${to}.`,
    current_loop: 7,
  });

describe('circuit_opened', () => {
  it('finds each opening once, although the state file tells of the last one too', async () => {
    const found = await findingsOf('circuit_opened', {
      '.ralph/.circuit_breaker_history': JSON.stringify(
        [change('OPEN', '10:00:00'), change('CLOSED', '10:30:00'), change('OPEN', '11:00:00')],
        null,
        1,
      ),
      '.ralph/.circuit_breaker_state': state('OPEN', '11:00:00'),
    });
    expect(found.map((row) => [row.severity, row.says, row.lines])).toEqual([
      ['warning', 'The circuit breaker opened and stopped the loop: Because of OPEN', '20'],
      ['warning', 'The circuit breaker opened and stopped the loop: Because of OPEN', '6'],
    ]);
  });

  it('finds the opening of a state file alone', async () => {
    expect(
      await findingsOf('circuit_opened', { '.ralph/.circuit_breaker_state': state('OPEN', '11:00:00') }),
    ).toHaveLength(1);
  });

  it('finds nothing where it stayed closed or was only watched', async () => {
    expect(
      await findingsOf('circuit_opened', {
        '.ralph/.circuit_breaker_history': JSON.stringify([
          change('HALF_OPEN', '10:00:00'),
          change('CLOSED', '10:30:00'),
        ]),
        '.ralph/.circuit_breaker_state': state('CLOSED', '10:30:00'),
      }),
    ).toEqual([]);
  });
});
