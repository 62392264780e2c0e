import { expect, test } from '@playwright/test';
import { answer, type OpenAiServer, startOpenAiServer } from '../openai-server/index.ts';
import { answered, ask, card, openStart } from './page.ts';
import { type RunningServer, startServer } from './server.ts';

/** Every mark a card can end with, in shape and words, each on a case that calls for it; and what opens behind a figure. */

const fact = (name: string, measure: string, source = 'counted', scope: 'about' | 'run' = 'about') => ({
  name,
  kind: 'value',
  measure,
  source,
  by: null,
  scope,
  where: [],
});
const stat = (title: string, of: string) => ({
  type: 'stat',
  title,
  figures: [{ label: 'Counted', fact: of, compare_to: null, caption: null }],
  actions: [],
});
const note = (title: string, says: string) => ({
  type: 'note',
  title,
  body: [{ says, when: null }],
  actions: [],
});
const PLAN = JSON.stringify({
  about: { feature: '28', scope: [] },
  facts: [
    fact('built', 'build_time'),
    fact('tries', 'attempts'),
    fact('told', 'tokens'),
    fact('all', 'lines_added', 'counted', 'run'),
  ],
  premises: [],
  checks: [],
  explanation: [{ says: 'It was built in {built}.', when: null }],
  blocks: [
    stat('Build time', 'built'),
    stat('Attempts', 'tries'),
    stat('Tokens', 'told'),
    stat('Lines of all', 'all'),
    note('Put right', 'It took 999 s.'),
    note('Not borne out', 'It cost $77, and took {built}.'),
  ],
  followUps: ['which features were slowest?', 'how did the run go?', 'do the sources agree?'],
});

let model: OpenAiServer;
let server: RunningServer;
test.beforeAll(async () => {
  model = await startOpenAiServer(answer(PLAN));
  server = await startServer({
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: model.baseURL,
    OPENAI_MODEL: 'scripted-model',
  });
});
test.afterAll(async () => {
  await server.stop();
  await model.close();
});

test('each card says how sure it is, in a shape and in words', async ({ page }) => {
  await openStart(page, server.url);
  await ask(page, 'what is sure');
  await answered(page, 'what is sure');
  const words = [
    ['c0', /^verified/],
    ['c1', /^disputed/],
    ['c2', /^claimed only/],
    ['c3', /^incomplete: \d+ of \d+/],
    ['c4', /^corrected/],
    ['c5', /^unverified/],
  ] as const;
  for (const [id, word] of words) {
    const mark = card(page, id).locator('.mark').first();
    await expect(mark).toHaveText(word);
    await expect(mark.locator('svg.shape')).toHaveCount(1);
  }
  // Shapes differ, so that nothing is told by colour alone.
  const shapes = await Promise.all(
    ['c0', 'c1', 'c2', 'c3', 'c5'].map((id) => card(page, id).locator('.mark svg.shape').first().innerHTML()),
  );
  expect(new Set(shapes).size).toBe(5);
});

test('the line under the question says what was checked, on which record, how long it took, and what it changed', async ({
  page,
}) => {
  await openStart(page, server.url);
  await ask(page, 'what was checked');
  await answered(page, 'what was checked');
  const line = page.locator('.verif');
  await expect(line).toContainText('6 cards');
  await expect(line).toContainText(/\d+ figures verified against \d+ sources/);
  await expect(line).toContainText(/\d+ rows/);
  await expect(line).toContainText(/checked in [\d.]+ m?s, 1 card corrected by it/);
  await expect(line).toContainText(/record [\da-f]{12}/);
});

test('a disputed figure opens to every source side by side, and its rows are a file', async ({ page }) => {
  await openStart(page, server.url);
  await ask(page, 'who says how often');
  await answered(page, 'who says how often');
  await card(page, 'c1').locator('button.fig').first().click();
  const drawer = page.getByRole('dialog');
  await expect(drawer).toContainText('In words');
  await expect(drawer).toContainText('The attempts of feature 28');
  await expect(drawer).toContainText(/SELECT/);
  const rows = drawer.locator('table.rows tbody tr');
  expect(await rows.count()).toBeGreaterThanOrEqual(3);
  await expect(drawer.locator('table.rows tr.on')).toHaveCount(1);
  await expect(drawer.locator('table.rows')).toContainText('measured');
  await expect(drawer.locator('table.rows')).toContainText('claimed');
  await expect(drawer.locator('.raw li.h, .raw li.hc').first()).toBeVisible();
  expect(await drawer.locator('.raw li:not(.h):not(.hc)').count()).toBeGreaterThan(0);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    drawer.getByRole('link', { name: /rows as CSV/ }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^looplight-q[\da-f]+\.csv$/);
});
