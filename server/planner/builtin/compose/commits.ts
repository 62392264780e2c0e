import type { Where } from '../../../../shared/plan.ts';
import { asksAfter } from '../after.ts';
import { inValues } from '../filters.ts';
import { button, figure } from '../plan-builder.ts';
import { QUESTIONS, sourcesOf, storyOf } from '../questions.ts';
import { type Compose, evidenceOf, isTold, mention, sourceLabel, start, tellerOf } from './context.ts';

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
  const added = isTold(profile, 'lines_added');
  if (profile.counts.commits === 0 && sourceLabel(profile, 'git') === null)
    plan.explain('No source of this record lists commits.');
  else if (after) {
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
    plan.explain(
      `The git log has {shown} for ${mention(id)} in this run${added ? ', with {lines} added' : ''}.`,
    );
  else
    plan.explain(
      `The git log has {during} made during the run${added ? ', with {lines} added by the accepting ones' : ''}.`,
    );
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
    ...(after ? [figure('During the run', 'during')] : added ? [figure('Lines added', 'lines')] : []),
  ]);
  if (after) {
    const claim = tellerOf(profile, 'attempts', 'claimed');
    const claims = claim === null || id === undefined ? [] : evidenceOf(context, claim.kind, id);
    const where = id === undefined ? [] : [inValues('feature', [id])];
    if (claim !== null) plan.fact('claimed', { measure: 'attempts', source: claim.kind, where });
    plan.fact('counted', { measure: 'attempts', where });
    plan.note('What can be said about when', [
      ...(claim === null
        ? []
        : [
            `The file as it is now claims {claimed}${claims[0] ? ` [${claims[0].id}]` : ''}, where {counted} are counted.`,
          ]),
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
