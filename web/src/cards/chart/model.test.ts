import { describe, expect, it } from 'vitest';
import { bars } from '../fixtures/answer.ts';
import { base, chart, claim, point } from '../fixtures/make.ts';
import { donut, forty, fourLines, grouped, scores, twoUnits } from '../fixtures/more.ts';
import { chartSentence, colours, panelsOf, standsUpright, withGaps } from './model.ts';
import { spread } from './plots/line-model.ts';
import { slicesOf } from './slices.ts';

describe('panelsOf', () => {
  it('never puts two units on one scale', () => {
    const panels = panelsOf(twoUnits);
    expect(panels.map((panel) => panel.title)).toEqual(['build time, minutes', 'lines added']);
  });
  it('keeps what is measured in its colour beside a claim', () => {
    const [panel] = panelsOf(grouped);
    expect(panel?.series.map(({ colour, claimed }) => [colour, claimed])).toEqual([
      ['--measured', false],
      ['--measured', true],
    ]);
  });
  it('has no colours for one series', () => {
    expect(panelsOf(bars)[0]?.series[0]?.colour).toBeNull();
  });
  it('gives the same name the same colour whatever the order', () => {
    expect(colours(['b', 'a', 'c'])).toEqual(new Map([...colours(['c', 'b', 'a'])]));
    expect(colours(['b', 'a']).get('a')).toBe('--c1');
  });
});

describe('standsUpright', () => {
  it('lies for ids, long names and many of them', () => {
    expect(standsUpright(bars)).toBe(false);
    expect(standsUpright(forty)).toBe(false);
    const eight = ['scaffold', 'charts', 'timeline', 'tables', 'polish', 'git', 'tokens', 'search'];
    expect(standsUpright({ ...twoUnits, points: eight.map((name) => point(name, [1], 's')) })).toBe(false);
    expect(standsUpright(scores)).toBe(true);
    expect(standsUpright(twoUnits)).toBe(true);
  });
});

describe('withGaps', () => {
  it('leaves a place for every whole number', () => {
    const points = withGaps(scores);
    expect(points.map((one) => one.key)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
    expect(points[8]?.figures[0]?.value).toBe(1);
    expect(points[3]?.figures).toEqual([]);
  });
  it('adds nothing between far numbers or names', () => {
    const far = { ...scores, points: [point('1', [1], 'features'), point('900', [1], 'features')] };
    expect(withGaps(far)).toBe(far.points);
    expect(withGaps(bars)).toBe(bars.points);
  });
});

describe('chartSentence', () => {
  it('says kind, unit, extremes and the line across', () => {
    const [panel] = panelsOf(bars);
    const says = panel === undefined ? '' : chartSentence(bars, panel).replaceAll('\u00a0', ' ');
    expect(says).toBe(
      'Bar chart of build time, seconds by feature, 10 points: largest Loading skeletons with 415 s, smallest Category breakdown with 148 s. median 129. Every figure is in the table of this card.',
    );
  });
  it('names every series of several', () => {
    const [panel] = panelsOf(fourLines);
    const says = panel === undefined ? '' : chartSentence(fourLines, panel);
    for (const series of fourLines.series) expect(says).toContain(`${series.label}: `);
    expect(says).toContain(', claimed');
  });
});

describe('slicesOf', () => {
  it('shares out the whole, the rest in the colour of the rest', () => {
    const slices = slicesOf(donut, 0);
    const sum = slices.reduce((total, slice) => total + (slice.share ?? 0), 0);
    expect(sum).toBeCloseTo(1);
    expect(slices.at(-1)?.colour).toBe('--datum');
    expect(new Set(slices.map((slice) => slice.colour)).size).toBe(slices.length);
  });
  it('gives no share to what is missing or negative, nor to a whole of nothing', () => {
    const odd = chart(base('odd', 'Odd'), {
      draw: 'donut',
      x: donut.x,
      y: donut.y,
      points: [point('a', [null], 's'), point('b', [-3], 's'), point('c', [claim(0, 's')], 's')],
    });
    expect(slicesOf(odd, 0).map((slice) => slice.share)).toEqual([null, null, null]);
  });
});

describe('spread', () => {
  it('moves labels apart and keeps their order', () => {
    const places = spread([100, 101, 99], 15, 0, 200);
    const [first = 0, second = 0, third = 0] = places;
    expect(third).toBeLessThan(first);
    expect(first).toBeLessThan(second);
    expect(second - first).toBeGreaterThanOrEqual(15);
    expect(first - third).toBeGreaterThanOrEqual(15);
  });
});
