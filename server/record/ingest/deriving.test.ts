import { appendFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Rule } from '../audit/rule.ts';
import { openRecord } from '../index.ts';
import type { RecordHandle } from '../store.ts';
import { smallFiles, testFolder } from '../test-folder.ts';
import { ADAPTERS } from './adapters.ts';
import { type Deriving, derivingOf } from './deriving.ts';

const whole = derivingOf(ADAPTERS);
/** Fails while it runs, so that the database gives up the transaction; a misspelled name fails before that. */
const FAILS = { running: "SELECT CAST('x' AS INTEGER) AS n", planning: 'SELECT nothing FROM nowhere' };

const broken = (sql: string): Rule => ({
  id: 'broken',
  sentence: 'It cannot be checked.',
  find: async (query) => {
    await query(sql);
    return [];
  },
});

async function read(deriving: Deriving): Promise<RecordHandle> {
  const record = await openRecord({
    root: await testFolder(smallFiles()),
    database: ':memory:',
    deriving,
  });
  onTestFinished(() => record.close());
  return record;
}
const rows = async (record: RecordHandle, sql: string) => (await record.store.query(sql)).rows;
const FOUND = 'SELECT rule, says FROM findings ORDER BY finding_id';
const withoutFailure = async (record: RecordHandle) =>
  (await rows(record, FOUND)).filter(({ rule }) => rule !== 'not_checked');
const failures = async (record: RecordHandle) =>
  (await rows(record, FOUND)).flatMap(({ rule, says }) => (rule === 'not_checked' ? [says] : []));

describe('what cannot be derived or checked', () => {
  for (const [when, sql] of Object.entries(FAILS)) {
    it(`costs one rule its findings, not the record: failing while ${when}`, async () => {
      const sound = await read(whole);
      const record = await read({ ...whole, rules: [broken(sql), ...whole.rules] });
      expect(await failures(record)).toEqual([
        'The rule broken could not be checked, so what it would have found is missing.',
      ]);
      expect(await failures(sound)).toEqual([]);
      expect((await withoutFailure(sound)).length).toBeGreaterThan(0);
      expect(await withoutFailure(record)).toEqual(await withoutFailure(sound));
      const features = 'SELECT ext_id, status, disputed FROM v_feature ORDER BY ord';
      expect((await rows(record, features)).length).toBeGreaterThan(0);
      expect(await rows(record, features)).toEqual(await rows(sound, features));
    });
  }

  it('costs one rule that fails in its own code', async () => {
    const rule: Rule = { ...broken(''), find: async () => Promise.reject(new TypeError('no')) };
    const record = await read({ ...whole, rules: [...whole.rules, rule] });
    expect(await failures(record)).toHaveLength(1);
    expect((await withoutFailure(record)).length).toBeGreaterThan(0);
  });

  it("costs what an adapter's own statements would have given", async () => {
    const [first, ...others] = ADAPTERS;
    if (!first) throw new Error('no adapters');
    const record = await read(
      derivingOf([
        {
          ...first,
          label: 'First',
          settles: ["UPDATE sources SET bytes = CAST('x' AS INTEGER)"],
          derives: [
            "SELECT 'o' AS observation_id, CAST('x' AS DOUBLE) AS value",
            'SELECT nothing FROM nowhere',
          ],
        },
        ...others,
      ]),
    );
    expect(await failures(record)).toEqual([
      'What follows from many entries of "First" could not be derived, so it is missing.',
      'What follows from many entries of "First" could not be derived, so it is missing.',
      'What other sources say of "First" could not be added to it.',
    ]);
    expect((await rows(record, 'SELECT 1 FROM observations')).length).toBeGreaterThan(0);
  });

  it('leaves a derived table empty, so that what rests on it can still be asked', async () => {
    const record = await read({
      ...whole,
      derived: {
        ...whole.derived,
        counted: `SELECT *, CAST('x' || fact AS INTEGER) AS n FROM (${whole.derived.counted})`,
      },
    });
    expect(await failures(record)).toEqual([
      'The part of the record called counted could not be derived, so it is empty.',
    ]);
    expect(await rows(record, 'SELECT 1 FROM counted')).toEqual([]);
    expect((await rows(record, 'SELECT 1 FROM v_feature WHERE is_current')).length).toBe(3);
  });

  it('is tried again at the next reading, and told as long as it fails', async () => {
    let fails = true;
    const rule: Rule = {
      ...broken(''),
      find: async (query) => {
        if (fails) await query(FAILS.running);
        return [];
      },
    };
    const record = await read({ ...whole, rules: [rule] });
    expect(await failures(record)).toHaveLength(1);
    fails = false;
    const { root } = await record.summary();
    await appendFile(`${root}/claude-progress.txt`, '\nOne more line.\n');
    expect(await record.reload()).toBe(true);
    expect(await failures(record)).toEqual([]);
  });
});
