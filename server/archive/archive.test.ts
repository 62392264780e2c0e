import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../shared/limits.ts';
import { type ArchiveOptions, normalised, openArchive } from './archive.ts';
import { entryOf, idOf } from './test-entry.ts';

const NOW = Date.UTC(2026, 0, 2);
let state: string;
let folder: string;
let said: string[];

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'looplight-archive-'));
  folder = join(state, 'answers');
  said = [];
});
afterEach(() => rm(state, { recursive: true, force: true }));

const open = (more: Partial<ArchiveOptions> = {}) =>
  openArchive({
    folder,
    keepDays: 90,
    log: { warn: (message) => void said.push(message) },
    now: () => NOW,
    ...more,
  });
const same = (n: number) => {
  const { question, context, planner, program, record } = entryOf(n);
  return { question, context, planner, program, ...record };
};

describe('an archive', () => {
  it('gives back what it was given, to another process too', async () => {
    const first = await open();
    first.put(entryOf(1));
    expect(first.has(idOf(1))).toBe(true);
    expect(await first.get(idOf(1))).toEqual(entryOf(1));
    await first.close();
    expect(await readdir(folder)).toEqual([`${idOf(1)}.json`]);
    const second = await open();
    expect(await second.get(idOf(1))).toEqual(entryOf(1));
    expect(second.list()).toEqual([
      {
        id: idOf(1),
        question: 'Question 1?',
        askedAt: entryOf(1).askedAt,
        planner: 'Built-in planner',
        code: null,
        cards: 1,
        folder: '/runs/one',
      },
    ]);
    expect(said).toEqual([]);
  });

  it('lists the newest first, and not without end', async () => {
    const archive = await open();
    for (let n = 0; n < LIMITS.archiveListed + 5; n += 1) archive.put(entryOf(n));
    const listed = archive.list();
    expect(listed).toHaveLength(LIMITS.archiveListed);
    expect(listed[0]?.id).toBe(idOf(LIMITS.archiveListed + 4));
    await archive.close();
  });

  it('leaves no half-written file behind, and sweeps up those of a process that died', async () => {
    const archive = await open();
    await mkdir(join(folder, `${idOf(7)}.json`));
    archive.put(entryOf(7));
    await archive.close();
    expect(await readdir(folder)).toEqual([`${idOf(7)}.json`]);
    expect(said).toHaveLength(1);
    await rm(join(folder, `${idOf(7)}.json`), { recursive: true });

    const old = join(folder, `.${idOf(1)}.0123456789ab.tmp`);
    const fresh = join(folder, `.${idOf(2)}.0123456789ab.tmp`);
    await writeFile(old, '{"version":1,');
    await writeFile(fresh, '{"version":1,');
    await utimes(old, 1, 1);
    await (await open()).close();
    expect(await readdir(folder)).toEqual([`.${idOf(2)}.0123456789ab.tmp`]);
  });

  it('passes over what is damaged, with a word in the log', async () => {
    const first = await open();
    first.put(entryOf(1));
    first.put(entryOf(2));
    await first.close();
    const whole = await readFile(join(folder, `${idOf(1)}.json`), 'utf8');
    await writeFile(join(folder, `${idOf(1)}.json`), whole.slice(0, -20));
    await writeFile(join(folder, `${idOf(3)}.json`), 'null');
    await writeFile(join(folder, `${idOf(4)}.json`), JSON.stringify({ ...entryOf(4), version: 99 }));
    await writeFile(join(folder, `${idOf(5)}.json`), JSON.stringify(entryOf(6)));
    await writeFile(join(folder, `${idOf(6)}.json`), `${' '.repeat(LIMITS.archiveBytes)}{}`);
    await symlink(join(folder, `${idOf(2)}.json`), join(folder, `${idOf(8)}.json`));
    const second = await open();
    expect(second.list().map(({ id }) => id)).toEqual([idOf(2)]);
    expect(await second.get(idOf(1))).toBeNull();
    expect(said).toHaveLength(6);
    expect(said[0]).toMatch(/^The kept answer answer-\d{9} cannot be read; it is passed over\.$/);
  });

  it('finds out that a file was damaged after it was listed', async () => {
    const archive = await open();
    archive.put(entryOf(1));
    await archive.get(idOf(1));
    await writeFile(join(folder, `${idOf(1)}.json`), '{');
    expect(await archive.get(idOf(1))).toBeNull();
    expect(archive.has(idOf(1))).toBe(false);
  });

  it.each([
    '../../../etc/passwd',
    '..',
    '',
    'a/b',
    `${idOf(1)}.json`,
    `${idOf(1)}\u0000`,
    '../answers/abcd',
    'x'.repeat(5_000),
  ])('takes no path for an id: %j', async (id) => {
    const archive = await open();
    await writeFile(join(state, 'secret.json'), JSON.stringify(entryOf(1)));
    archive.put(entryOf(1, { id }));
    expect(archive.list()).toEqual([]);
    expect(await archive.get(id)).toBeNull();
    expect(await archive.remove(id)).toBe(false);
    await archive.close();
    expect(await readdir(folder)).toEqual([]);
    expect((await readdir(state)).sort()).toEqual(['answers', 'secret.json']);
  });

  it('lets go of what is past its time or too many', async () => {
    const first = await open({ most: 3 });
    const day = 24 * 60;
    for (const n of [-100 * day, 1, 2, 3, 4]) first.put(entryOf(n, { id: idOf(n + 200_000) }));
    await first.close();
    const names = (await readdir(folder)).sort();
    expect(names).toEqual([2, 3, 4].map((n) => `${idOf(n + 200_000)}.json`));
    const later = await open({ now: () => NOW + 91 * 86_400_000 });
    expect(later.list()).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('lets go of files beyond the bound without reading them', async () => {
    const first = await open();
    for (const n of [1, 2, 3]) first.put(entryOf(n));
    await first.close();
    await utimes(join(folder, `${idOf(2)}.json`), 1, 1);
    const second = await open({ most: 2 });
    expect(second.list().map(({ id }) => id)).toEqual([idOf(3), idOf(1)]);
    await second.close();
    expect(await readdir(folder)).toHaveLength(2);
  });

  it('deletes one, and all, damaged ones too', async () => {
    const archive = await open();
    for (const n of [1, 2, 3]) archive.put(entryOf(n));
    expect(await archive.remove(idOf(2))).toBe(true);
    expect(await archive.remove(idOf(2))).toBe(false);
    expect(await archive.get(idOf(2))).toBeNull();
    expect((await readdir(folder)).sort()).toEqual([`${idOf(1)}.json`, `${idOf(3)}.json`]);
    await writeFile(join(folder, `${idOf(9)}.json`), '{');
    await archive.removeAll();
    expect(archive.list()).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('keeps nothing where nothing can be written, says so once, and goes on', async () => {
    await writeFile(folder, 'a file in the way');
    const archive = await open();
    expect(archive.keeps).toBe(false);
    archive.put(entryOf(1));
    archive.put(entryOf(2));
    await archive.removeAll();
    expect(await archive.get(idOf(1))).toBeNull();
    expect(archive.list()).toEqual([]);
    await archive.close();
    expect(said).toEqual([`Answers cannot be kept in ${folder}; they last as long as this process.`]);
  });

  it('keeps nothing when it is told to keep nothing', async () => {
    const archive = await open({ keepDays: 0 });
    archive.put(entryOf(1));
    expect([archive.keeps, archive.list(), said]).toEqual([false, [], []]);
    expect(await readdir(state)).toEqual([]);
  });

  it('leaves out the figures of an answer that would be too large, and one that is too large without them', async () => {
    const archive = await open();
    const wide = entryOf(1).figures.map((figure) => ({ ...figure, label: 'x'.repeat(1_000) }));
    archive.put(entryOf(1, { figures: Array.from({ length: LIMITS.archiveFigures }, () => wide).flat() }));
    expect((await archive.get(idOf(1)))?.figures).toEqual([]);
    archive.put(entryOf(2, { plan: 'x'.repeat(LIMITS.planBytes + 2) }));
    expect(archive.has(idOf(2))).toBe(false);
    expect(said).toEqual([`The answer ${idOf(2)} does not fit into a file; it is not kept.`]);
    await archive.close();
  });
});

describe('the same question', () => {
  it('is found whatever its spacing, case and closing marks', async () => {
    const archive = await open();
    archive.put(entryOf(1));
    archive.put(entryOf(2, { question: 'question  1', plan: 'newer' }));
    const found = await archive.find({ ...same(1), question: ' QUESTION 1 ?? ' });
    expect(found?.plan).toBe('newer');
    expect(normalised('Ｗhy\u00a0 28?!')).toBe('why 28');
  });

  it('is another one of another record, planner, program, context or folder', async () => {
    const archive = await open();
    archive.put(entryOf(1));
    expect(await archive.find(same(1))).not.toBeNull();
    for (const other of [
      { fingerprint: 'f2' },
      { context: 'abc' },
      { folder: '/runs/two' },
      { program: 'p2' },
      { question: 'Question 11?' },
      { planner: { kind: 'model' as const, name: 'm', model: 'm' } },
    ])
      expect(await archive.find({ ...same(1), ...other })).toBeNull();
  });

  it('is never answered from an answer that did not end well', async () => {
    const archive = await open();
    const { report } = entryOf(1);
    archive.put(entryOf(1, { code: 'stopped' }));
    archive.put(entryOf(2, { report: null, question: 'Question 1?' }));
    archive.put(entryOf(3, { report: report && { ...report, ok: false }, question: 'Question 1?' }));
    expect(archive.mayHave(same(1))).toBe(false);
    expect(await archive.find(same(1))).toBeNull();
    expect((await archive.get(idOf(1)))?.code).toBe('stopped');
  });
});
