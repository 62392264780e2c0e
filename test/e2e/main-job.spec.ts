import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { answered, ask, askBox, card, openStart, QUESTION, watch } from './page.ts';
import { demoCopy, type RunningServer, startServer } from './server.ts';

let server: RunningServer;
test.beforeAll(async () => {
  server = await startServer();
});
test.afterAll(() => server.stop());

test('the starting view is made of checked cards', async ({ page }) => {
  const { problems } = watch(page);
  await openStart(page, server.url);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('29 accepted');
  await expect(page.locator('[data-card]')).not.toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('11 disputed');
  await expect(page.locator('.card-conflict tbody tr')).toHaveCount(11);
  expect(problems).toEqual([]);
});

test('the question builds its answer, a button asks the next one, ✕ goes back', async ({ page }) => {
  const { problems } = watch(page);
  await openStart(page, server.url);
  await ask(page, QUESTION);
  await answered(page, QUESTION);

  const premise = card(page, 'premise');
  await expect(premise).toContainText('The record disagrees');
  for (const word of [
    '3 attempts',
    '120',
    '140',
    '159',
    '415',
    'metrics.json:',
    'claude-progress.txt:',
    'git log:',
  ])
    await expect(premise).toContainText(word);

  const story = card(page, 'c0');
  await expect(story.locator('.card-attempts')).toBeVisible();
  for (const word of ['120 s', '140 s', '159 s', '415 s']) await expect(story).toContainText(word);

  await expect(card(page, 'c1')).toContainText('129');
  await expect(page.getByRole('complementary', { name: 'Ask' })).toContainText('415');

  for (const buttons of await page.locator('.card .cf').all())
    expect(await buttons.locator('.btn').count()).toBeLessThanOrEqual(2);
  await expect(page.locator('.chips').last().getByRole('button')).toHaveCount(3);

  const button = page.locator('.card .cf .btn').first();
  const request = (await button.getAttribute('title')) ?? '';
  expect(request).not.toBe('');
  await button.click();
  await answered(page, request);
  await expect(page).toHaveURL(/\/a\//);
  const chat = page.getByRole('complementary', { name: 'Ask' });
  await expect(chat).toContainText(QUESTION);
  await expect(chat).toContainText(request);

  await page.getByRole('button', { name: /Close this answer/ }).click();
  await expect(page).toHaveURL(`${server.url}/`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('29 accepted');
  expect(problems).toEqual([]);
});

test('back and forward walk through answers', async ({ page }) => {
  await openStart(page, server.url);
  await ask(page, QUESTION);
  await answered(page, QUESTION);
  await ask(page, 'which features were slowest?');
  await answered(page, 'which features were slowest?');
  await page.goBack();
  await answered(page, QUESTION);
  await page.goForward();
  await answered(page, 'which features were slowest?');
  await page.reload();
  await answered(page, 'which features were slowest?');
});

test('a figure opens to its query, its rows and the lines they stand on', async ({ page }) => {
  await openStart(page, server.url);
  await ask(page, QUESTION);
  await answered(page, QUESTION);
  const figure = card(page, 'premise').getByRole('button', { name: /415/ }).first();
  await figure.click();
  const drawer = page.getByRole('dialog');
  await expect(drawer).toContainText('claude-progress.txt');
  await expect(drawer).toContainText('Feature #28 PASSED');
  await expect(drawer).toContainText(/SELECT/);
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(figure).toBeFocused();
});

test('the keyboard alone is enough', async ({ page }) => {
  await openStart(page, server.url);
  await page.keyboard.press('/');
  await expect(askBox(page)).toBeFocused();
  await page.keyboard.type('which categories were slowest?');
  await page.keyboard.press('Enter');
  await answered(page, 'which categories were slowest?');
  await askBox(page).focus();
  await page.keyboard.press('ArrowUp');
  await expect(askBox(page)).toHaveValue('which categories were slowest?');
});

test('a question it does not understand says so and offers three others', async ({ page }) => {
  await openStart(page, server.url);
  await ask(page, 'purple monkey dishwasher');
  await answered(page, 'purple monkey dishwasher');
  await expect(page.locator('.card-note').first()).toContainText(/not/i);
  await expect(page.locator('.chips').last().getByRole('button')).toHaveCount(3);
});

test('another score in the file is another answer', async ({ page }) => {
  const copy = await demoCopy();
  const own = await startServer({}, copy.path);
  try {
    await openStart(page, own.url);
    const path = join(copy.path, 'metrics.json');
    const text = await readFile(path, 'utf8');
    const document: unknown = JSON.parse(text);
    expect(document).toHaveProperty('features');
    // The first score of feature 28's entry, by its place in the text, so that the rest of the file stays as it is.
    const entry = text.indexOf('"id": 28,');
    const score = text.indexOf('"score": 4', entry);
    expect(score).toBeGreaterThan(entry);
    await writeFile(path, `${text.slice(0, score)}"score": 2${text.slice(score + 10)}`);
    await ask(page, QUESTION);
    await answered(page, QUESTION);
    await expect(card(page, 'premise')).toContainText(/2\s*→[ a-z]*6\s*→[ a-z]*9/);
  } finally {
    await own.stop();
    await copy.done();
  }
});
