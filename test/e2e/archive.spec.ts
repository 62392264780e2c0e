import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { answered, ask, openStart, QUESTION, watch } from './page.ts';
import { demoCopy, startServer } from './server.ts';

test('an answer outlives its server, says what changed since, can be asked anew and deleted', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const { problems } = watch(page);
  const record = await demoCopy();
  const state = await mkdtemp(join(tmpdir(), 'looplight-kept-'));
  const serve = () => startServer({ LOOPLIGHT_STATE: state }, record.path);
  let server = await serve();
  const since = page.locator('.since');
  try {
    await openStart(page, server.url);
    await ask(page, QUESTION);
    await answered(page, QUESTION);
    await expect(since).toHaveCount(0);
    const address = new URL(page.url()).pathname;
    expect(address).toMatch(/^\/a\/[\w-]{16}$/);

    await page.goto(server.url);
    await ask(page, QUESTION.toUpperCase());
    await answered(page, QUESTION.toUpperCase());
    await expect(since).toContainText('Asked just now. The record has not changed since.');

    // A page that stays open asks for the change feed again and again while there is no server.
    await page.goto('about:blank');
    await server.stop();
    const log = join(record.path, 'claude-progress.txt');
    const text = await readFile(log, 'utf8');
    expect(text).toContain('1 attempts, 415s)');
    await writeFile(log, text.replace('1 attempts, 415s)', '1 attempts, 500s)'));
    server = await serve();

    await page.goto(server.url + address);
    await answered(page, QUESTION);
    await expect(since).toContainText(/Asked (just now|\d minutes? ago)\. \d+ figures? changed since\./);
    await since.locator('summary').click();
    const changed = since.getByRole('list', { name: 'Figures that changed' });
    await expect(changed.getByRole('listitem').first()).toContainText('415 s');
    await expect(changed.getByRole('listitem').first()).toContainText('500 s');
    expect(
      (await new AxeBuilder({ page }).analyze()).violations.map((v) => `${v.id}: ${v.nodes[0]?.html}`),
    ).toEqual([]);

    await page.getByRole('button', { name: 'Ask anew' }).click();
    await expect(page).not.toHaveURL(server.url + address);
    await answered(page, QUESTION);
    await expect(since).toHaveCount(0);

    await openStart(page, server.url);
    const earlier = page.getByRole('region', { name: 'Asked earlier' });
    await expect(earlier.getByRole('listitem')).toHaveCount(3);
    await expect(earlier.locator(`a[href="${address}"]`)).toHaveText(QUESTION);
    expect(
      (await new AxeBuilder({ page }).analyze()).violations.map((v) => `${v.id}: ${v.nodes[0]?.html}`),
    ).toEqual([]);
    await earlier
      .getByRole('listitem')
      .filter({ has: page.locator(`a[href="${address}"]`) })
      .getByRole('button', { name: `Delete the answer to “${QUESTION}”` })
      .click();
    await expect(earlier.getByRole('listitem')).toHaveCount(2);
    await expect(earlier.locator(`a[href="${address}"]`)).toHaveCount(0);
    expect(problems).toEqual([]);

    await page.goto(server.url + address);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('not kept any more');
  } finally {
    await server.stop();
    await record.done();
    await rm(state, { recursive: true, force: true });
  }
});
