import { numberAt, textAt } from '../cells.ts';
import type { Rule } from './rule.ts';

/**
 * A breaker that opened is told by its history and, as the last change, by its state file: the same change counts once, and
 * the history speaks first because it stays.
 */
const OPENED = `
 SELECT event_id, run_id, source_id, source_line, message FROM log_events WHERE kind = 'circuit_open'
 QUALIFY row_number() OVER (PARTITION BY run_id, coalesce(at_ms::VARCHAR, event_id) ORDER BY data LIKE '%"from_state"%' DESC, source_id, source_line) = 1
 ORDER BY run_id, at_ms, source_line`;

/** A circuit breaker that opened: the loop was stopped because it no longer got anywhere. */
export const circuitOpened: Rule = {
  id: 'circuit_opened',
  sentence: "A loop's circuit breaker opened, which stops it.",
  find: async (query) =>
    (await query(OPENED)).map((row) => {
      const event = textAt(row, 'event_id');
      return {
        id: `circuit_opened.${event}`,
        runId: textAt(row, 'run_id'),
        featureId: null,
        severity: 'warning' as const,
        fact: null,
        says: `The circuit breaker opened and stopped the loop: ${textAt(row, 'message')?.replace(/\.$/, '')}`,
        rows: [{ sourceId: textAt(row, 'source_id') ?? '', line: numberAt(row, 'source_line'), ref: event }],
      };
    }),
};
