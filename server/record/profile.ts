import { BASES, type Basis } from '../../shared/cards.ts';
import { LIMITS } from '../../shared/limits.ts';
import { numberAt, textAt } from './cells.ts';
import { KINDS, kindOf } from './source-kinds.ts';
import { COUNTED_ROWS, type CountedRows, type RecordProfile, type Row, type Store } from './store.ts';

const basisOf = (text: string | null): Basis => BASES.find((basis) => basis === text) ?? 'unknown';

/** Each source with the facts it tells in the current run and their number, the basis most of them have, and the problems (not mere notes) its reading met. */
const SOURCES = `
 SELECT s.source_id, s.kind, s.label, count(o.observation_id) AS facts, mode(o.basis) AS basis,
  string_agg(DISTINCT o.fact, ',' ORDER BY o.fact) AS tells,
  (SELECT count(*) FROM ingest_issues i WHERE i.source_id = s.source_id AND i.severity <> 'info') AS issues
 FROM sources s
 LEFT JOIN (observations o JOIN runs r ON r.run_id = o.run_id AND r.is_current) ON o.source_id = s.source_id
 GROUP BY s.source_id, s.kind, s.label ORDER BY s.source_id`;

/**
 * Sources a finding disputes: with a claim that differs from what is counted or has nothing measured beside it, or with a
 * measured word where another measured one is counted.
 */
const DISPUTED = `
 SELECT DISTINCT o.source_id
 FROM finding_rows w JOIN findings d USING (finding_id) JOIN observations o ON o.observation_id = w.observation_id
 JOIN runs r ON r.run_id = o.run_id AND r.is_current
 JOIN counted c ON c.run_id = o.run_id AND c.fact = o.fact AND coalesce(c.feature_id, '') = coalesce(o.feature_id, '')
 WHERE d.rule = 'sources_disagree' AND (o.basis = 'claimed' AND (o.observation_id = c.observation_id
  OR o.value IS DISTINCT FROM c.value OR o.text_value IS DISTINCT FROM c.text_value)
  OR o.basis = 'measured' AND (abs(o.value - c.value) > tolerance(o.fact, greatest(abs(o.value), abs(c.value)))
   OR o.text_value IS DISTINCT FROM c.text_value))`;

/** A test result belongs to a run through its report; a report of no run belongs to the record as a whole. */
const COUNTS = COUNTED_ROWS.map((name) => {
  const from = name === 'test_results' ? 'test_results x JOIN test_runs t USING (test_run_id)' : `${name} x`;
  const run = name === 'test_results' ? 't.run_id' : 'x.run_id';
  return `SELECT '${name}' AS name, count(*) AS rows FROM ${from} LEFT JOIN runs r ON r.run_id = ${run} WHERE r.is_current OR ${run} IS NULL`;
}).join(' UNION ALL ');

const distinct = (values: readonly string[]): string[] =>
  [...new Set(values)].filter((value) => value !== '');

function countsOf(rows: readonly Row[]): Record<CountedRows, number> {
  const of = (name: CountedRows): number => {
    const row = rows.find((one) => textAt(one, 'name') === name);
    return (row && numberAt(row, 'rows')) ?? 0;
  };
  return {
    attempts: of('attempts'),
    commits: of('commits'),
    gate_events: of('gate_events'),
    requirements: of('requirements'),
    test_results: of('test_results'),
    log_events: of('log_events'),
    evaluations: of('evaluations'),
    sessions: of('sessions'),
    llm_requests: of('llm_requests'),
    tool_calls: of('tool_calls'),
  };
}

const namesOf = (rows: readonly Row[], what: string): string[] =>
  rows.flatMap((row) => (textAt(row, 'what') === what ? (textAt(row, 'name') ?? []) : []));

const timedOf = (rows: readonly Row[], name: string): number => {
  const row = rows.find((one) => textAt(one, 'what') === 'timed' && textAt(one, 'name') === name);
  return (row && numberAt(row, 'n')) ?? 0;
};

/** What the record holds, for prompts, vocabulary and the starting view. Bounded by LIMITS.profileFeatures. */
export async function profileOf(store: Store, fingerprint: string): Promise<RecordProfile> {
  const ask = async (sql: string, rows?: number): Promise<Row[]> =>
    (await store.query(sql, [], rows === undefined ? {} : { rows })).rows;
  const [projects, runs, features, sources, disputed, counts, held, kinds] = await Promise.all([
    ask('SELECT name FROM projects'),
    ask('SELECT run_id, name, started_at_ms, ended_at_ms, zone, harness FROM runs WHERE is_current'),
    ask(
      `SELECT f.ext_id, f.title, f.description, f.category, f.status, told.attempts AS disputed_attempts FROM v_feature f
       LEFT JOIN (SELECT o.feature_id, max(o.value) AS attempts FROM observations o JOIN counted c
         ON c.feature_id = o.feature_id AND c.fact = o.fact WHERE o.fact = 'attempts' AND c.disputed GROUP BY o.feature_id) told
         ON told.feature_id = f.feature_id
       WHERE f.is_current ORDER BY f.ord`,
      LIMITS.profileFeatures,
    ),
    ask(SOURCES),
    ask(DISPUTED),
    ask(
      `SELECT (SELECT count(*) FROM findings f JOIN runs r USING (run_id) WHERE r.is_current) AS findings,
        (SELECT count(*) FROM ingest_issues WHERE severity <> 'info') AS issues`,
    ),
    ask(COUNTS),
    ask(
      `SELECT 'gate' AS what, gate AS name, count(*) AS n FROM gate_events GROUP BY gate
       UNION ALL SELECT 'entry', kind, count(*) FROM log_events GROUP BY kind
       UNION ALL SELECT 'fact', fact, count(*) FROM counted c JOIN runs r USING (run_id)
        WHERE r.is_current AND (c.value IS NOT NULL OR c.text_value IS NOT NULL) GROUP BY fact
       UNION ALL SELECT 'timed', 'builds', count(*) FROM counted c JOIN runs r USING (run_id)
        WHERE r.is_current AND c.fact = 'completed_at' AND c.feature_id IS NOT NULL AND c.value IS NOT NULL
       UNION ALL SELECT 'timed', 'attempts', count(*) FROM attempts WHERE coalesce(started_at_ms, ended_at_ms) IS NOT NULL
       UNION ALL SELECT 'timed', 'gates', count(*) FROM gate_events WHERE coalesce(started_at_ms, ended_at_ms) IS NOT NULL
       UNION ALL SELECT 'timed', 'entries', count(*) FROM log_events WHERE at_ms IS NOT NULL
       ORDER BY n DESC, name`,
      LIMITS.tableRows * 2,
    ),
  ]);
  const run = runs[0];
  const disputedIds = new Set(disputed.map((row) => textAt(row, 'source_id')));
  const listed = features.map((row) => {
    const told = numberAt(row, 'disputed_attempts');
    return {
      id: textAt(row, 'ext_id') ?? '',
      title: textAt(row, 'title') ?? '',
      description: textAt(row, 'description') ?? '',
      category: textAt(row, 'category') ?? '',
      status: textAt(row, 'status') ?? 'pending',
      ...(told === null ? {} : { disputedAttempts: told }),
    };
  });
  return {
    project: (projects[0] && textAt(projects[0], 'name')) ?? '',
    run: run
      ? {
          id: textAt(run, 'run_id') ?? '',
          name: textAt(run, 'name') ?? '',
          startedAtMs: numberAt(run, 'started_at_ms'),
          endedAtMs: numberAt(run, 'ended_at_ms'),
          zone: textAt(run, 'zone') ?? '+00:00',
          harness: textAt(run, 'harness'),
        }
      : null,
    counts: countsOf(held),
    features: listed,
    categories: distinct(listed.map((feature) => feature.category)),
    statuses: distinct(listed.map((feature) => feature.status)),
    gates: namesOf(kinds, 'gate'),
    entryKinds: namesOf(kinds, 'entry'),
    facts: namesOf(kinds, 'fact'),
    timed: {
      builds: timedOf(kinds, 'builds'),
      attempts: timedOf(kinds, 'attempts'),
      gates: timedOf(kinds, 'gates'),
      entries: timedOf(kinds, 'entries'),
    },
    sources: sources.flatMap((row) => {
      const kind = kindOf(textAt(row, 'kind'));
      if (kind === null) return [];
      const facts = numberAt(row, 'facts') ?? 0;
      return [
        {
          id: textAt(row, 'source_id') ?? kind,
          kind,
          label: textAt(row, 'label') ?? kind,
          basis: facts === 0 ? KINDS[kind].basis : basisOf(textAt(row, 'basis')),
          facts,
          tells: textAt(row, 'tells')?.split(',') ?? [],
          disputed: disputedIds.has(textAt(row, 'source_id')),
          issues: numberAt(row, 'issues') ?? 0,
        },
      ];
    }),
    findings: (counts[0] && numberAt(counts[0], 'findings')) ?? 0,
    issues: (counts[0] && numberAt(counts[0], 'issues')) ?? 0,
    fingerprint,
  };
}
