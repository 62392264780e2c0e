import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../../test-folder.ts';
import { readWith } from '../test-adapter.ts';
import { ledgerHistory } from './ledger-history.ts';
import { blobsOf, ledgerLines } from './ledger-lines.ts';
import { flipsOf, ledgerState } from './ledger-state.ts';
import { testRepository } from './test-repository.ts';

const prd = (...passes: boolean[]): string =>
  JSON.stringify({
    project: 'Clockwork',
    userStories: passes.map((value, i) => ({ id: `US-${i + 1}`, title: 'x', passes: value })),
  });

async function history(dir: string, path: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of ledgerLines(dir, path)) lines.push(line);
  return lines;
}
const short = (lines: readonly string[]): unknown[] =>
  lines.map((line) => {
    const { feature, field, from, to, at, note } = JSON.parse(line);
    return note ?? [at.slice(11, 16), feature, field, from, to];
  });

describe('ledgerLines', () => {
  it('gives each change of an entry with its commit', async () => {
    const repo = await testRepository();
    const first = await repo.commit({ 'ralph/prd.json': prd(false, false) }, 'plan');
    await repo.commit({ 'a.txt': 'a\n' }, 'work');
    await repo.commit({ 'ralph/prd.json': prd(true, false) }, 'one');
    await repo.commit({ 'ralph/prd.json': prd(true, true) }, 'two');
    await repo.commit({ 'ralph/prd.json': prd(true, false) }, 'not two');
    await repo.commit({ 'ralph/prd.json': prd(true) }, 'without two');
    const lines = await history(repo.dir, 'ralph/prd.json');
    expect(short(lines)).toEqual([
      ['10:00', 'US-1', 'passes', null, 'false'],
      ['10:00', 'US-2', 'passes', null, 'false'],
      ['10:02', 'US-1', 'passes', 'false', 'true'],
      ['10:03', 'US-2', 'passes', 'false', 'true'],
      ['10:04', 'US-2', 'passes', 'true', 'false'],
      ['10:05', 'US-2', 'passes', 'false', null],
    ]);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ sha: first, path: 'ralph/prd.json' });
  });

  it('compares with the last readable state across one that is not', async () => {
    const repo = await testRepository();
    await repo.commit({ 'prd.json': prd(false, false) }, 'plan');
    await repo.commit({ 'prd.json': prd(true, false).slice(0, 40) }, 'broken');
    await repo.commit({ 'prd.json': '<<<<<<< HEAD' }, 'worse');
    await repo.commit({ 'prd.json': prd(true, false) }, 'mended');
    expect(short(await history(repo.dir, 'prd.json')).slice(2)).toEqual([
      'state_not_read',
      'state_not_read',
      ['10:03', 'US-1', 'passes', 'false', 'true'],
    ]);
  });

  it('compares each commit with the one it was made on', async () => {
    const repo = await testRepository();
    await repo.commit({ 'prd.json': prd(false), 'a.txt': 'a\n' }, 'plan');
    repo.git('checkout', '-q', '-b', 'side');
    await repo.commit({ 'prd.json': prd(true) }, 'done on the side');
    repo.git('checkout', '-q', 'main');
    await repo.commit({ 'a.txt': 'b\n' }, 'meanwhile');
    repo.git('merge', '-q', '--no-ff', '-m', 'merge', 'side');
    expect(short(await history(repo.dir, 'prd.json'))).toEqual([
      ['10:00', 'US-1', 'passes', null, 'false'],
      ['10:01', 'US-1', 'passes', 'false', 'true'],
    ]);
  });

  it('is empty for a file without history, and takes a path as it is written', async () => {
    const repo = await testRepository();
    expect(await history(repo.dir, 'prd.json')).toEqual([]);
    await repo.commit({ 'prd.json': prd(true) }, 'plan');
    expect(await history(repo.dir, '*.json')).toEqual([]);
    expect(await history(repo.dir, ':(top)prd.json')).toEqual([]);
    expect(await history(repo.dir, '--all')).toEqual([]);
  });

  it('does not look into a repository that leads elsewhere', async () => {
    const other = await testRepository();
    await other.commit({ 'prd.json': prd(true) }, 'secret');
    const folder = await testFolder({ HEAD: 'ref: refs/heads/main\n' });
    await symlink(join(other.dir, 'objects'), join(folder, 'objects'));
    await expect(history(folder, 'prd.json')).rejects.toThrow('link out of itself');
    await rm(join(folder, 'objects'));
    await expect(history(folder, 'prd.json')).rejects.toThrow('git ended');
  });
});

describe('blobsOf', () => {
  async function* bytes(text: string, size: number): AsyncGenerator<Buffer> {
    const all = Buffer.from(text);
    for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
  }
  it.each([1, 2, 7, 1000])('reads blobs out of pieces of %d bytes', async (size) => {
    const a = 'a'.repeat(40);
    const text = `${a} blob 6\none\ntw\n${a} missing\n${a} blob 0\n\n${a} tree 3\nabc\n${a} blob 12\n123456789012\n`;
    const found: (string | null)[] = [];
    for await (const blob of blobsOf(bytes(text, size), 8)) found.push(blob);
    expect(found).toEqual(['one\ntw', null, '', null, null]);
  });
});

describe('ledgerState', () => {
  const plain = (path: string, text: string): unknown =>
    [...(ledgerState(path, text) ?? [])].map(([name, { fields }]) => [name, Object.fromEntries(fields)]);

  it('reads lists and objects of lists', () => {
    expect(
      plain(
        'feature_list.json',
        '\uFEFF[{"id": 1, "passes": true, "skipped": true}, {"id": "T2", "state": "DONE"}, 5, {"id": 1, "passes": false}]',
      ),
    ).toEqual([
      ['1', { passes: 'true', skipped: 'true' }],
      ['T2', { state: 'DONE' }],
    ]);
    expect(plain('queue.json', '{"queue": [{"id": "a", "status": "pending"}]}')).toEqual([
      ['a', { status: 'pending' }],
    ]);
  });

  it('names entries without an id by place and text', () => {
    const state = ledgerState(
      'feature_list.json',
      '[{"description": "Dial", "passes": false}, {"description": "Bell", "passes": true}]',
    );
    expect([...(state?.keys() ?? [])]).toEqual([
      expect.stringMatching(/^1-[0-9a-f]{8}$/),
      expect.stringMatching(/^2-[0-9a-f]{8}$/),
    ]);
  });

  it('reads a tracker of either version', () => {
    const tasks =
      '- id: T0\n  state: IN_PROGRESS\n  manual_confirmed: false\n- id: T1\n  state: KANE_VERIFIED\n';
    const expected = [
      ['T0', { state: 'IN_PROGRESS', manual_confirmed: 'false' }],
      ['T1', { state: 'KANE_VERIFIED' }],
    ];
    expect(plain('task-tracker.md', `# Tasks\n\n\`\`\`yaml\n${tasks}\`\`\`\n`)).toEqual(expected);
    const nested = tasks.replace(/^/gm, '  ').trimEnd();
    expect(plain('task-tracker.md', `\`\`\`yaml\ntasks:\n${nested}\nphases: []\n\`\`\``)).toEqual(expected);
  });

  it('gives nothing where a part could be missing', () => {
    for (const text of ['', '{"userStories": [{"id": "US-1", "passes": true}', '{"other": []}', '7'])
      expect(ledgerState('prd.json', text)).toBeNull();
    for (const text of [
      'no fence',
      '```yaml\n- id: T0',
      '```yaml\n- {id: T0\n```',
      '```yaml\na: &a [1]\nb: *a\ntasks: 3\n```',
    ])
      expect(ledgerState('task-tracker.md', text)).toBeNull();
  });

  it('takes an entry about something else for another one', () => {
    const of = (title: string, passes: boolean) =>
      ledgerState('prd.json', JSON.stringify({ userStories: [{ id: 'US-1', title, passes }] })) ?? new Map();
    expect(flipsOf(of('Dial', true), of('Login', false))).toEqual([
      { feature: 'US-1', field: 'passes', from: 'true', to: null },
      { feature: 'US-1', field: 'passes', from: null, to: 'false' },
    ]);
    expect(flipsOf(of('Dial', true), of('Login', true))).toEqual([]);
  });

  it('counts the attempts an entry lists', () => {
    const of = (attempts: number) =>
      ledgerState(
        'metrics.json',
        JSON.stringify({ features: [{ id: 28, attempts: Array(attempts).fill({}), final_score: 9 }] }),
      ) ?? new Map();
    expect(flipsOf(of(1), of(3))).toEqual([{ feature: '28', field: 'attempts', from: '1', to: '3' }]);
  });

  it('sees no flip between equal states', () => {
    const state = ledgerState('prd.json', prd(true, false));
    expect(state && flipsOf(state, state)).toEqual([]);
  });
});

describe('the adapter of ledger histories', () => {
  it('makes a row of each change', async () => {
    const line = {
      sha: 'a'.repeat(40),
      at: '2026-01-02T10:00:00-07:00',
      path: 'prd.json',
      feature: 'US-1',
      field: 'passes',
      from: 'false',
      to: 'true',
    };
    const found = await readWith(ledgerHistory, {
      'prd.json': [
        JSON.stringify(line),
        '{"note": "state_not_read", "sha": "abcdef1", "path": "prd.json"}',
        'nonsense',
        '',
      ].join('\n'),
    });
    expect(found.rows('ledger_flips')).toEqual([
      {
        flip_id: 'ledger_history-prd-json.1',
        feature_ref: 'US-1',
        field: 'passes',
        from_value: 'false',
        to_value: 'true',
        commit_sha: 'a'.repeat(40),
        at_ms: Date.UTC(2026, 0, 2, 17),
        ledger_path: 'prd.json',
        source_id: 'ledger_history-prd-json',
        source_line: 1,
      },
    ]);
    expect(found.counts['prd.json']).toEqual({ ok: 1, bad: 2 });
    expect(found.issues['prd.json']?.map(({ code, line: at }) => [code, at])).toEqual([
      ['json_invalid', 2],
      ['unknown_line', 3],
    ]);
  });
});
