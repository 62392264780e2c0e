import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { answered, ask, card, openStart, watch } from './page.ts';
import { DEMO, type RunningServer, startProjects } from './server.ts';

let folder: string;
let server: RunningServer;

/** The demo, a copy of it in which feature 28 took another time, and a folder with nothing in it. */
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'looplight-projects-'));
  const shop = join(folder, 'shop');
  await cp(DEMO, shop, { recursive: true });
  await mkdir(join(folder, 'bare'));
  const log = join(shop, 'claude-progress.txt');
  const text = await readFile(log, 'utf8');
  expect(text).toContain('1 attempts, 415s)');
  await writeFile(log, text.replace('1 attempts, 415s)', '1 attempts, 477s)'));
  server = await startProjects([DEMO, shop, join(folder, 'bare')]);
});
test.afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const menu = (page: Page): Locator => page.getByRole('button', { name: /^Project: / });
const axe = async (page: Page): Promise<string[]> =>
  (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);

test('projects are chosen by keyboard, and the address keeps the choice', async ({ page }) => {
  test.setTimeout(120_000);
  const { problems } = watch(page);
  await openStart(page, server.url);
  const first = (await menu(page).textContent()) ?? '';
  expect(first).not.toBe('');
  await menu(page).focus();
  await page.keyboard.press('Enter');
  const items = page.getByRole('menuitemradio');
  await expect(items).toHaveCount(3);
  await expect(items.first()).toHaveAttribute('aria-checked', 'true');
  await expect(items.nth(2)).toContainText('nothing was found');
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(items).toHaveCount(0);
  await expect(menu(page)).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(items.first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(items.nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${server.url}/p/shop`);
  await expect(menu(page)).toContainText('shop');
  await expect(page.locator('.verif')).toContainText('verified', { timeout: 15_000 });

  await page.reload();
  await expect(menu(page)).toContainText('shop');
  await ask(page, 'how long did feature 28 take?');
  await answered(page, 'how long did feature 28 take?');
  await expect(page).toHaveURL(/\/p\/shop\/a\/[\w-]{16}$/);
  await expect(page.locator('.about-projects')).toHaveText('About shop');
  await expect(card(page, 'c0')).toContainText('477 s');
  await card(page, 'c0').getByRole('button', { name: /477/ }).first().click();
  const drawer = page.getByRole('dialog');
  await expect(drawer).toContainText('In the record of shop.');
  await expect(drawer).toContainText('1 attempts, 477s)');
  await page.keyboard.press('Escape');

  // Each project has a conversation of its own; going back brings the other one's.
  const mine = page.getByRole('complementary', { name: 'Ask' });
  await expect(mine).toContainText('how long did feature 28 take?');
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(`${server.url}/`);
  await expect(menu(page)).toContainText(first);
  await ask(page, 'how long did feature 28 take?');
  await answered(page, 'how long did feature 28 take?');
  await expect(card(page, 'c0')).toContainText('415 s');
  await expect(page).toHaveURL(/\/a\/[\w-]{16}$/);
  expect(new URL(page.url()).pathname).not.toContain('/p/');
  expect(problems).toEqual([]);
});

test('a question that names another project is answered there; projects are compared side by side', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const { problems } = watch(page);
  await openStart(page, server.url);
  await ask(page, 'which features of shop were the slowest?');
  await answered(page, 'which features of shop were the slowest?');
  await expect(page.locator('.about-projects')).toHaveText('About shop');
  await expect(menu(page)).toContainText('shop');

  await ask(page, 'compare the projects');
  await answered(page, 'compare the projects');
  await expect(page.locator('.about-projects')).toContainText('each by its own record');
  const table = card(page, 'c0').getByRole('table');
  await expect(table.getByRole('row')).toHaveCount(4);
  await expect(table.getByRole('row').last()).toContainText('bare');
  await expect(table.getByRole('row').last()).toContainText('not recorded');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Which took more attempts?' }).click();
  await answered(page, 'Which project took more attempts?');
  await expect(page.locator('.about-projects')).toContainText('Compares');
  expect(problems).toEqual([]);
});

test('on a phone the menu fits, and a project that is not loaded is said to be so', async ({ page }) => {
  test.setTimeout(90_000);
  const { problems } = watch(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${server.url}/p/gone`);
  await expect(page.locator('[data-card]').first()).toContainText('This project is not loaded');
  await menu(page).click();
  const items = page.getByRole('menuitemradio');
  await expect(items).toHaveCount(3);
  for (const item of await items.all()) {
    const box = await item.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
  }
  expect(await axe(page)).toEqual([]);
  await items.nth(1).click();
  await expect(page).toHaveURL(`${server.url}/p/shop`);
  await expect(page.locator('.verif')).toContainText('verified', { timeout: 15_000 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  // What the address asked for was refused with a status, which browsers note on the console.
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
});
