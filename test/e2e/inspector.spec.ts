import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { answered, ask, askBox, card, openStart, QUESTION, watch } from './page.ts';
import { type RunningServer, startReplay, startServer } from './server.ts';

const pictures = join('reports', 'pictures');

let server: RunningServer;
test.beforeAll(async () => {
  server = await startServer();
});
test.afterAll(() => server.stop());

test('the way of an answer opens, is saved, and plays elsewhere as a replay', async ({ page }) => {
  test.slow();
  const { problems } = watch(page);
  await openStart(page, server.url);
  await ask(page, QUESTION);
  await answered(page, QUESTION);

  const button = page.getByRole('button', { name: 'How this answer was made' });
  await button.click();
  const drawer = page.getByRole('dialog', { name: 'How this answer was made' });
  await expect(drawer.getByRole('img', { name: /Timeline of/ })).toBeVisible();
  await expect(drawer).toContainText('"about": {');
  await expect(drawer).toContainText('verified');
  const message = drawer.locator('summary').filter({ hasText: 'updateDataModel /cards/c0' }).first();
  await message.click();
  await expect(drawer.locator('details[open] pre')).toContainText('"updateDataModel"');
  await drawer.getByRole('button', { name: 'Show as a table' }).click();
  await expect(drawer.getByRole('cell', { name: 'Second check' })).toBeVisible();

  const download = page.waitForEvent('download');
  await drawer.getByRole('button', { name: 'Save as a file' }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toMatch(/^looplight-answer-[\w-]+\.json$/);
  const folder = await mkdtemp(join(tmpdir(), 'looplight-saved-'));
  const file = join(folder, saved.suggestedFilename());
  await saved.saveAs(file);

  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(button).toBeFocused();
  await page.keyboard.press('Control+i');
  await expect(drawer).toBeVisible();
  await page.keyboard.press('Control+i');
  await expect(drawer).toBeHidden();
  const words = await card(page, 'premise').textContent();

  const replay = await startReplay(file, 4);
  try {
    await page.goto(replay.url);
    await expect(page).toHaveURL(/\/a\/[\w-]+$/);
    await expect(page.locator('.replay-mark')).toContainText('Replay');
    await answered(page, QUESTION);
    await expect(page).toHaveTitle(/^Replay: /);
    await expect(page.locator('.replay-mark')).toContainText('Made');
    await mkdir(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, 'replay.png') });
    expect(await card(page, 'premise').textContent()).toBe(words);
    await page.getByRole('button', { name: 'How this answer was made' }).click();
    await expect(drawer).toContainText('"about": {');
    await page.keyboard.press('Escape');
    await askBox(page).fill('and now?');
    await askBox(page).press('Enter');
    await answered(page, 'and now?');
    await expect(card(page, 'end')).toContainText('This is a replay');
    await expect(page.locator('.replay-mark')).toBeVisible();
    expect(problems).toEqual([]);
  } finally {
    await replay.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`the inspector fits at ${width} px, ${colorScheme}`, async ({ page }) => {
      test.slow();
      await mkdir(pictures, { recursive: true });
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await openStart(page, server.url);
      await ask(page, QUESTION);
      await answered(page, QUESTION);
      await page.getByRole('button', { name: 'How this answer was made' }).click();
      const drawer = page.getByRole('dialog', { name: 'How this answer was made' });
      await expect(drawer).toContainText('"about": {');
      const sideways = await drawer.evaluate((element) => element.scrollWidth - element.clientWidth);
      expect(sideways).toBeLessThanOrEqual(0);
      expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([]);
      await page.screenshot({ path: join(pictures, `inspector-${colorScheme}-${width}.png`) });
      await drawer.getByRole('heading', { name: /^Messages/ }).scrollIntoViewIfNeeded();
      await page.screenshot({ path: join(pictures, `inspector-messages-${colorScheme}-${width}.png`) });
    });
  }
}
