import { expect, test } from '@playwright/test';
import {
  answer,
  apiError,
  gate,
  gated,
  type OpenAiServer,
  startOpenAiServer,
} from '../openai-server/index.ts';
import { answered, ask, card, openStart, still, watch } from './page.ts';
import { startProxy } from './proxy.ts';
import { type RunningServer, startServer } from './server.ts';

const KEY = 'sk-planted-0123456789abcdefghijklmnop';

const fact = (name: string, measure: string, scope: 'about' | 'run' = 'about') => ({
  name,
  kind: 'value',
  measure,
  source: 'counted',
  by: null,
  scope,
  where: [],
});
const note = (title: string, says: string) => ({
  type: 'note',
  title,
  body: [{ says, when: null }],
  actions: [],
});
const slowest = {
  type: 'chart',
  title: 'Build time of the slowest features',
  measures: [{ measure: 'build_time', source: 'counted' }],
  by: 'feature',
  split: null,
  draw: 'bar',
  order: 'largest',
  size: 'few',
  scope: 'run',
  where: [],
  actions: [{ label: 'By category', request: 'build time by category' }],
};
const plan = (
  blocks: unknown[],
  facts = [fact('built', 'build_time'), fact('added', 'lines_added')],
): string =>
  JSON.stringify({
    about: { feature: '28', scope: [] },
    facts,
    premises: [],
    checks: [],
    explanation: [{ says: 'It was built in {built}.', when: null }],
    blocks,
    followUps: ['which features were slowest?', 'how did the run go?', 'do the sources agree?'],
  });

let model: OpenAiServer;
let server: RunningServer;
test.beforeAll(async () => {
  model = await startOpenAiServer(answer(plan([note('First', 'Built in {built}.')])));
  server = await startServer({
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: model.baseURL,
    OPENAI_MODEL: 'scripted-model',
  });
});
test.afterAll(async () => {
  await server.stop();
  await model.close();
});

/** The plan's text cut after the block with this title, so that a gate can stand there. */
function cutAfter(text: string, title: string): [string, string] {
  const at = text.indexOf('},{"type"', text.indexOf(`"title":"${title}"`)) + 1;
  return [text.slice(0, at), text.slice(at)];
}

test('cards stand while the model is still writing', async ({ page }) => {
  await openStart(page, server.url);
  const hold = gate();
  const [before, after] = cutAfter(plan([note('Early card', 'Built in {built}.'), slowest]), 'Early card');
  model.use(gated([before, hold, after]));
  await ask(page, 'tell me about twenty-eight');
  await hold.reached;
  await expect(card(page, 'c0')).toContainText('415');
  await expect(page.getByRole('button', { name: /Stop/ })).toBeVisible();
  await expect(page.locator('.slot, [data-card="c1"]').first()).toBeVisible();
  hold.open();
  await answered(page, 'tell me about twenty-eight');
  await expect(card(page, 'c1')).toContainText('Build time of the slowest features');
});

test('a wrong figure is put right by the final version, and the other cards are left alone', async ({
  page,
}) => {
  await openStart(page, server.url);
  const hold = gate();
  const text = plan(
    [note('What is right', 'It took {built}.'), note('What is wrong', 'It took 999 s.'), slowest],
    [fact('built', 'build_time')],
  );
  const [before, after] = cutAfter(text, 'What is wrong');
  model.use(gated([before, hold, after]));
  await ask(page, 'how long did it take');
  await hold.reached;
  await expect(card(page, 'c1')).toContainText('999');
  await expect(card(page, 'c0')).toContainText('415');
  // A card that is drawn again changes its DOM: the observer sees it.
  await card(page, 'c0')
    .locator('.prose')
    .evaluate((element) => {
      element.setAttribute('data-kept', 'yes');
    });
  hold.open();
  await answered(page, 'how long did it take');
  await expect(card(page, 'c1').locator('.prose')).not.toContainText('999');
  await expect(card(page, 'c1').locator('.prose')).toContainText('415');
  await expect(card(page, 'c1')).toContainText('corrected');
  await expect(card(page, 'c0').locator('[data-kept="yes"]')).toBeVisible();
  await expect(page.locator('.verif')).toContainText('corrected');
});

test('stop keeps what is there and cancels the model', async ({ page }) => {
  await openStart(page, server.url);
  const hold = gate();
  const [before, after] = cutAfter(plan([note('Kept card', 'Built in {built}.'), slowest]), 'Kept card');
  model.use(gated([before, hold, after]));
  await ask(page, 'something to be stopped');
  await hold.reached;
  await expect(card(page, 'c0')).toContainText('415');
  const asked = model.requests.at(-1);
  await page.keyboard.press('Escape');
  await expect(page.locator('.verif')).toContainText('Stopped');
  await expect(card(page, 'c0')).toContainText('415');
  expect(await asked?.closed).toBe(true);
  hold.open();
});

test('a broken connection resumes to the same page', async ({ page }) => {
  const line = await startProxy(server.url);
  const behind = await startServer({
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: model.baseURL,
    LOOPLIGHT_HOSTS: new URL(line.url).host,
  });
  line.to(behind.url);
  try {
    await openStart(page, line.url);
    const hold = gate();
    const [before, after] = cutAfter(
      plan([note('Before the break', 'Built in {built}.'), slowest]),
      'Before the break',
    );
    model.use(gated([before, hold, after]));
    await ask(page, 'a question that is cut');
    await hold.reached;
    await expect(card(page, 'c0')).toContainText('415');
    line.cut();
    hold.open();
    await expect(page.locator('.verif')).toContainText('2 cards', { timeout: 20_000 });
    await expect(page.locator('.verif')).toContainText('verified');
    await expect(card(page, 'c0')).toContainText('415');
    await expect(card(page, 'c1')).toContainText('Build time of the slowest features');
  } finally {
    await line.close();
    await behind.stop();
  }
});

test('failures of the model are cards with a code, and the key stays out of page and log', async ({
  page,
}) => {
  await openStart(page, server.url);
  model.use(apiError(401, { message: `Incorrect API key provided: ${KEY}` }));
  await ask(page, 'what happens without a key');
  await answered(page, 'what happens without a key');
  await expect(page.locator('.card-note').last()).toContainText('did not accept the key');
  await expect(page.locator('[data-card]').last()).toContainText('Answered by the built-in planner');
  expect(await page.content()).not.toContain(KEY);
  expect(server.log()).not.toContain(KEY);
  expect(server.log()).not.toContain(KEY.slice(3));
});

test('hostile words of a model are words', async ({ page }) => {
  const { problems } = watch(page);
  await openStart(page, server.url);
  const hostile =
    '<img src=x onerror=alert(1)> [click](javascript:alert(1)) ![p](http://example.com/p.png) <script>alert(1)</script>';
  model.use(
    answer(
      plan([
        {
          ...note(hostile, `${hostile} {built}`),
          actions: [{ label: '<b>go</b>', request: 'javascript:alert(1)' }],
        },
        { ...slowest, title: 'x'.repeat(50_000).slice(0, 30_000) },
        { type: 'EvilComponent', title: 'no such card' },
        { ...slowest, by: '__proto__', title: 'proto' },
      ]),
    ),
  );
  await ask(page, 'something hostile');
  await answered(page, 'something hostile');
  await expect(page.getByText('<img src=x', { exact: false }).first()).toBeVisible();
  expect(await page.locator('.canvas img, .canvas script, .canvas a[href^="javascript"]').count()).toBe(0);
  await still(page);
  expect(problems).toEqual([]);
});
