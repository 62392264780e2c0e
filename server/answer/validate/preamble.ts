import type { Check, Fact, Premise } from '../../../shared/plan.ts';
import { measureOf, QueryRefused } from '../../metrics/fit.ts';
import { SOURCE_KINDS } from '../../record/store.ts';
import { whereOf } from '../resolve/context.ts';
import { isSpanOf } from '../span-of-question.ts';
import type { Preamble } from '../types.ts';
import { type BlockContext, type Issue, quoted, unbound, type ValidateContext } from './issue.ts';
import { textIssues } from './mentions.ts';
import { queryIssues, valueIssues } from './queries.ts';

/** What a plan declares, for what comes after it. */
export const declared = (preamble: Preamble, context: ValidateContext): BlockContext => ({
  ...context,
  about: preamble.about,
  facts: new Set(preamble.facts.map(({ name }) => name)),
  outcomes: new Set([...preamble.premises, ...preamble.checks].map(({ name }) => name)),
});

function factIssues(fact: Fact, at: string, context: BlockContext): Issue[] {
  const { measure, source, by, scope } = fact;
  const extreme = /^(?:top|bottom)_/.test(fact.kind);
  // "each" alone means one value a source; as one result it is taken as counted.
  const ref = { measure, source: source === 'each' && by !== 'source' ? 'counted' : source };
  const where = whereOf(context.about, scope, fact.where);
  return [
    ...queryIssues(
      { measures: [ref], by: extreme ? by : null, split: null, where, order: 'natural', limit: null },
      at,
      'part',
    ),
    ...(extreme && by === null
      ? [
          {
            path: at,
            code: 'block_invalid' as const,
            says: 'A highest or lowest needs a grouping.',
            costs: 'part' as const,
          },
        ]
      : []),
    ...valueIssues(fact.where, `${at}.where`, context.profile),
  ];
}

function premiseIssues(premise: Premise, at: string, context: BlockContext): Issue[] {
  const noFact = (name: string): Issue[] =>
    context.facts.has(name) ? [] : [unbound(at, `There is no fact ${quoted(name)}.`, 'part')];
  switch (premise.type) {
    case 'figure': {
      const asked = isSpanOf(premise.claimed, context.question ?? '');
      return [
        ...noFact(premise.fact),
        ...(asked ? [] : [unbound(at, `The question does not say ${quoted(premise.claimed)}.`, 'part')]),
      ];
    }
    case 'relation':
      return [...noFact(premise.fact), ...noFact(premise.other)];
    case 'state':
      return context.profile.features.some(({ id }) => id === premise.feature)
        ? []
        : [unbound(at, `There is no feature ${quoted(premise.feature)}.`, 'nothing')];
  }
}

function checkIssues(check: Check, at: string): Issue[] {
  try {
    measureOf(check.measure);
  } catch (error) {
    if (!(error instanceof QueryRefused)) throw error;
    return [unbound(at, error.message, 'part')];
  }
  const known =
    check.type === 'agree' || [...SOURCE_KINDS, 'counted', 'each'].some((kind) => kind === check.source);
  return known ? [] : [unbound(at, `There is no source ${quoted(check.source)}.`, 'part')];
}

const outcomeIssues = (of: Premise | Check, at: string, context: BlockContext): Issue[] =>
  [of.if_true, of.if_false, of.if_unknown].flatMap((text) => textIssues(text, at, context, 'nothing'));

/** Everything that does not hold in what stands before the blocks. What costs a part costs the entry its path names. */
export function validatePreamble(preamble: Preamble, given: ValidateContext): Issue[] {
  const context = declared(preamble, given);
  const { about } = preamble;
  const unknown = about.feature !== null && !given.profile.features.some(({ id }) => id === about.feature);
  return [
    ...(unknown
      ? [unbound('about.feature', `There is no feature ${quoted(about.feature ?? '')}.`, 'nothing')]
      : []),
    ...valueIssues(about.scope, 'about.scope', given.profile),
    ...preamble.facts.flatMap((fact, index) => factIssues(fact, `facts[${index}]`, context)),
    ...preamble.premises.flatMap((premise, index) => [
      ...premiseIssues(premise, `premises[${index}]`, context),
      ...outcomeIssues(premise, `premises[${index}]`, context),
    ]),
    ...preamble.checks.flatMap((check, index) => [
      ...checkIssues(check, `checks[${index}]`),
      ...outcomeIssues(check, `checks[${index}]`, context),
    ]),
  ];
}
