import { appendFile, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRecord } from './index.ts';
import { SILENT } from './log.ts';
import type { RecordHandle, Row, SqlValue } from './store.ts';
import { SMALL, smallFiles, testFolder } from './test-folder.ts';

async function open(root: string | null, database = ':memory:', log = SILENT): Promise<RecordHandle> {
  const record = await openRecord({ root, database, log });
  onTestFinished(() => record.close());
  return record;
}
const ask = async (record: RecordHandle, sql: string, params: SqlValue[] = []): Promise<Row[]> =>
  (await record.store.query(sql, params)).rows;
const counted = async (record: RecordHandle, feature: string, fact: string): Promise<Row | undefined> =>
  (
    await ask(
      record,
      `SELECT c.value, c.text_value, c.basis, c.disputed, c.how FROM counted c JOIN v_feature f USING (feature_id)
       WHERE f.is_current AND f.ext_id = $1 AND c.fact = $2`,
      [feature, fact],
    )
  )[0];

describe('openRecord', () => {
  it('counts the strongest basis and keeps every word', async () => {
    const record = await open(await testFolder(smallFiles()));
    expect(await counted(record, '2', 'attempts')).toMatchObject({
      value: 1,
      basis: 'measured',
      disputed: true,
    });
    expect(await counted(record, '2', 'build_time')).toMatchObject({
      value: 177,
      basis: 'measured',
      disputed: false,
    });
    expect(await counted(record, '3', 'attempts')).toMatchObject({ value: 2, basis: 'claimed' });
    expect(await counted(record, '3', 'status')).toMatchObject({ text_value: 'skipped', basis: 'claimed' });
    const told = await ask(
      record,
      "SELECT source_kind, value, how FROM observations WHERE observation_id LIKE 'r2.f2.build_time.%' ORDER BY source_kind",
    );
    expect(told).toEqual([
      { source_kind: 'git', value: 180, how: '4444444 to 5555555' },
      { source_kind: 'metrics', value: 180, how: '60 + 60 + 60' },
      { source_kind: 'progress_log', value: 177, how: 'as written' },
    ]);
  });

  it('tells runs apart', async () => {
    const record = await open(await testFolder(smallFiles()));
    const runs = await ask(
      record,
      'SELECT run_id, name, is_current, zone, started_at_ms, ended_at_ms FROM runs ORDER BY seq',
    );
    const at = (hour: number, minute: number, second = 0): number =>
      Date.UTC(2026, 0, 2, hour + 7, minute, second);
    expect(runs).toEqual([
      {
        run_id: 'r1',
        name: 'run of 2026-01-02 09:00',
        is_current: false,
        zone: '-07:00',
        started_at_ms: at(9, 0),
        ended_at_ms: at(9, 10),
      },
      {
        run_id: 'r2',
        name: 'Night Run 2026-01-02 10:00',
        is_current: true,
        zone: '-07:00',
        started_at_ms: at(10, 0),
        ended_at_ms: at(10, 5, 1),
      },
    ]);
    expect(
      await ask(record, "SELECT value FROM counted WHERE feature_id = 'r1.f1' AND fact = 'attempts'"),
    ).toEqual([{ value: 2 }]);
    expect(
      await ask(record, 'SELECT phase, count(*) AS n FROM commits GROUP BY phase ORDER BY phase'),
    ).toEqual([
      { phase: 'after', n: 1 },
      { phase: 'before', n: 2 },
      { phase: 'during', n: 3 },
    ]);
  });

  it('describes what it holds', async () => {
    const record = await open(await testFolder(smallFiles()));
    const profile = await record.profile();
    expect(profile).toMatchObject({
      project: 'Clockwork',
      run: { id: 'r2', zone: '-07:00' },
      categories: ['scaffold', 'cards'],
      statuses: ['accepted', 'skipped'],
      issues: 0,
    });
    expect(profile.features.map((feature) => [feature.id, feature.title, feature.status])).toEqual([
      ['1', 'Dial', 'accepted'],
      ['2', 'Hands', 'accepted'],
      ['3', 'Bell', 'skipped'],
    ]);
    expect(profile.sources.map((source) => [source.id, source.basis, source.disputed])).toEqual([
      ['feature_list', 'claimed', false],
      ['git', 'measured', false],
      ['metrics', 'claimed', true],
      ['progress_log', 'measured', false],
    ]);
    expect(profile.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([[null], ['/nowhere/at/all'], ['empty']])('is empty for %s, without an error', async (given) => {
    const record = await open(given === 'empty' ? await testFolder() : given);
    expect(await record.profile()).toMatchObject({ run: null, features: [], sources: [], findings: 0 });
    expect(await record.rawLines('metrics', 1)).toBeNull();
    expect(await ask(record, 'SELECT * FROM v_feature')).toEqual([]);
    expect(await ask(record, 'SELECT * FROM counted')).toEqual([]);
    expect(await record.reload()).toBe(false);
  });

  it('reads a folder that is far from what it should be', async () => {
    const record = await open(
      await testFolder({
        'metrics.json': '{"features": [{"id": 1, "attempts": "none", "description": "<script>"}, nonsense]}',
        'claude-progress.txt': Buffer.from([0xff, 0xfe, 0x00, 0x01, 0x02]),
        'git-log.jsonl': '\0\0\0\n{"sha": 5}\n',
        'feature_list.json': '42\n',
      }),
    );
    const codes = await ask(
      record,
      'SELECT DISTINCT source_id, code FROM ingest_issues ORDER BY source_id, code',
    );
    expect(codes.map((row) => `${row.source_id} ${row.code}`)).toEqual([
      'feature_list unknown_shape',
      'git json_invalid',
      'git missing_field',
      'metrics json_invalid',
      'metrics wrong_type',
      'progress_log not_utf8',
    ]);
    expect((await record.profile()).features).toMatchObject([
      { id: '1', title: '<script>', status: 'pending' },
    ]);
  });

  it('keeps the record in a file as well, and gives the same one again', async () => {
    const folder = await testFolder(smallFiles());
    const database = join(await testFolder(), 'record.db');
    const first = await openRecord({ root: folder, database });
    const before = await first.store.fingerprint();
    await first.close();
    const again = await open(folder, database);
    expect(await again.store.fingerprint()).toBe(before);
    expect(await (await open(folder)).store.fingerprint()).toBe(before);
  });
});

describe('reload', () => {
  it('changes nothing when nothing changed', async () => {
    const folder = await testFolder(smallFiles());
    const record = await open(folder);
    const all = async (): Promise<unknown> =>
      Promise.all(
        [
          'runs',
          'features',
          'observations',
          'attempts',
          'commits',
          'log_events',
          'findings',
          'finding_rows',
          'ingest_issues',
        ].map((table) => ask(record, `SELECT * FROM ${table} ORDER BY ALL`)),
      );
    const [before, fingerprint] = [await all(), await record.store.fingerprint()];
    await utimes(join(folder, 'metrics.json'), new Date(), new Date());
    expect(await record.reload()).toBe(false);
    expect(await all()).toEqual(before);
    await appendFile(join(folder, 'claude-progress.txt'), '\n');
    expect(await record.reload()).toBe(true);
    await writeFile(join(folder, 'claude-progress.txt'), SMALL.progress);
    expect(await record.reload()).toBe(true);
    expect(await all()).toEqual(before);
    expect(await record.store.fingerprint()).toBe(fingerprint);
  });

  it('reads a changed score, and the fingerprint moves already with the file', async () => {
    const folder = await testFolder(smallFiles());
    const record = await open(folder);
    const verifier = await record.store.connect();
    onTestFinished(() => verifier.close());
    const first = await verifier.fingerprint();
    expect(await verifier.fingerprint()).toBe(first);
    expect(await counted(record, '1', 'score')).toMatchObject({ value: 9, disputed: false });
    await writeFile(join(folder, 'metrics.json'), SMALL.metrics(3));
    const moved = await verifier.fingerprint();
    expect(moved).not.toBe(first);
    expect(await record.reload()).toBe(true);
    expect(await verifier.fingerprint()).not.toBe(first);
    expect(await counted(record, '1', 'score')).toMatchObject({ value: 9, disputed: true });
    const says = await ask(record, "SELECT says FROM findings WHERE feature_id = 'r2.f1' AND fact = 'score'");
    expect(says).toEqual([{ says: 'metrics.json says 3/10, the progress log and the commit say 9/10' }]);
  });

  it('notices a source that goes and one that comes', async () => {
    const folder = await testFolder(smallFiles());
    const record = await open(folder);
    await rm(join(folder, 'metrics.json'));
    expect(await record.reload()).toBe(true);
    expect((await record.profile()).sources.map((source) => source.id)).toEqual([
      'feature_list',
      'git',
      'progress_log',
    ]);
    await writeFile(join(folder, 'metrics.json'), SMALL.metrics());
    expect(await record.reload()).toBe(true);
    expect((await record.profile()).sources).toHaveLength(4);
  });

  it('answers whole records while it is read again', async () => {
    const folder = await testFolder(smallFiles());
    const record = await open(folder);
    let done = false;
    const seen: unknown[] = [];
    const reading = (async () => {
      while (!done) {
        const [row] = await ask(
          record,
          `SELECT (SELECT count(*) FROM v_feature WHERE is_current) AS features, (SELECT count(*) FROM findings) > 0 AS found`,
        );
        seen.push(JSON.stringify(row));
      }
    })();
    for (let i = 0; i < 6; i += 1) {
      await writeFile(join(folder, 'metrics.json'), SMALL.metrics(i));
      await Promise.all([record.reload(), record.reload()]);
    }
    done = true;
    await reading;
    expect(new Set(seen)).toEqual(new Set(['{"features":3,"found":true}']));
  });
});

describe('rawLines', () => {
  it('gives the lines around a cited one, as the file is now', async () => {
    const folder = await testFolder(smallFiles());
    const record = await open(folder);
    const raw = await record.rawLines('progress_log', 3, 1);
    expect(raw).toMatchObject({ source: 'claude-progress.txt', sourceId: 'progress_log' });
    expect(raw?.lines.map((line) => [line.line, line.cited, line.text.slice(0, 14)])).toEqual([
      [2, false, ''],
      [3, true, '=== Feature #1'],
      [4, false, ''],
    ]);
    await writeFile(join(folder, 'claude-progress.txt'), 'one\ntwo\nthree\n');
    expect((await record.rawLines('progress_log', 3, 0))?.lines).toEqual([
      { line: 3, text: 'three', cited: true },
    ]);
  });

  it('opens loaded sources only, and only lines that exist', async () => {
    const record = await open(await testFolder({ ...smallFiles(), 'other.txt': 'secret' }));
    for (const id of ['other.txt', '../other.txt', '/etc/passwd', '', '__proto__', 'constructor']) {
      expect(await record.rawLines(id, 1)).toBeNull();
    }
    for (const line of [0, -1, 1.5, Number.NaN, 10_000, Number.POSITIVE_INFINITY]) {
      expect(await record.rawLines('progress_log', line)).toBeNull();
    }
    expect((await record.rawLines('metrics', 50, 1_000_000))?.lines).toHaveLength(41);
  });

  it('cuts a very long line', async () => {
    const record = await open(
      await testFolder({ 'metrics.json': JSON.stringify({ features: [], project: 'x'.repeat(50_000) }) }),
    );
    expect((await record.rawLines('metrics', 1))?.lines[0]?.text.length).toBeLessThan(3_000);
  });
});

describe('the demo record', () => {
  it('is what its README says', async () => {
    const record = await open(join(import.meta.dirname, '../../data/agentforge'));
    const profile = await record.profile();
    expect(profile.features).toHaveLength(30);
    expect(
      profile.features.filter((feature) => feature.status === 'skipped').map((feature) => feature.id),
    ).toEqual(['3']);
    expect(profile.features.find((feature) => feature.id === '28')).toMatchObject({
      title: 'Loading skeletons',
      category: 'polish',
    });
    expect(profile.issues).toBe(0);
    const readme = await readFile(join(import.meta.dirname, '../../data/agentforge/README.md'), 'utf8');
    for (const figure of ['96,500', '21,920', '450 s', '83afb80']) expect(readme).toContain(figure);
    const [sums] = await ask(
      record,
      `SELECT sum(tokens_coder) AS coder, sum(tokens_evaluator) AS evaluator FROM attempts WHERE source_kind = 'metrics'`,
    );
    expect(sums).toEqual({ coder: 96_500, evaluator: 21_920 });
    const [commit] = await ask(record, "SELECT subject, phase FROM commits WHERE sha LIKE '83afb80%'");
    expect(commit).toMatchObject({
      phase: 'after',
      subject: expect.stringContaining('type in several attempts'),
    });
    const [note] = await ask(
      record,
      "SELECT message, source_line FROM log_events WHERE kind = 'planning_note' AND feature_id = 'r3.f28'",
    );
    expect(note).toMatchObject({ message: expect.stringMatching(/^partial/), source_line: 79 });
  });

  it('answers a usual question in a few milliseconds', async () => {
    const record = await open(join(import.meta.dirname, '../../data/agentforge'));
    const times: number[] = [];
    for (let i = 0; i < 25; i += 1) {
      const { ms, rows } = await record.store.query(
        'SELECT f.category, median(c.value) AS m FROM v_feature f JOIN counted c USING (feature_id) WHERE c.fact = $1 AND f.is_current GROUP BY 1',
        ['build_time'],
      );
      expect(rows).toHaveLength(8);
      times.push(ms);
    }
    // Far above what it takes (about 2 ms), so that a busy machine does not fail it; a view in place of a table would.
    expect(times.sort((a, b) => a - b)[5]).toBeLessThan(30);
  });
});
