import { numberAt, textAt } from '../cells.ts';
import { callsText, dollars } from './money-calls.ts';
import { CITED, placeOf } from './place.ts';
import type { Rule } from './rule.ts';

const CHANNELS: Readonly<Record<string, string>> = {
  exec: 'the printed output of an agent',
  otlp_event: 'events of telemetry',
  otlp_span: 'spans of telemetry',
  harness: 'a harness',
};

/** What a second channel tells of sessions that count from a better one, and cannot be matched with it call by call. */
export const callsSetAside: Rule = {
  id: 'calls_set_aside',
  sentence:
    'A second source tells of model calls that cannot be matched with those that count, so they are left out.',
  find: async (query) => {
    const groups = await query(
      `SELECT t.channel, count(*) AS calls, CAST(sum(t.cost_reported_uusd) AS BIGINT) AS reported
       FROM request_rows k JOIN llm_requests_told t ON t.rowid = k.row WHERE k.role = 'aside' GROUP BY t.channel ORDER BY t.channel`,
    );
    return Promise.all(
      groups.map(async (row) => {
        const channel = textAt(row, 'channel') ?? '';
        const calls = numberAt(row, 'calls') ?? 0;
        const reported = numberAt(row, 'reported');
        const places = await query(
          `SELECT t.source_id, t.source_line, t.told_id AS ref FROM request_rows k JOIN llm_requests_told t ON t.rowid = k.row
           WHERE k.role = 'aside' AND t.channel = $1 ORDER BY t.source_id, t.source_line LIMIT ${CITED}`,
          [channel],
        );
        return {
          id: `calls_set_aside.${channel}`,
          runId: null,
          featureId: null,
          severity: 'info' as const,
          fact: null,
          says: `${callsText(calls)} told by ${CHANNELS[channel] ?? channel}${reported === null ? '' : `, ${dollars(reported)} by its own word,`} ${calls === 1 ? 'matches' : 'match'} none of those that count from transcripts of the same sessions; no total holds ${calls === 1 ? 'it' : 'them'}`,
          rows: places.map(placeOf),
        };
      }),
    );
  },
};
