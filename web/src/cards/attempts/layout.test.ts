import { describe, expect, it } from 'vitest';
import { attempts } from '../fixtures/answer.ts';
import { fig } from '../fixtures/make.ts';
import {
  noScores,
  noTelling,
  oneBuild,
  onlyClaimed,
  onlyTotals,
  tenAttempts,
  unscored,
  untimed,
} from '../fixtures/more.ts';
import { BASE, columnsOf, layoutAttempts, TOP } from './layout.ts';
import { tell } from './story.ts';
import { timeAxis } from './time-axis.ts';

describe('tell', () => {
  it('takes the longest telling as the story and merges what the others agree on', () => {
    const { story, builds } = tell(attempts);
    expect(story).toMatchObject({ claim: true, alone: true, places: ['metrics.json:1412'] });
    expect(builds).toHaveLength(1);
    expect(builds[0]).toMatchObject({ claim: false, places: ['progress log:71', 'commit 6016520'] });
    expect(builds[0]?.total.value).toBe(415);
  });
  it('keeps measured sources apart when they differ', () => {
    const tellings = attempts.tellings.map((telling) =>
      telling.source === 'git log' ? { ...telling, score: fig(8, 'points') } : telling,
    );
    expect(tell({ ...attempts, tellings }).builds).toHaveLength(2);
  });
  it('draws a single build by its total, judged by the threshold', () => {
    const { story, builds } = tell(oneBuild);
    expect(story?.attempts).toHaveLength(1);
    expect(story?.attempts[0]?.passed).toBe(true);
    expect(story?.places).toEqual(['progress log:71', 'commit 6016520']);
    expect(builds).toEqual([]);
  });
});

describe('layoutAttempts', () => {
  it('draws width as time and height as score, on the axis of the measured build', () => {
    const { told, bars, axis, threshold } = layoutAttempts(attempts);
    expect(axis?.end).toBe(420);
    expect(told?.timed).toBe(true);
    expect(told?.columns).toBe(true);
    expect(told?.steps.map((step) => step.width * 420)).toEqual(
      [120, 140, 159].map((s) => expect.closeTo(s)),
    );
    expect(told?.steps.map((step) => step.top)).toEqual([140, 102, 45].map((y) => expect.closeTo(y)));
    expect((bars[0]?.width ?? 0) * 420).toBeCloseTo(415);
    expect(threshold).toMatchObject({ text: '5', x: 0 });
    expect(threshold?.y).toBeCloseTo(121);
  });
  it('says the drawing in a sentence', () => {
    expect(layoutAttempts(attempts).says.replaceAll('\u00a0', ' ')).toBe(
      'Score by attempt as metrics.json tells it: 4, then 6, then 9, against a pass threshold of 5. Measured: 1 attempt, 9/10, 415 s.',
    );
  });
  it('guesses no width where no time is recorded', () => {
    const { told, axis } = layoutAttempts(untimed);
    expect(told?.timed).toBe(false);
    expect(axis).toBeNull();
  });
  it('guesses no height where no score is recorded', () => {
    const { told } = layoutAttempts(unscored);
    expect(told?.steps.map((step) => step.top === null)).toEqual([false, true, false]);
  });
  it('plots nothing and lists the attempts where none has a score', () => {
    expect(layoutAttempts(noScores).told).toMatchObject({ scored: false, columns: false, timed: true });
    expect(layoutAttempts(unscored).told).toMatchObject({ scored: true });
  });
  it('lists feedback when steps are too narrow for it', () => {
    const { told } = layoutAttempts(tenAttempts);
    expect(told?.steps).toHaveLength(10);
    expect(told?.columns).toBe(false);
  });
  it('gives the columns of the feedback the same edges as the steps', () => {
    const parts =
      columnsOf([0.214, 0.214])
        .match(/[\d.]+(?=fr)/g)
        ?.map(Number) ?? [];
    expect(parts).toHaveLength(2);
    expect(parts[0]).toBe(parts[1]);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeGreaterThan(1);
  });
  it('keeps the title of the axis away from words at the top of the scale', () => {
    const scored = (score: number) =>
      layoutAttempts({
        ...oneBuild,
        tellings: oneBuild.tellings.map((telling) => ({ ...telling, score: fig(score, 'points') })),
      }).titleHigh;
    expect([scored(10), scored(5)]).toEqual([true, false]);
  });
  it('has bars without width for counts alone, and nothing for nothing', () => {
    const totals = layoutAttempts(onlyTotals);
    expect(totals.told).toBeNull();
    expect(totals.bars.map((bar) => bar.width)).toEqual([null]);
    expect(layoutAttempts(noTelling)).toMatchObject({ told: null, bars: [], axis: null });
  });
  it('keeps scores inside the plot, whatever the record says', () => {
    const odd = {
      ...onlyClaimed,
      tellings: onlyClaimed.tellings.map((telling) => ({
        ...telling,
        attempts: telling.attempts.map((one, index) => ({
          ...one,
          score: fig(index === 0 ? -40 : 99, 'points'),
        })),
      })),
    };
    const tops = layoutAttempts(odd).told?.steps.map((step) => step.top);
    expect(tops).toEqual([BASE, TOP, TOP]);
  });
});

describe('timeAxis', () => {
  it.each([
    [419, 420, '420'],
    [83, 90, '90'],
    [3_000, 3_000, '50'],
    [0, 1, '1'],
  ])('holds %s s and ends on a tick', (length, end, text) => {
    const axis = timeAxis(length);
    expect(axis.end).toBe(end);
    expect(axis.ticks.at(-1)?.text).toBe(text);
    expect(axis.ticks.length).toBeLessThanOrEqual(9);
  });
  it('stays in bounds for any length', () => {
    for (const length of [1e-9, 0.3, 7_201, 1e9, 1e300]) {
      const axis = timeAxis(length);
      expect(axis.end).toBeGreaterThanOrEqual(length * 0.999);
      expect(axis.ticks.length).toBeLessThanOrEqual(10);
    }
  });
});
