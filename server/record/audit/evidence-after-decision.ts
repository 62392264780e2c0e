import { numberAt, textAt } from '../cells.ts';
import { clockText } from '../ingest/time.ts';
import type { Row } from '../store.ts';
import { dataOf, memberIn } from './event-data.ts';
import { CITED, placeOf } from './place.ts';
import type { Rule } from './rule.ts';

/**
 * When a task was decided: by the time that was typed in with its verdict, or else by the last line of the log that accepts it. Evidence
 * its verdict cites, which began only after that.
 */
const LATER = `
 WITH typed AS (SELECT feature_id, at_ms, event_id AS ref, source_id, source_line FROM log_events
   WHERE kind = 'tracker_verdict' AND at_ms IS NOT NULL AND data LIKE '%"typed_in":"%'),
 logged AS (SELECT feature_id, at_ms, event_id AS ref, source_id, source_line FROM log_events
   WHERE kind IN ('sweep_pass', 'no_sweep', 'manual_ok') AND feature_id IS NOT NULL AND at_ms IS NOT NULL
   QUALIFY row_number() OVER (PARTITION BY feature_id ORDER BY at_ms DESC, source_line DESC) = 1),
 decided AS (FROM typed UNION ALL FROM logged WHERE feature_id NOT IN (SELECT feature_id FROM typed))
 SELECT e.event_id AS ref, e.run_id, e.feature_id, f.ext_id, e.message, e.data, e.at_ms, e.source_id, e.source_line, r.zone,
  d.at_ms AS decided_ms, d.ref AS decision_ref, d.source_id AS decision_source, d.source_line AS decision_line
 FROM log_events e JOIN decided d USING (feature_id) JOIN features f USING (feature_id) LEFT JOIN runs r ON r.run_id = e.run_id
 WHERE e.kind = 'evidence_cited' AND e.at_ms > d.at_ms ORDER BY e.source_id, e.source_line, e.event_id`;

/** Several tests may cite one pack; that is one finding. */
function byPack(rows: readonly Row[]): Row[][] {
  const packs = new Map<string, Row[]>();
  for (const row of rows) {
    const pack = memberIn(dataOf(row), 'source_id');
    const key = `${textAt(row, 'feature_id')} ${typeof pack === 'string' ? pack : textAt(row, 'ref')}`;
    packs.set(key, [...(packs.get(key) ?? []), row]);
  }
  return [...packs.values()];
}

export const evidenceAfterDecision: Rule = {
  id: 'evidence_after_decision',
  sentence: 'A decision cites evidence that did not exist yet when it was made.',
  find: async (query) =>
    byPack(await query(LATER)).flatMap((rows) => {
      const [row] = rows;
      if (row === undefined) return [];
      const clock = (column: string): string =>
        clockText(numberAt(row, column) ?? 0, textAt(row, 'zone') ?? '+00:00');
      return [
        {
          id: `evidence_after_decision.${textAt(row, 'ref')}`,
          runId: textAt(row, 'run_id'),
          featureId: textAt(row, 'feature_id'),
          severity: 'error' as const,
          fact: 'status',
          says: `${textAt(row, 'ext_id')} was decided at ${clock('decided_ms')}, the evidence it cites began at ${clock('at_ms')} (${textAt(row, 'message')?.split(': ').at(-1)})`,
          rows: [
            ...rows.slice(0, CITED).map(placeOf),
            placeOf({
              source_id: row.decision_source ?? null,
              source_line: row.decision_line ?? null,
              ref: row.decision_ref ?? null,
            }),
          ],
        },
      ];
    }),
};
