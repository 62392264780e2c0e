import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Read, readWith } from '../test-adapter.ts';
import { activityLog } from './activity-log.ts';

/** A record of a real run, kept beside the project and not in it. */
const FIXTURES = join(import.meta.dirname, '../../../../../shared/fixtures/guardiankane');
const there = existsSync(join(FIXTURES, 'kane-activity.log'));
if (!there)
  console.info(
    'The real GuardianKane record is not beside this project, so its acceptance tests do not run.',
  );

/** All files of the folder, by path inside it. */
function filesOf(folder: string, root = folder): Record<string, Uint8Array> {
  const files: Record<string, Uint8Array> = {};
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) Object.assign(files, filesOf(path, root));
    else files[relative(root, path)] = new Uint8Array(readFileSync(path));
  }
  return files;
}

const counts = (rows: readonly Readonly<Record<string, unknown>>[], key: string): Record<string, number> => {
  const found: Record<string, number> = {};
  for (const row of rows) found[String(row[key])] = (found[String(row[key])] ?? 0) + 1;
  return found;
};

describe.runIf(there)('the real record', () => {
  describe('its activity log', () => {
    let read: Read;
    beforeAll(async () => {
      read = await readWith(activityLog, filesOf(FIXTURES));
    });

    it('is 98 entries in 103 lines, all of a known shape', () => {
      expect(read.rows('log_events').length).toBe(98);
      expect(read.counts['kane-activity.log']).toEqual({ ok: 103, bad: 0 });
      expect(read.issues['kane-activity.log']).toEqual([]);
      expect(counts(read.rows('log_events'), 'kind')).toEqual({
        test_start: 35,
        test_fail: 15,
        test_pass: 8,
        infra: 3,
        sweep_start: 10,
        sweep_pass: 5,
        sweep_fail: 3,
        blocked: 5,
        no_test: 5,
        next: 4,
        evidence_fail: 3,
        secret_fail: 1,
        all_done: 1,
      });
    });

    it('has 45 starts, 11 of which came to no outcome', () => {
      const gates = read.rows('gate_events');
      expect(gates.filter((row) => row.verdict === 'no_verdict').length).toBe(11);
      expect(
        gates.filter((row) => row.started_at_ms !== null && row.started_at_ms !== undefined).length,
      ).toBe(45);
    });

    it('blames the verifier and the infrastructure where their own words do', () => {
      const failed = read
        .rows('gate_events')
        .filter((row) => !['pass', 'no_verdict'].includes(String(row.verdict)));
      expect(failed.length).toBe(25);
      // Three "all members passed", one "Objective completed", three sweeps without a summary, three missing packs; three timeouts.
      expect(counts(failed, 'attribution')).toEqual({ verifier: 10, infra: 3, unknown: 12 });
    });

    it('has as many rounds with a verdict as the harness remembers', () => {
      const decided = read
        .rows('attempts')
        .filter((row) => !['no_verdict', 'timeout'].includes(String(row.verdict)));
      expect(counts(decided, 'feature_id')).toEqual({
        'guardiankane.fT0': 4,
        'guardiankane.fT1': 8,
        'guardiankane.fT2': 2,
        'guardiankane.fT3': 6,
        'guardiankane.fT4': 3,
        'guardiankane.fT5': 3,
      });
    });
  });
});
