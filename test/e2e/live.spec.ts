import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { answered, ask, card, openStart, QUESTION, watch } from './page.ts';
import { startProxy } from './proxy.ts';
import { demoCopy, startServer } from './server.ts';

const SAID = '1 attempts, 415s)';
const at = (seconds: number): string => SAID.replace('415s', `${seconds}s`);

/** Changes what a file says; the text must be there. */
async function edit(path: string, from: string, to: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  expect(text).toContain(from);
  await writeFile(path, text.replace(from, to));
}

/** Counts what is drawn anew from now on: elements put into or taken out of the cards. */
async function countChanges(page: Page, id: string): Promise<() => Promise<number>> {
  await card(page, id).evaluate((element) => {
    element.setAttribute('data-changes', '0');
    new MutationObserver((records) => {
      const before = Number(element.getAttribute('data-changes'));
      const more = records.filter(
        ({ type, attributeName }) => type !== 'attributes' || attributeName !== 'data-changes',
      );
      element.setAttribute('data-changes', String(before + more.length));
    }).observe(element, { subtree: true, childList: true, characterData: true });
  });
  return () => card(page, id).evaluate((element) => Number(element.getAttribute('data-changes')));
}

test('the answer on the page follows the record: changed cards alone, a quiet note, no model', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const { problems } = watch(page);
  const record = await demoCopy();
  const server = await startServer({}, record.path);
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(new URL(request.url()).pathname);
  });
  try {
    await openStart(page, server.url);
    await ask(page, QUESTION);
    await answered(page, QUESTION);
    await expect(card(page, 'premise')).toContainText('415');
    const still = await countChanges(page, 'c1');
    const premise = await card(page, 'premise').elementHandle();
    const before = posts.length;

    await edit(join(record.path, 'claude-progress.txt'), SAID, at(500));
    await expect(card(page, 'premise')).toContainText('500', { timeout: 20_000 });
    const note = page.locator('.live-note');
    await expect(note).toContainText(/Updated \d\d:\d\d:\d\d, \d+ cards?/);
    await expect(page.locator('.verif')).toContainText('verified');
    await expect(page.getByRole('status').filter({ hasText: 'changed with the record' })).toHaveCount(1);
    // The card is the same element as before: nothing was put in its place.
    expect(await premise?.evaluate((element) => element.isConnected)).toBe(true);
    expect(posts.slice(before)).toEqual([]);

    // What does not depend on the change is not touched.
    const touched = await still();
    await edit(join(record.path, 'claude-progress.txt'), at(500), at(501));
    await expect(card(page, 'premise')).toContainText('501', { timeout: 20_000 });
    expect(touched).toBeLessThan(200);
    expect(
      (await new AxeBuilder({ page }).analyze()).violations.map((v) => `${v.id}: ${v.nodes[0]?.html}`),
    ).toEqual([]);
    expect(problems).toEqual([]);
  } finally {
    await server.stop();
    await record.done();
  }
});

test('a record that never rests makes neither the page nor the server work without end', async ({ page }) => {
  test.setTimeout(120_000);
  const record = await demoCopy();
  const server = await startServer({}, record.path);
  try {
    await openStart(page, server.url);
    await ask(page, QUESTION);
    await answered(page, QUESTION);
    const changes = await countChanges(page, 'premise');
    const log = join(record.path, 'claude-progress.txt');
    const text = await readFile(log, 'utf8');
    const until = Date.now() + 6_000;
    let n = 0;
    while (Date.now() < until) {
      n += 1;
      await writeFile(log, text.replace(SAID, at(300 + (n % 200))));
      await page.waitForTimeout(5);
    }
    expect(n).toBeGreaterThan(100);
    await writeFile(log, text.replace(SAID, at(588)));
    await expect(card(page, 'premise')).toContainText('588', { timeout: 30_000 });
    await expect(page.locator('.verif')).toContainText('verified');
    // One look a second, each of a handful of changed texts; not one for each of the changes.
    expect(await changes()).toBeLessThan(n);
  } finally {
    await server.stop();
    await record.done();
  }
});

test('the starting view follows a run that goes on', async ({ page }) => {
  test.setTimeout(90_000);
  const record = await demoCopy();
  const server = await startServer({}, record.path);
  try {
    await openStart(page, server.url);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('29 accepted');
    await appendFile(join(record.path, 'claude-progress.txt'), '\n');
    await edit(join(record.path, 'claude-progress.txt'), SAID, at(4_150));
    await expect(page.locator('.live-note')).toContainText('Updated', { timeout: 20_000 });
    await expect(page.locator('.layer:not(.leaving)')).toContainText('4,150');
  } finally {
    await server.stop();
    await record.done();
  }
});

test('a page whose line broke catches up when it is back, also with a server that began anew', async ({
  page,
}) => {
  test.setTimeout(150_000);
  const record = await demoCopy();
  const state = `${record.path}-state`;
  const proxy = await startProxy('http://127.0.0.1:1');
  const serve = () =>
    startServer({ LOOPLIGHT_STATE: state, LOOPLIGHT_HOSTS: new URL(proxy.url).host }, record.path);
  let server = await serve();
  proxy.to(server.url);
  try {
    await openStart(page, proxy.url);
    await ask(page, QUESTION);
    await answered(page, QUESTION);
    proxy.cut();
    await edit(join(record.path, 'claude-progress.txt'), SAID, at(500));
    await expect(card(page, 'premise')).toContainText('500', { timeout: 30_000 });
    await server.stop();
    await edit(join(record.path, 'claude-progress.txt'), at(500), at(577));
    server = await serve();
    proxy.to(server.url);
    proxy.cut();
    await expect(card(page, 'premise')).toContainText('577', { timeout: 60_000 });
  } finally {
    await proxy.close();
    await server.stop();
    await record.done();
  }
});
