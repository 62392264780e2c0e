import { capital } from '../../../shared/capital.ts';
import type { Plan } from '../../../shared/plan.ts';
import type { ProjectRef } from '../../../shared/wire.ts';
import { type Measure, measureById } from '../../metrics/measures.ts';
import { list } from '../../metrics/words.ts';
import { button, PlanBuilder, plainTitle } from '../../planner/builtin/plan-builder.ts';
import { read } from '../../planner/builtin/reading.ts';
import type { CountedRows, RecordProfile } from '../../record/store.ts';
import { QUESTIONS } from './questions.ts';

/** Charts of a comparison that asks for nothing in particular. */
const USUAL = ['accepted_features', 'attempts', 'median_build_time'];
/** What is set side by side of the features; `coverage` says for how many of them it is known. */
const OF_FEATURES = [
  'project',
  'features',
  'accepted',
  'attempts',
  'build_time',
  'score',
  'findings',
  'coverage',
];
/** Further tables, each drawn where one of the projects has such rows at all. */
const FURTHER: readonly { rows: readonly CountedRows[]; title: string; columns: string[] }[] = [
  {
    rows: ['requirements', 'gate_events', 'test_results'],
    title: 'Requirements, gates and tests side by side',
    columns: ['project', 'requirements', 'proven', 'gates', 'gate_failures', 'tests', 'failed_tests'],
  },
];
/** Charts beside the table. */
const CHARTS = 3;
/** A sum of times says how large a project is; what is compared is the typical time. */
const TYPICAL: Readonly<Record<string, string>> = { build_time: 'median_build_time' };

/** "the most attempts", "the longest median build time", "the highest mean score" */
function extreme(measure: Measure, direction: 'high' | 'low'): string {
  const high = direction === 'high';
  if (measure.unit === 's') return `the ${high ? 'longest' : 'shortest'} ${measure.label}`;
  if (measure.unit === 'points' || measure.unit === 'ratio')
    return `the ${high ? 'highest' : 'lowest'} ${measure.label}`;
  return `the ${high ? 'most' : 'fewest'} ${measure.label}`;
}

/**
 * The plan of a comparison: one table with a row a project, and a chart for each measure the question asks for.
 * Pure: equal questions about equal projects give equal plans.
 */
export function comparisonPlan(
  question: string,
  projects: readonly ProjectRef[],
  profile: RecordProfile,
): Plan {
  const reading = read(question, { ...profile, features: [] });
  const named = [...new Set(reading.measures.map((id) => TYPICAL[id] ?? id))];
  const asked = named.filter((id) => id !== 'features' || named.length === 1).slice(0, CHARTS);
  const measures = asked.length > 0 ? asked : USUAL;
  const plan = new PlanBuilder(profile, question);
  const [main] = asked;
  const measure = main === undefined ? undefined : measureById(main);
  if (measure !== undefined) {
    const end = reading.direction === 'high' ? 'top' : 'bottom';
    plan.fact('which', { measure: measure.id, kind: `${end}_label`, by: 'project' });
    plan.fact('figure', { measure: measure.id, kind: `${end}_value`, by: 'project' });
    plan.explain(`{which} has ${extreme(measure, reading.direction)}: {figure}.`);
  }
  plan.explain('Every row is computed in the record of its own project, for the current run of each.');
  const table = (): PlanBuilder =>
    plan.table('project_table', {
      title: titleOf(projects),
      columns: OF_FEATURES,
      actions: [button('Which took more attempts?', QUESTIONS.attempts)],
    });
  const further = (): void => {
    for (const { rows, title, columns } of FURTHER)
      if (rows.some((kind) => profile.counts[kind] > 0)) plan.table('project_table', { title, columns });
  };
  const charts = (): void => {
    for (const id of measures) {
      const one = measureById(id);
      if (one)
        plan.chart({
          title: `${capital(one.label)} by project`,
          of: [id],
          by: 'project',
          order: reading.direction === 'low' ? 'smallest' : 'natural',
        });
    }
  };
  // What was asked for comes first; a comparison of everything begins with everything.
  if (asked.length > 0) {
    charts();
    table();
  } else {
    table();
    further();
    charts();
  }
  return plan.ask(QUESTIONS.attempts, QUESTIONS.slowest, QUESTIONS.accepted, QUESTIONS.all).build();
}

function titleOf(projects: readonly ProjectRef[]): string {
  const names = projects.map(({ name }) => plainTitle(name));
  return names.length > 3 ? `${names.length} projects side by side` : capital(`${list(names)} side by side`);
}
