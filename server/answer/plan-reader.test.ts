import { describe, expect, it } from 'vitest';
import { example } from '../planner/example.ts';
import { testProfile } from '../planner/test-profile.ts';
import { createPlanReader } from './plan-reader.ts';
import type { PlanReader } from './ports.ts';
import type { EvidenceItem, Preamble } from './types.ts';

const evidence: EvidenceItem[] = [
  { id: 'E1', cite: { source: 'm', label: 'metrics.json', line: 3, basis: 'claimed' }, text: 'It was slow.' },
];
const question = 'Why did feature 7 take two attempts, was it slow?';

function read(sections: Record<string, unknown> = example): { reader: PlanReader; preamble: Preamble } {
  const reader = createPlanReader(testProfile, question, evidence);
  const read = reader.preamble(new Map(Object.entries(sections)));
  const empty: Preamble = { about: { feature: null, scope: [] }, facts: [], premises: [], checks: [] };
  return { reader, preamble: read.ok ? read.value : empty };
}
const block = (value: unknown, sections?: Record<string, unknown>) => {
  const { reader, preamble } = read(sections);
  return reader.block(value, preamble);
};

describe('plan reader', () => {
  it('hands on what holds as it is', () => {
    const { reader, preamble } = read();
    expect(preamble).toEqual({
      about: example.about,
      facts: example.facts,
      premises: example.premises,
      checks: example.checks,
    });
    for (const value of example.blocks)
      expect(reader.block(value, preamble)).toEqual({ ok: true, value, notes: [] });
    expect(reader.explanation(example.explanation)).toEqual(example.explanation);
    expect(reader.followUps(example.followUps)).toEqual(example.followUps);
  });

  it('leaves out facts that cannot be, and premises that rest on them', () => {
    const [tries, time, usual] = example.facts;
    const { preamble, reader } = read({ ...example, facts: [{ ...tries, measure: 'effort' }, time, usual] });
    expect(preamble.facts.map(({ name }) => name)).toEqual(['time', 'usual']);
    expect(preamble.premises.map(({ name }) => name)).toEqual(['slow']);
    expect(reader.explanation(example.explanation)).toEqual([]);
  });

  it('leaves out the part that does not hold, and says so', () => {
    const figure = { label: 'Build time', fact: 'time', compare_to: null, caption: null };
    expect(
      block({ type: 'stat', title: '{nope} x', figures: [figure, { ...figure, fact: 'nope' }] }),
    ).toEqual({
      ok: true,
      value: { type: 'stat', title: 'Figures', figures: [figure], actions: [] },
      notes: ['1 of 2 figures shown'],
    });
    const body = ['Said always.', { says: 'Said when?', when: { name: 'nobody', is: 'true' } }];
    expect(block({ type: 'note', title: 'x', body })).toMatchObject({
      value: { body: [{ says: 'Said always.' }] },
      notes: ['1 of 2 sentences shown'],
    });
    const table = { type: 'feature_table', title: 'x', columns: ['feature'], order_by: 'nope' };
    expect(block(table)).toMatchObject({ ok: true, value: { order_by: null } });
    const chart = { type: 'chart', title: 'x', measures: ['build_time', 'lines_added'], by: 'category' };
    expect(block(chart)).toMatchObject({
      value: { measures: [{ measure: 'build_time' }] },
      notes: ['1 of 2 measures shown'],
    });
  });

  it('refuses a card with nothing left, by its code', () => {
    const code = (value: unknown): string => {
      const read = block(value);
      return read.ok ? 'ok' : read.code;
    };
    expect(code({ type: 'stat', title: 'x', figures: [{ fact: 'nope' }] })).toBe('block_unbound');
    expect(code({ type: 'note', title: 'x', body: [{ says: 'x', when: { name: 'nobody' } }] })).toBe(
      'block_unbound',
    );
    expect(code({ type: 'chart', title: 'x', measures: ['mean_score'], by: 'category', draw: 'donut' })).toBe(
      'donut_not_additive',
    );
    expect(code({ type: 'chart', title: 'x', measures: ['commits'], by: 'status', scope: 'run' })).toBe(
      'block_incompatible',
    );
    expect(code({ type: 'revise', title: 'x' })).toBe('block_unknown');
    expect(code(3)).toBe('block_invalid');
  });

  it('ties the names of features to the record', () => {
    for (const name of ['28', '#28', 'feature 28', 'Loading skeletons', 28])
      expect(block({ type: 'attempts', title: 'x', feature: name })).toMatchObject({
        value: { feature: '28' },
      });
    expect(block({ type: 'attempts', title: 'x', feature: 'nothing like it' })).toMatchObject({
      value: { feature: 'nothing like it' },
    });
    const { preamble } = read({
      about: { feature: 'Feature 7', scope: [{ dim: 'feature', any_of: ['#7', '7'] }] },
    });
    expect(preamble.about).toMatchObject({ feature: '7', scope: [{ any_of: ['7'] }] });
  });

  it('draws nothing inside an about that cannot be read', () => {
    const chart = { type: 'chart', title: 'x', measures: ['build_time'], by: 'category' };
    const lost = { about: { feature: '7', scope: ['garbage'] } };
    expect(block(chart, lost)).toMatchObject({ ok: false, code: 'block_invalid' });
    expect(block({ ...chart, scope: 'run' }, lost)).toMatchObject({ ok: true });
  });
});
