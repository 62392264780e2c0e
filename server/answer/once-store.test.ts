import { expect, it } from 'vitest';
import type { Store } from '../record/store.ts';
import { onceStore } from './once-store.ts';

it('runs equal statements once, each reading anew', async () => {
  const run: string[] = [];
  let closed = 0;
  const store: Store = {
    async query(sql, params = []) {
      run.push(`${sql} ${JSON.stringify(params)}`);
      return { rows: [{ n: run.length }], truncated: false, ms: 0 };
    },
    connect: async () => store,
    fingerprint: async () => 'f',
    close: async () => {
      closed += 1;
    },
  };
  const reading = onceStore(store);
  const [a, b, c, d] = await Promise.all([
    reading.query('SELECT 1', ['x']),
    reading.query('SELECT 1', ['x']),
    reading.query('SELECT 1', ['y']),
    reading.query('SELECT 1', ['x'], { rows: 1 }),
  ]);
  expect(run).toEqual(['SELECT 1 ["x"]', 'SELECT 1 ["y"]', 'SELECT 1 ["x"]']);
  expect(b).toBe(a);
  expect(c?.rows).not.toEqual(a?.rows);
  expect(d?.rows).not.toEqual(a?.rows);
  await onceStore(store).query('SELECT 1', ['x']);
  expect(run).toHaveLength(4);
  await reading.close();
  expect(closed).toBe(1);
});
