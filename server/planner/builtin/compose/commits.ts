import type { Where } from '../../../../shared/plan.ts';
import { asksAfter } from '../after.ts';
import { inValues } from '../filters.ts';
import { button, figure } from '../plan-builder.ts';
import { QUESTIONS, sourcesOf, storyOf } from '../questions.ts';
import { type Compose, evidenceOf, mention, start } from './context.ts';

/** Commits: of a feature, after the run, or of the run. */
export const composeCommits: Compose = (context) => {
  const { reading, profile } = context;
  const id = reading.features[0];
  const after = asksAfter(context.reading.question, profile);
  const plan = start(context, {
    feature: id ?? null,
    scope: after || id === undefined ? [] : [inValues('feature', [id])],
  });
  const phase: Where = inValues('phase', [after ? 'after' : 'during']);
  const where = id !== undefined && !after ? [] : [phase];
  plan.fact('shown', { measure: 'commits', where });
  plan.fact('during', { measure: 'commits', where: [inValues('phase', ['during'])] });
  plan.fact('after', { measure: 'commits', where: [inValues('phase', ['after'])] });
  plan.fact('lines', { measure: 'lines_added' });
  if (after) {
    plan.explain('The git log has {after} made after the run, and {during} during it.');
    const told = evidenceOf(context, 'git', null);
    const [first, ...others] = told.slice(0, 3);
    if (first)
      plan.explain(
        `By its subject ${others.length > 0 ? 'the likeliest commit is' : 'it was'} {quote:${first.id}}${others.length > 0 ? `; others that come near: ${others.map(({ id: at }) => `[${at}]`).join(' ')}` : ''}.`,
      );
    plan.explain(
      'It gives the time and the subject of each commit; which lines of a file a commit wrote is not read from it.',
    );
  } else if (id !== undefined)
    plan.explain(`The git log has {shown} for ${mention(id)} in this run, with {lines} added.`);
  else
    plan.explain('The git log has {during} made during the run, with {lines} added by the accepting ones.');
  plan.table('commit_table', {
    title: after
      ? 'Commits after the run'
      : id === undefined
        ? 'Commits during the run'
        : 'Commits of this feature',
    columns: ['commit', 'time', 'subject', 'insertions', 'deletions', ...(after ? ['files'] : [])],
    where,
    actions: after
      ? [button('Commits during the run', QUESTIONS.commits)]
      : [button('Commits after the run', QUESTIONS.commitsAfter)],
  });
  plan.stat('Commits in figures', [
    figure(after ? 'After the run' : 'Shown', 'shown'),
    figure(after ? 'During the run' : 'Lines added', after ? 'during' : 'lines'),
  ]);
  if (after) {
    const claim = id === undefined ? [] : evidenceOf(context, 'metrics', id);
    plan.fact('claimed', {
      measure: 'attempts',
      source: 'metrics',
      ...(id === undefined ? {} : { where: [inValues('feature', [id])] }),
    });
    plan.fact('counted', {
      measure: 'attempts',
      ...(id === undefined ? {} : { where: [inValues('feature', [id])] }),
    });
    plan.note('What can be said about when', [
      `The file as it is now claims {claimed}${claim[0] ? ` [${claim[0].id}]` : ''}, where {counted} are counted.`,
      'The commits after the run are listed with their times. Their subjects are the words of whoever made them.',
    ]);
  } else if (id === undefined)
    plan.chart({
      title: 'Commits before, during and after the run',
      of: ['commits'],
      by: 'phase',
      scope: 'run',
    });
  if (id !== undefined && !after)
    plan.attempts(id, 'Attempts of this feature', [button('Its whole story', storyOf(id))]);
  return plan.ask(
    ...(id === undefined ? [] : [sourcesOf(id), storyOf(id)]),
    QUESTIONS.sources,
    QUESTIONS.mostLines,
    QUESTIONS.disputed,
  );
};
