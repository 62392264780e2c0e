import type { EmptyCard } from '../../../shared/cards.ts';
import type { Action } from '../../../shared/plan.ts';
import type { Measure } from '../../metrics/measures.ts';
import { baseOf } from './base.ts';
import { cells, type ResolveContext } from './context.ts';

/** Which source would tell a fact that no loaded source tells. */
const TELLERS: Readonly<Record<string, string>> = {
  attempts: 'Add the progress log or the metrics file of the run.',
  score: 'Add the progress log or the metrics file of the run.',
  build_time: 'Add the progress log of the run.',
  completed_at: 'Add the progress log of the run.',
  lines_added: 'Add the git log of the run.',
  lines_removed: 'Add the git log of the run.',
  files_changed: 'Add the git log of the run.',
  tokens: 'Add a session log or a metrics file with token counts.',
  cost_usd: 'Add a session log or a metrics file with costs.',
  elapsed: 'Add the progress log or the metrics file of the run.',
};

/** Rows that only some records have: the table, that there are none, and what would bring them. */
export const CARRIERS: Readonly<
  Partial<Record<Measure['base'], { table: string; says: string; next: string }>>
> = {
  gate_event: {
    table: 'gate_events',
    says: 'No gate run in this record: no source that was read tells what a gate or verifier came to.',
    next: 'Add the log of the gate or verifier, such as .testmuai/kane-activity.log, or the test report of a run.',
  },
  requirement: {
    table: 'requirements',
    says: 'No requirements in this record: no source that was read lists acceptance criteria, steps or use cases.',
    next: 'Add a ledger with criteria (prd.json, a task tracker, a plan with a check) and the test reports that bear them out.',
  },
  attempt: {
    table: 'attempts',
    says: 'No attempts are listed one by one in this record.',
    next: 'Add the log of the loop or its metrics file.',
  },
  log_event: {
    table: 'log_events',
    says: 'No log in this record.',
    next: 'Add the log of the harness, such as claude-progress.txt, kane-activity.log or .ralph/logs.',
  },
  test_result: {
    table: 'test_results',
    says: 'No test results in this record.',
    next: 'Add a test report: JUnit XML, or the JSON of Playwright, vitest or jest.',
  },
};
const WIDER = 'Ask about the whole run, or without the filter.';

const NONE = { state: 'none', have: null, of: null, why: null } as const;

interface About {
  id: string;
  title: string;
  actions: readonly Action[];
}

/** A card that says why there is nothing to show. */
export function emptyCard(
  context: ResolveContext,
  { id, title, actions }: About,
  why: EmptyCard['why'],
  says: string,
  next: string,
): EmptyCard {
  return {
    ...baseOf(context, { id, title, actions, mark: NONE, rule: { measured: 0, claimed: 0, missing: 1 } }),
    type: 'empty',
    why,
    says,
    next,
  };
}

/**
 * The empty card of a measure without a value: not ingested when no source of the record tells it at all,
 * else measured as none in what was asked about.
 */
export async function emptyOf(
  context: ResolveContext,
  about: About,
  measure: Measure,
  source = 'counted',
): Promise<EmptyCard> {
  const label = measure.label;
  if (measure.base === 'commit' && !context.profile.sources.some(({ kind }) => kind === 'git'))
    return emptyCard(
      context,
      about,
      'not_ingested',
      'No git log in this record.',
      'Add the git log of the run to see commits.',
    );
  const own = CARRIERS[measure.base];
  if (own !== undefined) {
    const [row] = await context.queries.rows(`SELECT count(*) AS n FROM ${own.table}`, []);
    if ((cells.number(row?.n) ?? 0) === 0)
      return emptyCard(context, about, 'not_ingested', own.says, own.next);
  }
  if (measure.fact === null)
    return emptyCard(
      context,
      about,
      'none',
      `No ${label} in what was asked about. The record was read and has none there.`,
      WIDER,
    );
  const rows = await context.queries.rows(
    `SELECT count(*) AS n FROM observations o JOIN runs r ON r.run_id = o.run_id
     WHERE r.is_current AND o.fact = $1 AND o.value IS NOT NULL`,
    [measure.fact],
  );
  if ((cells.number(rows[0]?.n) ?? 0) === 0)
    return emptyCard(
      context,
      about,
      'not_ingested',
      `No ${label} in this record: no source that was read tells it.`,
      TELLERS[measure.fact] ?? 'Add a source that tells it.',
    );
  const teller = context.profile.sources.find(({ kind }) => kind === source)?.label;
  return emptyCard(
    context,
    about,
    'none',
    `${teller === undefined ? 'The record' : teller} has no ${label} for what was asked about.`,
    WIDER,
  );
}
