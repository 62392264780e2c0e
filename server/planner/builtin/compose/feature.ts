import type { Sentence } from '../../../../shared/plan.ts';
import type { SourceKind } from '../../../record/store.ts';
import { inValues } from '../filters.ts';
import { button, figure, type PlanBuilder, plainTitle, sentence } from '../plan-builder.ts';
import { commitsOf, comparison, QUESTIONS, slowestIn, sourcesOf, timeOf } from '../questions.ts';
import { capital } from '../wording.ts';
import {
  type Compose,
  type Context,
  citation,
  evidenceOf,
  featureOf,
  featureTitle,
  mention,
  start,
  tellerOf,
  tellsOf,
} from './context.ts';
import { notRecorded } from './unrecorded.ts';

/** Facts of one feature that premises of a question can be about, by measure. */
const FACT_OF: Readonly<Record<string, string>> = {
  attempts: 'attempts',
  build_time: 'build_time',
  mean_score: 'score',
  lines_added: 'lines',
};

function declare(plan: PlanBuilder): void {
  plan.fact('attempts', { measure: 'attempts' });
  plan.fact('score', { measure: 'mean_score' });
  plan.fact('build_time', { measure: 'build_time' });
  plan.fact('lines', { measure: 'lines_added' });
  plan.fact('median', { measure: 'median_build_time', scope: 'run' });
}

/** Measures by which a question asks for the status of a feature. */
const STATES = new Set(['accepted_features', 'skipped_features']);

/** What the record says where a question takes the feature for out of the usual; nothing where it is. */
function contradict(plan: PlanBuilder, measure: string, taken: string): void {
  const usual = USUAL[measure];
  if (usual === undefined) return;
  if (measure === 'mean_score') plan.fact('mean', { measure, scope: 'run' });
  const other = measure === 'mean_score' ? 'mean' : 'median';
  const fact = FACT_OF[measure] ?? 'attempts';
  if (measure === 'attempts') {
    plan.explain('The record says otherwise: counted are {attempts}.');
    return;
  }
  const is = taken.includes('slow') ? 'more_than' : 'less_than';
  const name = plan.relation('out_of_usual', fact, is, other);
  plan.explain(`The record says otherwise: {${fact}}, against a ${usual} of {${other}} in the run.`, [
    name,
    'false',
  ]);
}
const USUAL: Readonly<Record<string, string>> = {
  build_time: 'median',
  mean_score: 'mean',
  attempts: 'usual number',
};

/** When a feature was finished; when it was begun no source of this record measures. */
function finished(plan: PlanBuilder, name: string, begun: boolean): void {
  plan.fact('finished', { measure: 'features', kind: 'top_label', by: 'completed_at' });
  if (begun)
    plan.explain(
      `When ${name} was started is not recorded. It was finished at {finished}, with {build_time} of building.`,
    );
  else plan.explain(`${name} was finished at {finished}.`);
}

/** The chat's few sentences; what they say depends on the server's own checks. */
function explain(plan: PlanBuilder, context: Context, id: string): void {
  const { request, profile } = context;
  const name = mention(id);
  const told = `{attempts}, with a score of {score} and a build time of {build_time}`;
  const asked = request.premises.find(
    (finding) =>
      finding.feature === id &&
      FACT_OF[finding.measure] !== undefined &&
      context.reading.question.includes(finding.claimed.text),
  );
  if (asked) {
    const premise = plan.figurePremise('as_asked', FACT_OF[asked.measure] ?? 'attempts', asked.claimed.text);
    plan.explain('Not by what is counted.', [premise, 'false']);
  }
  plan.fact('status', { measure: 'features', kind: 'top_label', by: 'status' });
  const state = request.premises.find(({ feature, measure }) => feature === id && measure === 'status');
  const { reading } = context;
  const first = STATES.has(reading.measures[0] ?? '') || reading.cues.has('failed');
  if (state?.verdict === 'false') plan.explain(`The record says otherwise: ${name} is {status}.`);
  else if (first && !asked) plan.explain(`The status of ${name} is {status}.`);
  for (const { measure, claimed } of request.premises)
    if (claimed.value === null && measure !== 'status') contradict(plan, measure, claimed.text);
  if (reading.cues.has('when')) finished(plan, name, reading.cues.has('start'));
  // What is not so has no reason; saying that it is not so comes first.
  const refuted = request.premises.some(({ verdict }) => verdict === 'false' || verdict === 'disputed');
  const log = tellerOf(profile, 'attempts', 'measured');
  if (reading.cues.has('why') && !refuted)
    plan.explain(
      evidenceOf(context, log?.kind ?? 'progress_log', id).some(({ text }) => !RESULT.test(text))
        ? 'No source gives a reason as a fact; the nearest to one is quoted under what the record supports.'
        : 'No source of this record gives a reason; it says what happened, not why.',
    );
  plan.explain(`${name} has ${told}.`);
  if (!asked && !first && state?.verdict !== 'false') plan.explain('Its status is {status}.');
  const claim = tellerOf(profile, 'attempts', 'claimed');
  if (claim === null) return;
  plan.fact('claimed_attempts', { measure: 'attempts', source: claim.kind });
  plan.explain(`The sources disagree about its attempts: ${claim.label} says {claimed_attempts}.`, [
    plan.agree('attempts_agree', 'attempts'),
    'false',
  ]);
  if (log !== null)
    plan.explain(
      `${capital(log.words)} has no line that accepts it; what is told of its attempts is the claim of ${claim.label}.`,
      [plan.recorded('attempts_logged', 'attempts', log.kind), 'false'],
    );
}

/** A result line of the progress log, as the harness writes it. */
const RESULT = /\bPASSED\b|\bSKIPPED\b|\bscore: /;

/** "{log_attempts} and {log_time}": which of the two a kind of source tells, declared as facts. */
function factsOf(plan: PlanBuilder, { profile }: Context, source: SourceKind, name: string): string {
  const told = [
    { measure: 'attempts', as: `${name}_attempts` },
    { measure: 'build_time', as: `${name}_time` },
  ].filter(({ measure }) => tellsOf(profile, source, measure));
  return told.map(({ measure, as }) => `{${plan.fact(as, { measure, source })}}`).join(' and ');
}

/** One sentence a source, each with its citation, then what the feature is set against. */
function supported(plan: PlanBuilder, context: Context, id: string): Sentence[] {
  const { profile } = context;
  const body: Sentence[] = [];
  const found = context.request.evidence.some(({ feature }) => feature === id);
  const teller = tellerOf(profile, 'build_time', 'measured') ?? tellerOf(profile, 'attempts', 'measured');
  const log = teller === null ? [] : evidenceOf(context, teller.kind, id);
  const result = log.filter(({ text }) => RESULT.test(text));
  const commits = evidenceOf(context, 'git', id);
  // Where rows were looked for and a source has none about the feature, it has no sentence either.
  if (teller !== null && (result.length > 0 || !found)) {
    const told = factsOf(plan, context, teller.kind, 'log');
    body.push(sentence(`${capital(teller.words)} records ${told}${citation(result)}.`));
  }
  if (tellsOf(profile, 'git', 'attempts') && (commits.length > 0 || !found)) {
    plan.fact('commit_attempts', { measure: 'attempts', source: 'git' });
    body.push(sentence(`The commit records {commit_attempts}${citation(commits)}.`));
  }
  const claim = tellerOf(profile, 'attempts', 'claimed');
  const claims = claim === null ? [] : evidenceOf(context, claim.kind, id);
  if (claim !== null && (claims.length > 0 || !found))
    body.push(
      sentence(`${claim.label} says ${factsOf(plan, context, claim.kind, 'claimed')}${citation(claims)}.`),
    );
  body.push(sentence('Its build time stands at {build_time}, against a median of {median} in the run.'));
  const mention = log.find((item) => !result.includes(item));
  if (mention)
    body.push(
      sentence(
        `${teller?.kind === 'progress_log' ? 'A planning pass' : capital(teller?.words ?? '')} speaks of it: {quote:${mention.id}}`,
      ),
    );
  body.push(sentence('A reason for its build time is not among the facts of this record.'));
  if (context.reading.topic)
    for (const says of notRecorded(context.reading.topic, profile)) body.push(sentence(says));
  return body;
}

/** The story of one feature: attempts as told, how it compares, what the record supports. */
export const composeFeature: Compose = (context) => {
  const { reading, profile } = context;
  const id = reading.features[0] ?? '';
  const feature = featureOf(profile, id);
  const category = feature?.category ?? '';
  const plan = start(context, { feature: id, scope: [inValues('feature', [id])] });
  const title = featureTitle(profile, id);
  declare(plan);
  explain(plan, context, id);
  plan.attempts(id, title, [
    button('Other disputed features', QUESTIONS.disputed),
    button('Its commits', commitsOf(id)),
  ]);
  plan.stat(`How ${title.split(',')[0]?.replace('F', 'f') ?? 'it'} compares`, [
    figure('Build time', 'build_time', { compare_to: 'median' }),
    figure('Median build time', 'median', { caption: 'whole run' }),
    figure('Lines added', 'lines'),
    figure('Score', 'score'),
  ]);
  if (reading.cues.has('when'))
    plan.table('feature_table', {
      title: 'When it was finished',
      columns: ['feature', 'status', 'completed_at', 'source'],
    });
  else comparisonChart(plan, context, category);
  plan.note('What the record supports', supported(plan, context, id));
  const neighbour = profile.features.find((other) => other.category === category && other.id !== id);
  return plan.ask(
    sourcesOf(id),
    ...(neighbour ? [comparison(id, neighbour.id)] : []),
    QUESTIONS.attemptsEntered,
    timeOf(id),
  );
};

/** Among the slowest where time or effort is asked about, else beside its own category. */
function comparisonChart(plan: PlanBuilder, { reading, request }: Context, category: string): void {
  const effort =
    request.premises.length > 0 ||
    reading.measures.some((id) => id === 'attempts' || id.endsWith('build_time')) ||
    category === '';
  const actions = category === '' ? [] : [button(`Slowest in ${plainTitle(category)}`, slowestIn(category))];
  const common = { of: ['build_time'], by: 'feature', order: 'largest', scope: 'run', actions } as const;
  if (effort)
    plan.chart({
      ...common,
      of: ['build_time'],
      actions,
      title: 'Build time of the slowest features',
      size: 'some',
    });
  else
    plan.chart({
      ...common,
      of: ['build_time'],
      actions,
      title: 'Build time within its category',
      where: [inValues('category', [category])],
    });
}
