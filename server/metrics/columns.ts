import type { Unit } from '../../shared/cards.ts';

/**
 * The columns tables can have, one list a kind of row. Prompts, schema enums, vocabulary and the table resolver
 * all read these lists; `measure` ties a column to the measure whose counted value fills it.
 */
export interface Column {
  id: string;
  label: string;
  meaning: string;
  align: 'start' | 'end';
  unit: Unit;
  /** Measure that fills the cell and opens as evidence, or null for text and times. */
  measure: string | null;
}

export type TableKind = 'feature_table' | 'commit_table' | 'finding_table' | 'gate_table' | 'project_table';

const text = (id: string, label: string, meaning: string): Column => ({
  id,
  label,
  meaning,
  align: 'start',
  unit: 'none',
  measure: null,
});
const figure = (id: string, label: string, meaning: string, unit: Unit, measure: string | null): Column => ({
  id,
  label,
  meaning,
  align: 'end',
  unit,
  measure,
});

export const TABLE_COLUMNS: Readonly<Record<TableKind, readonly Column[]>> = {
  feature_table: [
    text('feature', 'feature', 'number and title'),
    text('category', 'category', 'category of the feature'),
    text('status', 'status', 'accepted, in progress, blocked, failed, skipped or pending'),
    figure('attempts', 'attempts', 'counted attempts', 'attempts', 'attempts'),
    figure('score', 'score, of 10', 'counted final score', 'points', 'mean_score'),
    figure('build_time', 'build time', 'counted build seconds', 's', 'build_time'),
    figure('lines_added', 'lines added', 'lines added by the accepting commit', 'lines', 'lines_added'),
    figure(
      'lines_removed',
      'lines removed',
      'lines removed by the accepting commit',
      'lines',
      'lines_removed',
    ),
    figure(
      'files_changed',
      'files changed',
      'files touched by the accepting commit',
      'files',
      'files_changed',
    ),
    figure('tokens', 'tokens', 'coder and evaluator tokens', 'tokens', 'tokens'),
    text('completed_at', 'finished', 'clock time at which it was finished'),
    text('disputed', 'sources', 'whether the sources disagree about it'),
    text('source', 'counted from', 'file and line of the counted result'),
  ],
  commit_table: [
    text('commit', 'commit', 'short hash'),
    text('subject', 'subject', 'subject line'),
    text('time', 'time', 'commit time'),
    text('feature', 'feature', 'feature it belongs to'),
    text('kind', 'kind', 'accepting, skipping or other'),
    text('phase', 'phase', 'before, during or after the run'),
    figure('files', 'files', 'files touched', 'files', null),
    figure('insertions', 'lines added', 'lines added', 'lines', null),
    figure('deletions', 'lines removed', 'lines removed', 'lines', null),
  ],
  finding_table: [
    text('finding', 'finding', 'what was found, in a sentence'),
    text('rule', 'rule', 'rule that made it'),
    text('severity', 'severity', 'how grave it is'),
    text('feature', 'feature', 'feature it is about'),
    text('fact', 'fact', 'what it is about'),
    text('source', 'source', 'file and line it rests on'),
  ],
  gate_table: [
    text('gate', 'gate', 'gate or verifier that ran'),
    text('feature', 'feature', 'feature it was run for'),
    text('time', 'began', 'when it began, or ended where only that is known'),
    text('verdict', 'verdict', 'what it came to'),
    text('attribution', 'whose doing', 'whose doing a failure was'),
    text('why', 'rests on', 'the evidence for the attribution'),
    text('reason', 'reason', 'the reason it gave'),
    text('attempt', 'attempt', 'number of the attempt, of how many'),
    figure('duration', 'took', 'seconds it ran', 's', null),
    text('source', 'source', 'file and line of the outcome'),
  ],
  project_table: [
    text('project', 'project', 'name of the project'),
    figure('features', 'features', 'number of features', 'features', 'features'),
    figure('accepted', 'accepted', 'features the harness accepted', 'features', 'accepted_features'),
    figure('skipped', 'skipped', 'features the harness gave up on', 'features', 'skipped_features'),
    figure('attempts', 'attempts', 'counted attempts of all features', 'attempts', 'attempts'),
    figure('build_time', 'median build time', 'median of build seconds', 's', 'median_build_time'),
    figure('score', 'mean score, of 10', 'mean of final scores', 'points', 'mean_score'),
    figure('commits', 'commits', 'commits of the run', 'commits', 'commits'),
    figure('findings', 'findings', 'audit findings', 'findings', 'findings'),
    figure(
      'requirements',
      'requirements',
      'acceptance criteria, steps or use cases',
      'requirements',
      'requirements',
    ),
    figure('proven', 'proven', 'requirements proven by a check', 'requirements', 'proven_requirements'),
    figure('gates', 'gate runs', 'runs of gates and verifiers', 'gates', 'gate_runs'),
    figure('gate_failures', 'gate failures', 'runs of gates that did not pass', 'gates', 'gate_failures'),
    figure('tests', 'test results', 'results of test cases', 'tests', 'test_results'),
    figure('failed_tests', 'failed tests', 'test cases that failed', 'tests', 'failed_tests'),
    text('coverage', 'known for', 'for how many features the figures are known'),
  ],
};

/** The column with this id in a table of this kind, or undefined when there is none. */
export const columnOf = (kind: TableKind, id: string): Column | undefined =>
  TABLE_COLUMNS[kind].find((column) => column.id === id);
