import { CODES } from '../../shared/codes.ts';
import { list } from '../metrics/words.ts';
import { isEmptyRecord } from '../record/empty.ts';
import type { RecordProfile, Row, Store } from '../record/store.ts';
import { proofLedger, runTimeline, stateFigures, struggle } from './builtin/compose/at-a-glance.ts';
import { figure, PlanBuilder, plainTitle } from './builtin/plan-builder.ts';
import { suggestions } from './builtin/questions.ts';

export { suggestions };

/** The plan of the starting view, as JSON text of the plan language. */
export function startPlan(profile: RecordProfile): string {
  const plan = isEmpty(profile) ? emptyStart : profile.features.length === 0 ? bare : start;
  return JSON.stringify(plan(profile).build());
}

function start(profile: RecordProfile): PlanBuilder {
  const plan = new PlanBuilder(profile, '');
  plan.explain('Ask in your own words. Every figure opens to the line it came from.');
  plan.stat('State of the run', stateFigures(plan, profile));
  runTimeline(plan, profile);
  struggle(plan, profile);
  proofLedger(plan, profile);
  return plan.ask(...suggestions(profile));
}

/** A record without features, but with something in it: commits, test results, a log. */
function bare(profile: RecordProfile): PlanBuilder {
  const plan = new PlanBuilder(profile, '');
  const { counts } = profile;
  plan.explain('No source of this record lists features; what was read is shown by itself.');
  if (counts.test_results > 0) {
    plan.fact('tests', { measure: 'test_results' });
    plan.fact('failed', { measure: 'failed_tests' });
    plan.fact('rate', { measure: 'test_pass_rate' });
    plan.stat('Tests', [figure('Results', 'tests'), figure('Failed', 'failed'), figure('Pass rate', 'rate')]);
    plan.chart({ title: 'Results by status', of: ['test_results'], by: 'test_status', order: 'largest' });
  }
  if (counts.requirements > 0)
    plan.ledger({ title: 'What is proven and what is only claimed', group: 'state' });
  if (counts.commits > 0)
    plan.table('commit_table', {
      title: 'Commits',
      columns: ['commit', 'time', 'subject', 'insertions', 'deletions'],
      size: 'all',
    });
  if (counts.log_events > 0) plan.log({ title: 'The end of the log', around: 'end', size: 'few' });
  return plan.ask(...suggestions(profile));
}

const isEmpty = ({ features, counts }: RecordProfile): boolean =>
  features.length === 0 && Object.values(counts).every((count) => count === 0);

/** Files were found, and nothing of a run could be read from them. */
const UNUSABLE = {
  title: 'Nothing usable was found',
  says: 'There are files to read here, but nothing in them could be read as the record of a run.',
} as const;

const whyEmpty = (profile: RecordProfile): { title: string; says: string } =>
  isEmptyRecord(profile) ? CODES.record_empty : UNUSABLE;

/** Sources that are named one by one. */
const NAMED = 5;

/** A record of nothing: why, the files it was looked for in, and what the audit has to say of them. */
function emptyStart(profile: RecordProfile): PlanBuilder {
  const plan = new PlanBuilder(profile, '');
  const { title, says } = whyEmpty(profile);
  const labels = [...new Set(profile.sources.map(({ label }) => plainTitle(label)))];
  const more = labels.length - NAMED;
  const named = [...labels.slice(0, NAMED), ...(more > 0 ? ['more'] : [])];
  plan.explain(says).note(title, [says, ...(named.length > 0 ? [`Looked into: ${list(named)}.`] : [])]);
  if (profile.findings + profile.issues > 0)
    plan.table('finding_table', { title: 'What was found in them', columns: ['finding', 'source'] });
  return plan;
}

const count = (row: Row | undefined, name: string): number => {
  const value = row?.[name];
  return typeof value === 'number' ? value : 0;
};

/**
 * Heading of the starting view, made of what the record counts ("29 accepted, 1 skipped, 11 disputed.").
 * Throws QueryError when the record fails.
 */
export async function startTitle(profile: RecordProfile, store: Store): Promise<string> {
  if (isEmpty(profile)) return whyEmpty(profile).title;
  if (profile.features.length === 0) return 'No features in this record.';
  const { rows } = await store.query(
    `SELECT count(*) FILTER (status = 'accepted') AS accepted, count(*) FILTER (status = 'skipped') AS skipped,
      count(*) FILTER (status = 'blocked') AS blocked, count(*) FILTER (status = 'failed') AS failed,
      count(*) FILTER (status NOT IN ('accepted', 'skipped', 'blocked', 'failed')) AS others, count(*) FILTER (disputed) AS disputed
     FROM v_feature WHERE is_current`,
  );
  const row = rows[0];
  const some = (name: string, words: string): string[] =>
    count(row, name) > 0 ? [`${count(row, name)} ${words}`] : [];
  const parts = [
    `${count(row, 'accepted')} accepted`,
    ...some('blocked', 'waiting for a human'),
    ...some('failed', 'failed'),
    ...some('skipped', 'skipped'),
    ...some('others', 'not finished'),
    ...some('disputed', 'disputed'),
  ];
  return `${parts.join(', ')}.`;
}
