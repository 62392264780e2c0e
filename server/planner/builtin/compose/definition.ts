import { measureById } from '../../../metrics/measures.ts';
import { figure } from '../plan-builder.ts';
import { QUESTIONS } from '../questions.ts';
import { capital, labelOf, meaningOf, ofGroup } from '../wording.ts';
import { type Compose, start } from './context.ts';

const BASES =
  'Measured is what the harness, the gate or git wrote; derived is computed from that; claimed is the word of the agent or typed in later. What sources tell differently is disputed, and the strongest basis is counted.';

/** What a measure means, with its value in this record. */
export const composeDefinition: Compose = (context) => {
  const id = context.reading.measures[0] ?? 'features';
  const measure = measureById(id);
  const plan = start(context);
  const label = id === 'first_try_rate' ? 'acceptance without a retry' : labelOf(id);
  plan.fact('value', { measure: id });
  plan.explain(`${capital(label)} means the ${meaningOf(id)}.`);
  plan.explain('In this record it is {value}.');
  plan.note(`What ${label} means`, [`**${capital(label)}**: ${meaningOf(id)}.`, BASES]);
  plan.stat(capital(label), [figure(capital(label), 'value')]);
  if (measure?.base === 'feature')
    plan.chart({ title: `${capital(labelOf(ofGroup(id)))} by category`, of: [ofGroup(id)], by: 'category' });
  return plan.ask(QUESTIONS.overview, QUESTIONS.slowest, QUESTIONS.sources);
};
