import { button, figure } from '../plan-builder.ts';
import { EVENT_QUESTIONS, eventQuestions, QUESTIONS } from '../questions.ts';
import { type Compose, start } from './context.ts';

/** What the test reports say: how many, how many failed, which files. */
export const composeTests: Compose = (context) => {
  const { profile } = context;
  const plan = start(context, { scope: [] });
  plan.fact('all', { measure: 'test_results' });
  plan.fact('failed', { measure: 'failed_tests' });
  plan.fact('flaky', { measure: 'flaky_tests' });
  plan.fact('rate', { measure: 'test_pass_rate' });
  plan.explain('The test reports hold {all}; {failed} failed and {flaky} passed only when tried again.');
  plan.stat(
    'Tests in figures',
    [
      figure('Results', 'all'),
      figure('Failed', 'failed'),
      figure('Flaky', 'flaky'),
      figure('Pass rate', 'rate', { caption: 'skipped tests left out' }),
    ],
    profile.counts.requirements > 0 ? [button('What is proven?', EVENT_QUESTIONS.proof)] : [],
  );
  plan.chart({ title: 'Results by status', of: ['test_results'], by: 'test_status', order: 'largest' });
  plan.chart({
    title: 'Failures by file',
    of: ['failed_tests'],
    by: 'test_file',
    order: 'largest',
    size: 'some',
  });
  if (profile.counts.requirements > 0) plan.ledger({ title: 'What the tests bear out', group: 'state' });
  return plan.ask(...eventQuestions(profile), QUESTIONS.overview, QUESTIONS.table);
};
