import { numberAt, textAt } from '../cells.ts';
import type { Row } from '../store.ts';
import { CITED, placeOf } from './place.ts';
import type { Rule } from './rule.ts';
import { listText } from './words.ts';

/**
 * Starts that were given up: a gate without a verdict and without an end, at the line of its start. A report without a verdict
 * is no start: it has rules of its own.
 */
const OPEN = `
 SELECT g.gate_event_id AS ref, g.run_id, f.ext_id, f.ord, g.source_id, g.source_line FROM gate_events g LEFT JOIN features f USING (feature_id)
 WHERE g.verdict = 'no_verdict' AND g.gate NOT IN ('verifier', 'test_report') AND g.ended_at_ms IS NULL AND g.source_line IS NOT NULL ORDER BY g.source_id, g.source_line`;
const STARTS = `
 SELECT source_id, count(*) AS starts FROM log_events WHERE kind IN ('test_start', 'sweep_start') GROUP BY source_id`;

function byTask(rows: readonly Row[]): string {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const task = textAt(row, 'ext_id') ?? 'no task';
    counts.set(task, (counts.get(task) ?? 0) + 1);
  }
  const parts = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 6)
    .map(([task, n]) => `${task} ${n}`);
  return listText(parts);
}

/** A check that began and never said how it ended: it cost time, and whatever it saw is lost. */
export const startWithoutOutcome: Rule = {
  id: 'start_without_outcome',
  sentence: 'A check was started and came to no outcome.',
  find: async (query) => {
    const starts = new Map(
      (await query(STARTS)).map((row) => [textAt(row, 'source_id'), numberAt(row, 'starts') ?? 0]),
    );
    const open = new Map<string, Row[]>();
    for (const row of await query(OPEN)) {
      const source = textAt(row, 'source_id') ?? '';
      open.set(source, [...(open.get(source) ?? []), row]);
    }
    return [...open].map(([source, rows]) => ({
      id: `start_without_outcome.${source}`,
      runId: textAt(rows[0] ?? {}, 'run_id'),
      featureId: null,
      severity: 'warning' as const,
      fact: null,
      says: `${rows.length} of ${starts.get(source) ?? rows.length} starts of a check have no outcome (${byTask(rows)})`,
      rows: rows.slice(0, CITED).map(placeOf),
    }));
  },
};
