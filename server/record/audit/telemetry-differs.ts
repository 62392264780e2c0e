import { numberAt, textAt } from '../cells.ts';
import { METRIC_TOTALS } from '../derive/metric-totals.ts';
import type { Rule } from './rule.ts';

const MOST = 200;
/** Dollars and share by which both may differ: rounding, and a last export that is still on its way. */
const CENTS = 0.01;
const SHARE = 0.01;

const dollars = (value: number): string => `$${value.toFixed(2)}`;

/** The cost metric and the cost of single calls are the same money told twice; the metric only shows whether calls are missing. */
export const telemetryDiffers: Rule = {
  id: 'telemetry_differs',
  sentence: 'The cost metric of a session is not what the events of its model calls add up to.',
  find: async (query) =>
    (
      await query(
        `WITH metric AS (SELECT session_id, sum(total) AS cost, min(source_id) AS source_id, arg_min(source_line, source_id) AS source_line
          FROM (${METRIC_TOTALS}) WHERE name = 'claude_code.cost.usage' AND session_id IS NOT NULL GROUP BY session_id),
         calls AS (SELECT session_id, sum(cost) / 1e6 AS cost, min(source_id) AS source_id, arg_min(source_line, source_id) AS source_line FROM (
          SELECT session_id, coalesce(request_ref, told_id) AS call, max(cost_reported_uusd) AS cost, min(source_id) AS source_id, arg_min(source_line, source_id) AS source_line
          FROM llm_requests_told WHERE channel = 'otlp_event' AND cost_reported_uusd IS NOT NULL GROUP BY ALL) GROUP BY session_id)
         SELECT m.session_id, m.cost AS metric, c.cost AS calls, m.source_id, m.source_line, c.source_id AS call_source, c.source_line AS call_line
         FROM metric m JOIN calls c USING (session_id)
         WHERE abs(m.cost - c.cost) > greatest(${CENTS}, ${SHARE} * greatest(m.cost, c.cost)) ORDER BY m.session_id LIMIT ${MOST}`,
      )
    ).map((row) => {
      const session = textAt(row, 'session_id') ?? '';
      return {
        id: `telemetry_differs.${session}`,
        runId: null,
        featureId: null,
        severity: 'warning' as const,
        fact: null,
        says: `The cost metric of session ${session} says ${dollars(numberAt(row, 'metric') ?? 0)}, its events ${dollars(numberAt(row, 'calls') ?? 0)}; the metric is not counted.`,
        rows: [
          { sourceId: textAt(row, 'source_id') ?? '', line: numberAt(row, 'source_line'), ref: null },
          { sourceId: textAt(row, 'call_source') ?? '', line: numberAt(row, 'call_line'), ref: null },
        ],
      };
    }),
};
