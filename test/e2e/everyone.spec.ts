import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { answered, ask, openStart, QUESTION, watch } from './page.ts';
import { type RunningServer, startServer } from './server.ts';

let server: RunningServer;
test.beforeAll(async () => {
  server = await startServer();
});
test.afterAll(() => server.stop());

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no accessibility violation, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await openStart(page, server.url);
    expect(
      (await new AxeBuilder({ page }).analyze()).violations.map((v) => `${v.id}: ${v.nodes[0]?.html}`),
    ).toEqual([]);
    await ask(page, QUESTION);
    await answered(page, QUESTION);
    expect(
      (await new AxeBuilder({ page }).analyze()).violations.map((v) => `${v.id}: ${v.nodes[0]?.html}`),
    ).toEqual([]);
  });
}

for (const width of [360, 390, 768, 1024, 1440]) {
  test(`no sideways scrolling at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await openStart(page, server.url);
    const wider = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(await wider()).toBeLessThanOrEqual(0);
    await page.goto(`${server.url}/`);
    await page.getByRole('textbox').first().fill(QUESTION);
    await page.getByRole('textbox').first().press('Enter');
    await answered(page, QUESTION);
    expect(await wider()).toBeLessThanOrEqual(0);
  });
}

test('the page may run nothing and load nothing from elsewhere', async ({ page }) => {
  const { problems } = watch(page);
  const response = await page.goto(server.url);
  const policy = response?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  await openStart(page, server.url);
  expect(problems).toEqual([]);
});
