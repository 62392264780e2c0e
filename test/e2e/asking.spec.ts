import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { answered, askBox, openStart, watch } from './page.ts';
import { type RunningServer, startServer } from './server.ts';

let server: RunningServer;
test.beforeAll(async () => {
  server = await startServer();
});
test.afterAll(() => server.stop());

/** What is wrong for people who do not see or point. */
const violations = async (page: Page): Promise<string[]> =>
  (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);

test('what may be meant is offered while somebody types, and the keyboard takes it', async ({ page }) => {
  const { problems } = watch(page);
  await openStart(page, server.url);
  await askBox(page).pressSequentially('skel');
  const list = page.getByRole('listbox', { name: 'Suggestions' });
  await expect(list.getByRole('option')).toHaveText([/What happened to feature 28\?Loading skeletons/]);
  expect(await violations(page)).toEqual([]);
  await askBox(page).press('Escape');
  await expect(list).toHaveCount(0);
  // Esc puts the list away and nothing else.
  await expect(askBox(page)).toHaveValue('skel');
  await askBox(page).press('e');
  await askBox(page).press('ArrowDown');
  await expect(list.getByRole('option', { selected: true })).toContainText('feature 28');
  await askBox(page).press('Enter');
  await answered(page, 'What happened to feature 28?');
  await expect(askBox(page)).toHaveValue('');
  expect(problems).toEqual([]);
});

test('the palette asks, opens and sets, by keyboard alone', async ({ page }) => {
  const { problems } = watch(page);
  await openStart(page, server.url);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Commands' });
  await expect(palette.getByRole('combobox')).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.type('features slowest');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(palette).toHaveCount(0);
  await answered(page, 'Which features were the slowest?');
  // The answer is in the palette from now on, and so is the way back.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('dark theme');
  await palette.getByRole('option', { name: 'Dark theme', exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Escape');
  await expect(palette).toHaveCount(0);
  await expect(page.locator('.verif')).toContainText('verified');
  expect(problems).toEqual([]);
});

test('what can be asked is listed, and a question of it is asked', async ({ page }) => {
  await openStart(page, server.url);
  await page.getByRole('button', { name: 'What can I ask?' }).click();
  const help = page.getByRole('dialog', { name: 'What can I ask?' });
  await expect(help.getByRole('heading', { name: 'Features', exact: true })).toBeVisible();
  await expect(help).toContainText('Median build time');
  expect(await violations(page)).toEqual([]);
  // This record has no gates, so nothing of them is offered.
  await expect(help.getByRole('heading', { name: 'Gate runs' })).toHaveCount(0);
  await help.getByRole('button', { name: 'Do the sources agree?' }).click();
  await answered(page, 'Do the sources agree?');
});
