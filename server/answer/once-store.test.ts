import { expect, it } from 'vitest';
import type { Store } from '../record/store.ts';
import { onceStore, sharedStore } from './once-store.ts';

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

it('runs a statement once for all who ask while it runs, and not across a change of the record', async () => {
  const run: ((value: string) => void)[] = [];
  const store: Store = {
    query: () =>
      new Promise((resolve) => {
        run.push((value) => resolve({ rows: [{ value }], truncated: false, ms: 0 }));
      }),
    connect: async () => store,
    fingerprint: async () => 'f',
    close: async () => undefined,
  };
  let change = (): void => undefined;
  const shared = sharedStore(store, (listener) => {
    change = listener;
  });
  const [one, two] = [onceStore(shared), onceStore(shared)];
  const first = [one.query('SELECT 1', ['x']), two.query('SELECT 1', ['x']), two.query('SELECT 1', ['y'])];
  expect(run).toHaveLength(2);
  change();
  const later = onceStore(shared).query('SELECT 1', ['x']);
  expect(run).toHaveLength(3);
  for (const [at, end] of run.entries()) end(`v${at}`);
  const values = (await Promise.all([...first, later])).map(({ rows }) => rows[0]?.value);
  expect(values).toEqual(['v0', 'v0', 'v1', 'v2']);
  const again = onceStore(shared).query('SELECT 1', ['x']);
  expect(run).toHaveLength(4);
  run[3]?.('v3');
  expect((await again).rows).toEqual([{ value: 'v3' }]);
});

it('forgets a statement that failed', async () => {
  let asked = 0;
  const store: Store = {
    query: async () => {
      asked += 1;
      throw new Error('no');
    },
    connect: async () => store,
    fingerprint: async () => 'f',
    close: async () => undefined,
  };
  const shared = sharedStore(store, () => undefined);
  await expect(shared.query('SELECT 1')).rejects.toThrow('no');
  await expect(shared.query('SELECT 1')).rejects.toThrow('no');
  expect(asked).toBe(2);
});
