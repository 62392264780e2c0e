import type { Plan } from '../../shared/plan.ts';

/** One short plan, shown to the model: a premise that may be wrong, sentences for each case, no figure anywhere. */
export const example = {
  about: { feature: '7', scope: [] },
  facts: [
    {
      name: 'tries',
      kind: 'value',
      measure: 'attempts',
      source: 'counted',
      by: null,
      scope: 'about',
      where: [],
    },
    {
      name: 'time',
      kind: 'value',
      measure: 'build_time',
      source: 'counted',
      by: null,
      scope: 'about',
      where: [],
    },
    {
      name: 'usual',
      kind: 'value',
      measure: 'median_build_time',
      source: 'counted',
      by: null,
      scope: 'run',
      where: [],
    },
  ],
  premises: [
    {
      type: 'figure',
      name: 'two_tries',
      fact: 'tries',
      is: 'is',
      claimed: 'two attempts',
      if_true: '{feature:7} took {tries}, as the question says.',
      if_false: 'The record counts {tries} for {feature:7}.',
      if_unknown: 'How many attempts {feature:7} took is not recorded.',
    },
    {
      type: 'relation',
      name: 'slow',
      fact: 'time',
      is: 'more_than',
      other: 'usual',
      if_true: 'At {time} it was slower than the median of {usual}.',
      if_false: 'At {time} it was not slower than the median of {usual}.',
      if_unknown: null,
    },
  ],
  checks: [
    {
      type: 'agree',
      name: 'sources',
      measure: 'attempts',
      if_true: null,
      if_false: 'The sources give different numbers of attempts.',
      if_unknown: null,
    },
  ],
  explanation: [{ says: 'What the evaluator wrote: {quote:E1}', when: { name: 'two_tries', is: 'true' } }],
  blocks: [
    {
      type: 'attempts',
      title: 'Attempts of {feature:7}',
      feature: '7',
      actions: [
        {
          label: 'Compare with the slowest',
          request: 'How does feature 7 compare with the slowest feature?',
        },
      ],
    },
    {
      type: 'stat',
      title: 'Build time against the run',
      figures: [{ label: 'Build time', fact: 'time', compare_to: 'usual', caption: null }],
      actions: [],
    },
  ],
  followUps: [
    'Which features took longest?',
    'Where do the sources disagree?',
    'How did scores change over the run?',
  ],
} satisfies Plan;
