import { afterEach, expect, it, vi } from 'vitest';
import { AbortedError, DeadlineError, within } from './deadline.ts';

afterEach(() => vi.useRealTimers());

it('gives what the work gives, or throws what it throws', async () => {
  await expect(within(Promise.resolve(5), 10, 'work')).resolves.toBe(5);
  await expect(within(Promise.reject(new Error('own')), 10, 'work')).rejects.toThrow('own');
});

it('waits no longer than it may, and leaves no timer behind', async () => {
  vi.useFakeTimers();
  const waiting = within(new Promise(() => undefined), 50, 'work');
  const late = expect(waiting).rejects.toBeInstanceOf(DeadlineError);
  await vi.advanceTimersByTimeAsync(51);
  await late;
  await within(Promise.resolve(1), 1_000, 'work', new AbortController().signal);
  expect(vi.getTimerCount()).toBe(0);
});

it('ends at once when the answer does, before or during the wait', async () => {
  const controller = new AbortController();
  const waiting = within(new Promise(() => undefined), 10_000, 'work', controller.signal);
  controller.abort();
  await expect(waiting).rejects.toBeInstanceOf(AbortedError);
  await expect(within(Promise.resolve(1), 10, 'work', controller.signal)).rejects.toBeInstanceOf(
    AbortedError,
  );
});
