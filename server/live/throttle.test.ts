import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createThrottle } from './throttle.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a throttle', () => {
  it('runs once a second however often it is triggered', async () => {
    const starts: number[] = [];
    const began = Date.now();
    const throttle = createThrottle(async () => void starts.push(Date.now() - began), 1_000);
    for (let ms = 0; ms < 5_000; ms += 1) {
      throttle.trigger();
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(starts).toEqual([0, 1_000, 2_000, 3_000, 4_000, 5_000]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(starts).toHaveLength(6);
  });

  it('rests as long as a run took and never runs twice at a time', async () => {
    const log: string[] = [];
    const began = Date.now();
    const throttle = createThrottle(async () => {
      log.push(`start ${Date.now() - began}`);
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      log.push(`end ${Date.now() - began}`);
    }, 1_000);
    throttle.trigger();
    await vi.advanceTimersByTimeAsync(500);
    throttle.trigger();
    throttle.trigger();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(log).toEqual(['start 0', 'end 3000', 'start 6000', 'end 9000']);
  });

  it('goes on after a run that failed, and not after it was stopped', async () => {
    let runs = 0;
    const throttle = createThrottle(async () => {
      runs += 1;
      throw new Error('broken');
    }, 1_000);
    throttle.trigger();
    await vi.advanceTimersByTimeAsync(0);
    throttle.trigger();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs).toBe(2);
    throttle.trigger();
    throttle.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    throttle.trigger();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs).toBe(2);
  });

  it('waits as long as it is told, unless a change comes first', async () => {
    let runs = 0;
    const throttle = createThrottle(async () => {
      runs += 1;
    }, 1_000);
    throttle.after(8_000);
    await vi.advanceTimersByTimeAsync(7_999);
    expect(runs).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs).toBe(1);
    throttle.after(8_000);
    throttle.trigger();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs).toBe(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs).toBe(2);
  });
});
