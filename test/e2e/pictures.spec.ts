import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { answered, ask, openStart, QUESTION, still } from './page.ts';
import { type RunningServer, startServer } from './server.ts';

/** Pictures of every page state, to be looked at. `LOOPLIGHT_PICTURES=docs/pictures` renews those of the README. */
const folder = process.env.LOOPLIGHT_PICTURES ?? join('reports', 'pictures');

let server: RunningServer;
test.beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  server = await startServer();
});
test.afterAll(() => server.stop());

for (const [width, height] of [
  [1440, 900],
  [768, 1024],
  [390, 844],
] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`pictures at ${width} px, ${colorScheme}`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const name = (what: string) =>
        join(folder, `${what}-${colorScheme}${width === 1440 ? '' : `-${width}`}.png`);
      await openStart(page, server.url);
      await still(page);
      await page.screenshot({ path: name('start'), fullPage: true });
      await ask(page, QUESTION);
      await answered(page, QUESTION);
      await still(page);
      await expect(page.locator('.card-attempts')).toBeVisible();
      await page.screenshot({ path: name('answer'), fullPage: true });
      await page.locator('[data-card="premise"]').getByRole('button', { name: /415/ }).first().click();
      await expect(page.getByRole('dialog')).toContainText('SELECT');
      await still(page);
      await page.screenshot({ path: name('drawer'), fullPage: false });
    });
  }
}
