import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { answered, ask, card, openStart, watch } from './page.ts';
import { type RunningServer, startServer } from './server.ts';

let server: RunningServer;
test.beforeAll(async () => {
  server = await startServer();
});
test.afterAll(() => server.stop());

test('a card is changed by hand: it alone is another, says what was changed, and is put back', async ({
  page,
}) => {
  const { problems } = watch(page);
  await openStart(page, server.url);
  await ask(page, 'which features were the slowest?');
  await answered(page, 'which features were the slowest?');
  const chart = card(page, 'c0');
  const other = card(page, 'c1');
  const before = await other.textContent();
  await expect(chart).toContainText('Loading skeletons');
  await chart.getByRole('button', { name: /^Change this card/ }).click();
  const controls = page.getByRole('region', { name: /^Change:/ });
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  await controls.getByLabel('By', { exact: true }).selectOption({ label: 'Category' });
  await expect(chart).toContainText('Changed here. By: Category, was Feature');
  await expect(chart).toContainText('scaffold');
  await expect(chart).not.toContainText('Loading skeletons');
  // Figures of the changed card are checked and open like any other.
  await expect(chart).not.toContainText('checking');
  expect(await other.textContent()).toBe(before);
  await page.keyboard.press('Escape');
  await chart.getByRole('button', { name: 'Put back' }).click();
  await expect(chart).toContainText('Loading skeletons');
  await expect(chart).not.toContainText('Changed here');
  expect(problems).toEqual([]);
});
