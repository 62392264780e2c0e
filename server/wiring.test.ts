import { expect, it, onTestFinished } from 'vitest';
import { openRecord } from './record/index.ts';
import type { Store } from './record/store.ts';
import { createWiring } from './wiring.ts';

const SQL = "SELECT value FROM meta WHERE key = 'digest'";

it('shares equal statements between readings that stream, and between those that check, never from one to the other', async () => {
  const record = await openRecord({ root: null, database: ':memory:' });
  onTestFinished(() => record.close());
  const asked: string[] = [];
  const counted = (store: Store, name: string): Store => ({
    query(...given) {
      asked.push(name);
      return store.query(...given);
    },
    connect: async () => counted(await store.connect(), 'check'),
    fingerprint: () => store.fingerprint(),
    close: () => store.close(),
  });
  const wiring = createWiring({ ...record, store: counted(record.store, 'stream') });
  const ports = wiring.ports({ info: () => undefined, warn: () => undefined });
  const checks = [await wiring.verifying.connect(), await wiring.verifying.connect()];
  await Promise.all([ports.store(), ports.store(), ...checks].map((store) => store.query(SQL)));
  expect(asked).toEqual(['stream', 'check']);
  await ports.store().query(SQL);
  expect(asked).toEqual(['stream', 'check', 'stream']);
});
