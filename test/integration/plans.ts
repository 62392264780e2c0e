/** Plans as a model would write them about the demo record, and ways to make them wrong. */

const fact = (name: string, measure: string, scope: 'about' | 'run' = 'about') => ({
  name,
  kind: 'value',
  measure,
  source: 'counted',
  by: null,
  scope,
  where: [],
});
const says = (text: string) => ({ says: text, when: null });

export const stat = (title: string, of: string, compareTo: string | null = null) => ({
  type: 'stat',
  title,
  figures: [{ label: 'Build time', fact: of, compare_to: compareTo, caption: null }],
  actions: [{ label: 'All features', request: 'Which features were the slowest?' }],
});
export const chart = (title: string) => ({
  type: 'chart',
  title,
  measures: [{ measure: 'build_time', source: 'counted' }],
  by: 'feature',
  split: null,
  draw: 'bar',
  order: 'largest',
  size: 'few',
  scope: 'run',
  where: [],
  actions: [],
});
export const attempts = (title: string, feature = '28') => ({
  type: 'attempts',
  title,
  feature,
  actions: [],
});
export const note = (title: string, ...sentences: string[]) => ({
  type: 'note',
  title,
  body: sentences.map(says),
  actions: [],
});

export type AnyPlan = ReturnType<typeof plan>;

/** A plan about feature 28 with these blocks. */
export const plan = (blocks: readonly unknown[], more: Record<string, unknown> = {}) => ({
  about: { feature: '28', scope: [] },
  facts: [fact('took', 'build_time'), fact('tries', 'attempts'), fact('typical', 'median_build_time', 'run')],
  premises: [],
  checks: [],
  explanation: [says('Feature {feature:28} took {took}; a typical one takes {typical}.')],
  blocks,
  followUps: ['Which features were the slowest?'],
  ...more,
});

export const GOOD = plan([
  stat('How it compares', 'took', 'typical'),
  attempts('The story of this feature'),
  chart('The slowest features'),
  note('In short', 'It took {took} in {tries}.'),
]);

export const text = (value: unknown): string => JSON.stringify(value);

/** The text up to the end of its nth block, counting from 1, and the rest. */
export function cutAfterBlock(value: AnyPlan, n: number): [string, string] {
  const whole = text(value);
  const from = whole.indexOf('"blocks":[') + '"blocks":['.length;
  const upTo = value.blocks.slice(0, n).map(text).join(',').length;
  return [whole.slice(0, from + upTo), whole.slice(from + upTo)];
}
