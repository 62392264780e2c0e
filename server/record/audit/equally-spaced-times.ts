import { numberAt, textAt } from '../cells.ts';
import { SOURCE_KINDS } from '../source-kinds.ts';
import type { Row } from '../store.ts';
import type { AuditQuery, Finding, Rule } from './rule.ts';
import { numberText } from './words.ts';

/** Work does not end to the same second so often, nor at so regular a pace. */
const SAME = 3;
const GAPS = 4;
const NAMED = 20;

/**
 * Times at which a source claims that features or attempts ended. What a harness or git measured is not asked: one commit may
 * well hold several features. Times written to the minute only say nothing here when they are alike.
 */
const TIMES = `
 WITH claimed AS (
  SELECT observation_id AS ref, run_id, feature_id, source_id, source_kind, source_line, value::BIGINT AS at_ms, 'feature' AS what FROM observations
   WHERE fact = 'completed_at' AND basis = 'claimed' AND feature_id IS NOT NULL AND value IS NOT NULL
  UNION ALL SELECT attempt_id, run_id, feature_id, source_id, source_kind, source_line, ended_at_ms, 'attempt' FROM attempts
   WHERE basis = 'claimed' AND ended_at_ms IS NOT NULL
   -- A section of notes about several stories has one time.
   QUALIFY source_kind <> 'progress_notes' OR row_number() OVER (PARTITION BY source_id, source_line ORDER BY attempt_id) = 1),
 precise AS (SELECT run_id, source_id, what FROM claimed GROUP BY ALL HAVING bool_or(at_ms % 60000 <> 0)),
 times AS (SELECT claimed.* FROM claimed JOIN precise USING (run_id, source_id, what))`;

const DUPLICATED = `${TIMES}
 SELECT run_id, source_id, source_kind, what, at_ms, count(*) AS times, count(DISTINCT feature_id) AS features FROM times
 GROUP BY run_id, source_id, source_kind, what, at_ms HAVING count(*) >= ${SAME} ORDER BY run_id, source_id, what, at_ms`;
const DUPLICATES = `${TIMES}
 SELECT ref, source_id, source_line FROM times WHERE run_id = $1 AND source_id = $2 AND what = $3 AND at_ms = $4
 ORDER BY source_line, ref LIMIT ${NAMED}`;

/** Runs of equal gaps between times that differ. */
const PACED = `${TIMES},
 distinct_times AS (SELECT run_id, source_id, source_kind, what, at_ms, min(ref) AS ref, min(source_line) AS source_line FROM times GROUP BY run_id, source_id, source_kind, what, at_ms),
 gaps AS (SELECT *, at_ms - lag(at_ms) OVER w AS gap, lag(at_ms) OVER w AS before FROM distinct_times WINDOW w AS (PARTITION BY run_id, source_id, what ORDER BY at_ms)),
 paces AS (SELECT *, row_number() OVER (PARTITION BY run_id, source_id, what ORDER BY at_ms)
   - row_number() OVER (PARTITION BY run_id, source_id, what, gap ORDER BY at_ms) AS pace FROM gaps WHERE gap IS NOT NULL)
 SELECT run_id, source_id, source_kind, what, gap, count(*) AS gaps, min(before) AS first_ms, max(at_ms) AS last_ms FROM paces
 GROUP BY run_id, source_id, source_kind, what, gap, pace HAVING count(*) >= ${GAPS} ORDER BY run_id, source_id, what, first_ms`;
const BETWEEN = `${TIMES}
 SELECT ref, source_id, source_line FROM times WHERE run_id = $1 AND source_id = $2 AND what = $3 AND at_ms BETWEEN $4 AND $5
 ORDER BY at_ms, ref LIMIT ${NAMED}`;

const LABEL = 'SELECT label FROM sources WHERE source_id = $1';

async function finding(
  query: AuditQuery,
  row: Row,
  key: string,
  rows: Row[],
  says: (label: string) => string,
): Promise<Finding> {
  const source = textAt(row, 'source_id') ?? '';
  const kind = SOURCE_KINDS.find((one) => one === textAt(row, 'source_kind'));
  const label = textAt((await query(LABEL, [source]))[0] ?? {}, 'label') ?? kind ?? source;
  return {
    id: `equally_spaced_times.${textAt(row, 'run_id')}.${source}.${textAt(row, 'what')}.${key}`,
    runId: textAt(row, 'run_id'),
    featureId: null,
    severity: 'warning',
    fact: 'completed_at',
    says: says(label),
    rows: rows.map((one) => ({
      sourceId: textAt(one, 'source_id') ?? '',
      line: numberAt(one, 'source_line'),
      ref: textAt(one, 'ref'),
    })),
  };
}

async function find(query: AuditQuery): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const row of await query(DUPLICATED)) {
    const at = numberAt(row, 'at_ms') ?? 0;
    const about = [textAt(row, 'run_id'), textAt(row, 'source_id'), textAt(row, 'what')];
    const rows = await query(DUPLICATES, [...about, at]);
    const what = `${numberText(numberAt(row, 'times') ?? 0)} ${textAt(row, 'what')}s`;
    findings.push(
      await finding(
        query,
        row,
        `same.${at}`,
        rows,
        (label) => `${label} lets ${what} end at the same second, so these times were not taken from a clock`,
      ),
    );
  }
  for (const row of await query(PACED)) {
    const [first, last, gap] = [
      numberAt(row, 'first_ms') ?? 0,
      numberAt(row, 'last_ms') ?? 0,
      numberAt(row, 'gap') ?? 0,
    ];
    const about = [textAt(row, 'run_id'), textAt(row, 'source_id'), textAt(row, 'what')];
    const rows = await query(BETWEEN, [...about, first, last]);
    const what = `${(numberAt(row, 'gaps') ?? 0) + 1} ${textAt(row, 'what')}s`;
    findings.push(
      await finding(
        query,
        row,
        `paced.${first}`,
        rows,
        (label) =>
          `${label} lets ${what} end exactly ${numberText(gap / 1000)} s apart, so these times were not taken from a clock`,
      ),
    );
  }
  return findings;
}

/** Times that were made up: typed in later, all at once or at a steady pace. */
export const equallySpacedTimes: Rule = {
  id: 'equally_spaced_times',
  sentence:
    'A source claims ends of work that fall on one second, or that follow each other at exactly the same distance.',
  find,
};
