import { plainName, type RequirementState, STATE_IDS } from '../../../../shared/outcomes.ts';
import type { Where } from '../../../../shared/plan.ts';
import { inValues } from '../filters.ts';
import { button, figure } from '../plan-builder.ts';
import { EVENT_QUESTIONS, eventQuestions, QUESTIONS, storyOf } from '../questions.ts';
import { type Compose, featureTitle, scopeOf, start } from './context.ts';

/** States a question asks for by name; several of them are no filter but the question itself. */
function statesIn(question: string): RequirementState[] {
  const text = question.toLowerCase();
  return STATE_IDS.filter((state) => new RegExp(`\\b${plainName(state)}\\b`).test(text)).filter(
    (state) => state !== 'open' || /\bopen requirements?\b|\brequirements? (?:are|is) open\b/.test(text),
  );
}

/** Ids of requirements as people write them: "LR-7", "ac-14", "REQ-003". */
const requirementsIn = (question: string): string[] => [
  ...new Set([...question.matchAll(/\b[A-Za-z]{1,8}(?:-\d+)+(?:\.\d+)*\b/g)].map(([id]) => id)),
];

/** Requirements by how far they are proven: what a check bears out, and what is only somebody's word. */
export const composeProof: Compose = (context) => {
  const { reading, profile } = context;
  const id = reading.features.length === 1 ? reading.features[0] : undefined;
  const plan = start(context, { feature: id ?? null, scope: scopeOf(reading) });
  const held = profile.counts.requirements > 0;
  const states = statesIn(reading.question);
  const named = id === undefined ? requirementsIn(reading.question) : [];
  const only =
    named.length === 0 && states.length === 1 && !/claimed/i.test(reading.question) && id === undefined
      ? states[0]
      : undefined;
  const where: Where[] = [
    ...(only === undefined ? [] : [inValues('requirement_state', [only])]),
    ...(named.length === 0 ? [] : [inValues('requirement', named)]),
  ];
  const byCase = /\buse.?cases?\b/i.test(reading.question);
  const many = profile.counts.requirements > profile.features.length * 1.5;
  plan.fact('all', { measure: 'requirements' });
  plan.fact('proven', { measure: 'proven_requirements' });
  plan.fact('claimed', { measure: 'claimed_requirements' });
  plan.fact('refuted', { measure: 'refuted_requirements' });
  plan.fact('share', { measure: 'proven_share' });
  if (held && named.length > 0) {
    plan.fact('state', { measure: 'requirements', kind: 'top_label', by: 'requirement_state', where });
    plan.explain(
      named.length === 1
        ? 'The requirement asked about is {state}.'
        : 'Most of those asked about are {state}.',
    );
  }
  if (held) {
    plan.explain('Out of {all}, a check bears out {proven}; {claimed} rest on a claim alone.');
    plan.explain('The latest evidence speaks against {refuted}.');
  } else
    plan.explain(
      'No source of this record lists requirements, so none can be told to be proven or only claimed.',
    );
  plan.ledger({
    title:
      only !== undefined
        ? `Requirements that are ${plainName(only)}`
        : id === undefined
          ? 'What is proven and what is only claimed'
          : `What is proven of ${featureTitle(profile, id).replace(/^F/, 'f')}`,
    group: byCase ? 'use_case' : many || only !== undefined || id !== undefined ? 'feature' : 'state',
    where,
    actions: [
      ...(profile.counts.gate_events > 0 ? [button('Which gates failed?', EVENT_QUESTIONS.gatesFailed)] : []),
      ...(id === undefined ? [] : [button('Its whole story', storyOf(id))]),
    ],
  });
  if (held && id === undefined && named.length === 0 && profile.categories.length > 1)
    plan.chart({
      title: 'Proven share by category',
      of: ['proven_share'],
      by: 'category',
      order: 'smallest',
      where,
    });
  if (!held) {
    plan.fact('accepted', { measure: 'accepted_features', scope: 'run' });
    plan.fact('disputed', { measure: 'disputed_features', scope: 'run' });
    plan.stat('What the record does tell', [
      figure('Accepted', 'accepted'),
      figure('Disputed', 'disputed', { caption: 'sources tell different things' }),
    ]);
    plan.table('finding_table', {
      title: 'Where sources and claims part',
      columns: ['finding', 'feature', 'source'],
      size: 'some',
      scope: 'run',
    });
  }
  return plan.ask(
    ...(held ? [EVENT_QUESTIONS.refuted] : []),
    ...eventQuestions(profile),
    QUESTIONS.sources,
    QUESTIONS.overview,
  );
};
