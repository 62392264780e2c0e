import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { answered, ask, card, openStart, QUESTION, watch } from './page.ts';
import { demoCopy, type RunningServer, startServer } from './server.ts';

const violations = async (page: Page): Promise<string[]> =>
  (await new AxeBuilder({ page }).analyze()).violations.map((v) => `${v.id}: ${v.nodes[0]?.html}`);

const dialog = (page: Page) => page.getByRole('dialog');
const notice = (page: Page) => page.locator('.notice');
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const drawn = (page: Page) =>
  expect(page.locator('.verif:not(.live)')).toContainText('verified', { timeout: 20_000 });

async function askHere(page: Page, server: RunningServer, question: string): Promise<void> {
  await openStart(page, server.url);
  await ask(page, question);
  await answered(page, question);
}

test('answers and cards are pinned, arranged, removed and taken back', async ({ page }) => {
  test.setTimeout(180_000);
  const { problems } = watch(page);
  const server = await startServer();
  try {
    await askHere(page, server, QUESTION);
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await expect(dialog(page)).toContainText('Pin this answer');
    await expect(dialog(page).getByRole('textbox')).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await dialog(page).getByRole('textbox').fill('Morning');
    await dialog(page).getByRole('button', { name: 'Pin' }).click();
    await expect(notice(page)).toContainText('Pinned to Morning.');
    await expect(dialog(page)).toHaveCount(0);

    await ask(page, 'which features were the slowest?');
    await answered(page, 'which features were the slowest?');
    const slowest = await card(page, 'c0').getByRole('heading', { level: 2 }).textContent();
    await card(page, 'c0')
      .getByRole('button', { name: /^Pin this card/ })
      .click();
    await expect(dialog(page)).toContainText('Pin this card');
    await dialog(page)
      .getByRole('button', { name: /Morning/ })
      .click();
    await expect(notice(page)).toContainText('Pinned to Morning.');

    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Morning' }).click();
    await expect(page).toHaveURL(/\/b\/[\w-]{16}$/);
    await expect(heading(page)).toHaveText('Morning');
    await drawn(page);
    const titles = page.locator('.layer:not(.leaving) .card h2');
    await expect(titles.last()).toHaveText(slowest ?? '');
    await expect(page.locator('.layer:not(.leaving)')).toContainText('415');
    expect(await violations(page)).toEqual([]);

    // With the keyboard alone.
    await page.getByRole('button', { name: /^Arrange 2 items/ }).focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('region', { name: 'Arrange this board' });
    await expect(panel.getByRole('listitem')).toHaveCount(2);
    expect(await violations(page)).toEqual([]);
    const up = panel.getByRole('button', { name: `Move up: ${slowest}` });
    await up.focus();
    await page.keyboard.press('Enter');
    await expect(panel.getByRole('listitem').first()).toContainText(slowest ?? '');
    await expect(up).toBeFocused();
    await drawn(page);
    await expect(page.locator('.layer:not(.leaving) .card h2').first()).toHaveText(slowest ?? '');

    await panel.getByRole('textbox', { name: 'Name' }).fill('Every morning');
    await page.keyboard.press('Enter');
    await expect(heading(page)).toHaveText('Every morning');
    await expect(page.getByRole('link', { name: 'Every morning' })).toBeVisible();

    await panel.getByRole('button', { name: `Remove: ${QUESTION}` }).click();
    await expect(panel.getByRole('listitem')).toHaveCount(1);
    await expect(page.locator('.layer:not(.leaving) .card')).toHaveCount(1);
    await notice(page).getByRole('button', { name: 'Undo' }).click();
    await expect(panel.getByRole('listitem')).toHaveCount(2);
    await drawn(page);

    // It is an address: it opens by itself, and goes back and forward.
    const address = page.url();
    await page.reload();
    await expect(heading(page)).toHaveText('Every morning');
    await drawn(page);
    await page.getByRole('link', { name: 'Start', exact: true }).click();
    await expect(heading(page)).toContainText('29 accepted');
    await page.goBack();
    await expect(heading(page)).toHaveText('Every morning');

    await page.getByRole('button', { name: /^Arrange/ }).click();
    await panel.getByRole('button', { name: 'Remove this board' }).click();
    await expect(heading(page)).toContainText('29 accepted');
    await expect(page.getByRole('link', { name: 'Every morning' })).toHaveCount(0);
    await notice(page).getByRole('button', { name: 'Undo' }).click();
    await expect(page).toHaveURL(address);
    await expect(heading(page)).toHaveText('Every morning');
    await drawn(page);
    expect(problems).toEqual([]);
  } finally {
    await server.stop();
  }
});

test('a board follows the record by itself', async ({ page }) => {
  test.setTimeout(120_000);
  const { problems } = watch(page);
  const record = await demoCopy();
  const server = await startServer({}, record.path);
  try {
    await askHere(page, server, QUESTION);
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await dialog(page).getByRole('textbox').fill('Morning');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Morning' }).click();
    await drawn(page);
    const board = page.locator('.layer:not(.leaving)');
    await expect(board).toContainText('415');
    const log = join(record.path, 'claude-progress.txt');
    const text = await readFile(log, 'utf8');
    await writeFile(log, text.replace('1 attempts, 415s)', '1 attempts, 500s)'));
    await expect(page.locator('.live-note')).toContainText('Updated', { timeout: 30_000 });
    await expect(board).toContainText('500');
    await drawn(page);
    expect(problems).toEqual([]);
  } finally {
    await server.stop();
    await record.done();
  }
});

for (const { name, width, colorScheme } of [
  { name: 'light', width: 1440, colorScheme: 'light' },
  { name: 'dark', width: 1440, colorScheme: 'dark' },
  { name: 'phone', width: 390, colorScheme: 'light' },
] as const) {
  test(`a board and its panel, ${name}`, async ({ page }, info) => {
    test.setTimeout(120_000);
    const server = await startServer();
    try {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await openStart(page, server.url);
      await page.getByRole('textbox').first().fill(QUESTION);
      await page.getByRole('textbox').first().press('Enter');
      await answered(page, QUESTION);
      for (const pin of [
        page.getByRole('button', { name: 'Pin', exact: true }),
        card(page, 'c1')
          .getByRole('button', { name: /^Pin this card/ })
          .first(),
      ]) {
        await pin.click();
        const known = dialog(page).getByRole('button', { name: /Morning/ });
        if ((await known.count()) > 0) {
          await page.screenshot({ path: info.outputPath(`dialog-${name}.png`) });
          await known.click();
        } else {
          await dialog(page).getByRole('textbox').fill('Morning');
          await page.keyboard.press('Enter');
        }
        await expect(notice(page)).toContainText('Pinned');
      }
      await page.getByRole('link', { name: 'Morning' }).click();
      await drawn(page);
      await page.getByRole('button', { name: /^Arrange/ }).click();
      await expect(page.getByRole('region', { name: 'Arrange this board' })).toBeVisible();
      await page.screenshot({ path: info.outputPath(`board-${name}.png`), fullPage: true });
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
      ).toBeLessThanOrEqual(0);
      expect(await violations(page)).toEqual([]);
    } finally {
      await server.stop();
    }
  });
}
