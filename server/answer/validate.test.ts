import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../shared/limits.ts';
import { type Block, type Fact, Plan } from '../../shared/plan.ts';
import { DIMENSIONS } from '../metrics/dimensions.ts';
import { fits } from '../metrics/fit.ts';
import { MEASURES } from '../metrics/measures.ts';
import { example } from '../planner/example.ts';
import { testProfile } from '../planner/test-profile.ts';
import { type BlockContext, type Issue, validateBlock, validatePlan } from './validate.ts';

const given = {
  profile: testProfile,
  question: 'Why did feature 7 take two  attempts, was it slow?',
  evidence: [{ id: 'E1' }],
};
const plan = (changes: Partial<Plan>): Plan => ({ ...Plan.parse(example), ...changes });
const context: BlockContext = {
  ...given,
  about: { feature: '7', scope: [] },
  facts: new Set(['tries', 'time']),
  outcomes: new Set(['slow']),
};
const chart = (changes: Partial<Extract<Block, { type: 'chart' }>>): Block => ({
  type: 'chart',
  title: 'Build time',
  measures: [{ measure: 'build_time', source: 'counted' }],
  by: 'category',
  split: null,
  draw: 'bar',
  order: 'largest',
  size: 'some',
  scope: 'run',
  where: [],
  actions: [],
  ...changes,
});
const fact = (name: string, changes: Partial<Fact> = {}): Fact => ({
  name,
  kind: 'value',
  measure: 'build_time',
  source: 'counted',
  by: null,
  scope: 'about',
  where: [],
  ...changes,
});
const brief = (issues: readonly Issue[]): string[] =>
  issues.map(({ path, code, costs }) => `${path} ${code} ${costs}`);

describe('a whole plan', () => {
  it('has no issue when everything holds', () => {
    expect(validatePlan(plan({}), given)).toEqual([]);
  });

  it('wants the words a premise rests on to be in the question', () => {
    expect(brief(validatePlan(plan({}), { ...given, question: 'Was it slow?' }))).toEqual([
      'premises[0] block_unbound part',
    ]);
    expect(brief(validatePlan(plan({}), { ...given, question: null }))).toEqual([
      'premises[0] block_unbound part',
    ]);
  });

  it.each([
    ['ten', 'How often was it built?', false],
    ['ten', 'Was it built ten times?', true],
    ['9', 'Why 29 attempts?', false],
    ['9', 'Why 9.5 points?', false],
    ['28', 'Why was feature 28 slow?', false],
    ['28', 'Why were features 3 and 28 slow?', false],
    ['28', 'Why did feature 28 take 28 attempts?', true],
  ])('takes "%s" in "%s" for said: %s', (claimed, question, said) => {
    const premises = plan({}).premises.map((one) => (one.type === 'figure' ? { ...one, claimed } : one));
    const issues = brief(validatePlan(plan({ premises }), { ...given, question }));
    expect(issues.includes('premises[0] block_unbound part')).toBe(!said);
  });

  it('finds names that nothing declares, and facts that nothing uses', () => {
    expect(brief(validatePlan(plan({ facts: [fact('tries'), fact('time')] }), given))).toEqual([
      'premises[1] block_unbound part',
      'premises[1] block_unbound nothing',
      'premises[1] block_unbound nothing',
      'blocks[1].figures[0] block_unbound part',
    ]);
    expect(
      brief(
        validatePlan(
          plan({ facts: ['tries', 'time', 'usual', 'spare', 'tries'].map((name) => fact(name)) }),
          given,
        ),
      ),
    ).toEqual(['facts[4] plan_invalid part', 'facts[3] plan_invalid nothing']);
  });

  it('looks into facts, checks, explanation and counts', () => {
    const broken = plan({
      about: { feature: '99', scope: [] },
      facts: [
        fact('tries', { measure: 'effort' }),
        fact('time', { kind: 'top_label' }),
        fact('usual', { where: [{ type: 'in', dim: 'colour', not: false, any_of: ['red'] }] }),
      ],
      checks: [
        {
          type: 'agree',
          name: 'sources',
          measure: 'effort',
          if_true: null,
          if_false: null,
          if_unknown: null,
        },
      ],
      explanation: [
        { says: 'See [E9].', when: null },
        { says: 'x', when: { name: 'nobody', is: 'true' } },
      ],
      blocks: [],
      followUps: ['a'],
    });
    expect(brief(validatePlan(broken, given))).toEqual([
      'about.feature block_unbound nothing',
      'facts[0] block_unbound part',
      'facts[1] block_invalid part',
      'facts[2] block_unbound part',
      'checks[0] block_unbound part',
      'explanation[0] block_unbound nothing',
      'explanation[1] block_unbound part',
      'blocks plan_invalid nothing',
      'followUps plan_invalid nothing',
    ]);
  });

  it('says at most six cards, and names the block an issue is in', () => {
    const blocks = Array.from({ length: LIMITS.blocks + 1 }, () => chart({ by: 'colour' }));
    const issues = brief(validatePlan(plan({ blocks }), given));
    expect(issues).toContain('blocks plan_invalid nothing');
    expect(issues).toContain('blocks[6].measures block_unbound card');
  });
});

describe('one block', () => {
  const issues = (block: Block): string[] => brief(validateBlock(block, context));

  it('may combine every measure with every dimension it fits, and no other', () => {
    for (const measure of MEASURES)
      for (const dimension of DIMENSIONS) {
        const block = chart({ measures: [{ measure: measure.id, source: 'counted' }], by: dimension.id });
        const found = issues(block);
        if (fits(measure, dimension)) expect(found, `${measure.id} by ${dimension.id}`).toEqual([]);
        else expect(found, `${measure.id} by ${dimension.id}`).toEqual(['measures block_incompatible card']);
      }
  });

  it('draws a donut only of what adds up', () => {
    const category = DIMENSIONS.filter(({ id }) => id === 'category');
    const fitting = MEASURES.filter((measure) => category.some((dimension) => fits(measure, dimension)));
    expect(fitting.length).toBeGreaterThan(10);
    for (const { id, additive } of fitting)
      expect(issues(chart({ draw: 'donut', measures: [{ measure: id, source: 'counted' }] })), id).toEqual(
        additive ? [] : ['draw donut_not_additive card'],
      );
    expect(issues(chart({ draw: 'donut', by: 'source' }))).toEqual(['draw donut_not_additive card']);
    expect(issues(chart({ draw: 'donut', split: 'status' }))).toEqual(['draw block_incompatible nothing']);
  });

  it('keeps two units off one scale', () => {
    const measures = ['build_time', 'lines_added', 'median_build_time'].map((measure) => ({
      measure,
      source: 'counted',
    }));
    expect(issues(chart({ measures }))).toEqual(['measures[1] block_incompatible part']);
  });

  it('knows sources, columns, features, facts, conditions and evidence', () => {
    expect(issues(chart({ measures: [{ measure: 'build_time', source: 'rumour' }] }))).toEqual([
      'measures block_unbound card',
    ]);
    expect(
      issues(chart({ where: [{ type: 'in', dim: 'category', not: false, any_of: ['Polish', 'nope'] }] })),
    ).toEqual(['where[0].any_of block_unbound nothing']);
    expect(issues({ type: 'attempts', title: 'x', feature: '99', actions: [] })).toEqual([
      'feature block_unbound nothing',
    ]);
    const table = {
      type: 'feature_table',
      title: 'x',
      columns: ['feature', 'nope'],
      order_by: 'also',
      order: 'natural',
      size: 'all',
      scope: 'about',
      where: [],
      actions: [],
    } as const;
    expect(issues({ ...table, columns: [...table.columns], where: [], actions: [] })).toEqual([
      'columns[1] block_unbound part',
      'order_by block_unbound part',
    ]);
    const figure = { label: 'x', fact: 'tries', compare_to: 'nope', caption: '{missing}' };
    expect(issues({ type: 'stat', title: '{nope}', figures: [figure], actions: [] })).toEqual([
      'title block_unbound part',
      'figures[0] block_unbound part',
      'figures[0] block_unbound nothing',
    ]);
    const says = 'Took {tries} {feature:28} [E1] {quote:E2} [E1, E3] {"not": "a mention"}';
    expect(
      issues({
        type: 'note',
        title: 'x',
        body: [{ says, when: { name: 'other', is: 'true' } }],
        actions: [],
      }),
    ).toEqual([
      'body[0] block_unbound part',
      'body[0] block_unbound nothing',
      'body[0] block_unbound nothing',
    ]);
  });

  it('says what would be right', () => {
    const [issue] = validateBlock(chart({ by: 'categorie' }), context);
    expect(issue?.says).toContain('category');
  });
});
