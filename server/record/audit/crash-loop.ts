import { numberAt, textAt } from '../cells.ts';
import type { AuditQuery, Finding, Rule } from './rule.ts';

/** As many turns within so short a time did no work. */
const TURNS = 3;
const WITHIN_MS = 60_000;
/** Lines a finding names; a loop may crash for hours. */
const NAMED = 20;

const SOURCES =
  "('progress_notes', 'loop_metrics', 'loop_log', 'iterations', 'run_metrics', 'diagnostics', 'orchestrator_events')";

/**
 * Turns of one source in order that came to no end of their own, each with whether it lies in a crowd of TURNS within
 * WITHIN_MS; `island` is the same for those between which no turn ended otherwise.
 */
const CROWDED = `
 WITH turns AS (SELECT attempt_id, run_id, source_id, source_line, n, coalesce(started_at_ms, ended_at_ms) AS at_ms,
   coalesce(verdict IN ('no_verdict', 'error', 'timeout'), FALSE) AS fruitless
  FROM attempts WHERE source_kind IN ${SOURCES} AND coalesce(started_at_ms, ended_at_ms) IS NOT NULL),
 ordered AS (SELECT *, row_number() OVER (PARTITION BY run_id, source_id ORDER BY at_ms, source_line)
   - row_number() OVER (PARTITION BY run_id, source_id, fruitless ORDER BY at_ms, source_line) AS island FROM turns),
 near AS (SELECT *, lead(at_ms, ${TURNS - 1}) OVER w - at_ms AS ahead, lead(at_ms) OVER w - lag(at_ms) OVER w AS around, at_ms - lag(at_ms, ${TURNS - 1}) OVER w AS behind
  FROM ordered WHERE fruitless WINDOW w AS (PARTITION BY run_id, source_id, island ORDER BY at_ms, source_line)),
 flagged AS (SELECT *, coalesce(ahead < ${WITHIN_MS}, FALSE) OR coalesce(around < ${WITHIN_MS}, FALSE) OR coalesce(behind < ${WITHIN_MS}, FALSE) AS crowded FROM near),
 crowds AS (SELECT *, row_number() OVER (PARTITION BY run_id, source_id, island ORDER BY at_ms, source_line)
   - row_number() OVER (PARTITION BY run_id, source_id, island, crowded ORDER BY at_ms, source_line) AS crowd FROM flagged)`;

const LOOPS = `${CROWDED}
 SELECT run_id, source_id, island, crowd, count(*) AS turns, min(n) AS first_n, max(n) AS last_n, max(at_ms) - min(at_ms) AS span_ms, min(source_line) AS first_line
 FROM crowds WHERE crowded GROUP BY run_id, source_id, island, crowd ORDER BY run_id, source_id, first_line`;
const LINES = `${CROWDED}
 SELECT attempt_id, source_line FROM crowds WHERE crowded AND run_id = $1 AND source_id = $2 AND island = $3 AND crowd = $4
 ORDER BY at_ms, source_line LIMIT ${NAMED}`;

async function find(query: AuditQuery): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const loop of await query(LOOPS)) {
    const [run, source] = [textAt(loop, 'run_id') ?? '', textAt(loop, 'source_id') ?? ''];
    const [turns, span] = [numberAt(loop, 'turns') ?? 0, Math.round((numberAt(loop, 'span_ms') ?? 0) / 1000)];
    const lines = await query(LINES, [
      run,
      source,
      numberAt(loop, 'island') ?? 0,
      numberAt(loop, 'crowd') ?? 0,
    ]);
    findings.push({
      id: `crash_loop.${run}.${source}.${numberAt(loop, 'first_line') ?? 0}`,
      runId: run,
      featureId: null,
      severity: 'error',
      fact: 'iterations',
      says: `${turns} iterations (${numberAt(loop, 'first_n')} to ${numberAt(loop, 'last_n')}) ${span === 0 ? 'carry one time' : `lie within ${span} s`} and none of them came to an end of its own: the loop crashed over and over`,
      rows: lines.map((row) => ({
        sourceId: source,
        line: numberAt(row, 'source_line'),
        ref: textAt(row, 'attempt_id'),
      })),
    });
  }
  return findings;
}

/** A loop that starts its agent again and again without any of them doing work. */
export const crashLoop: Rule = {
  id: 'crash_loop',
  sentence: 'Several iterations of a loop within a minute, none of which says that it was completed.',
  find,
};
