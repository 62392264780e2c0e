import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import {
  answer,
  finishing,
  gate,
  gated,
  type OpenAiServer,
  startOpenAiServer,
} from '../openai-server/index.ts';
import { answered, ask, card, openStart } from './page.ts';
import { demoCopy, type RunningServer, startServer } from './server.ts';

/** A model that lies in every way there is: whatever it streams, no wrong figure stands unmarked in the final version. */

const fact = (name: string, measure: string, scope: 'about' | 'run' = 'about') => ({
  name,
  kind: 'value',
  measure,
  source: 'counted',
  by: null,
  scope,
  where: [],
});
const note = (title: string, ...says: string[]) => ({
  type: 'note',
  title,
  body: says.map((one) => ({ says: one, when: null })),
  actions: [],
});
const stat = (title: string, label: string, caption: string, actions: unknown[] = []) => ({
  type: 'stat',
  title,
  figures: [{ label, fact: 'built', compare_to: null, caption }],
  actions,
});
const plan = (blocks: unknown[], more: Record<string, unknown> = {}) => ({
  about: { feature: '28', scope: [] },
  facts: [fact('built', 'build_time'), fact('tries', 'attempts'), fact('added', 'lines_added')],
  premises: [],
  checks: [],
  explanation: [{ says: 'It was built in {built}.', when: null }],
  blocks,
  followUps: ['which features were slowest?', 'how did the run go?', 'do the sources agree?'],
  ...more,
});
const text = (value: unknown): string => JSON.stringify(value);

let model: OpenAiServer;
let server: RunningServer;
test.beforeAll(async () => {
  model = await startOpenAiServer(answer(text(plan([note('First', 'Built in {built}.')]))));
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

/** Text of the page that carries no mark: what a reader would take for true. */
const unmarked = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const copy = document.body.cloneNode(true);
    if (!(copy instanceof HTMLElement)) return '';
    // The question is the person's own; a number marked as unverified says so, and the reason of a mark names it.
    const said = 'h1, textarea, script, style, noscript, .verif, .mark, .typed-unverified';
    for (const element of copy.querySelectorAll(said)) element.remove();
    return (copy.textContent ?? '').replace(/[\w.,$€-]+(?: \p{L}+)? \(unverified\)/gu, '');
  });

/** Waits for the final version of the answer to this question. */
async function final(page: Page, question: string): Promise<void> {
  await answered(page, question);
  await expect(page.locator('.typed-unchecked')).toHaveCount(0);
  await expect(page.locator('.mark', { hasText: /^checking/ })).toHaveCount(0);
}

test('figures typed in prose are replaced by the facts they stand for, or marked in shape and words', async ({
  page,
}) => {
  await openStart(page, server.url);
  model.use(
    answer(
      text(
        plan([
          note('Replaced', 'It took th**ree** attempts.', 'Es dauerte 4**9**9 Sekunden.'),
          note('Marked', 'It cost $77, dozens of files and 45k tokens.', 'It was half again as long.'),
          note('Kept', 'It took about 7 minutes, on the first try.'),
        ]),
      ),
    ),
  );
  const question = 'what does a liar say of twenty-eight';
  await ask(page, question);
  await final(page, question);
  const replaced = card(page, 'c0').locator('.prose');
  await expect(replaced).not.toContainText('three');
  await expect(replaced).not.toContainText('499');
  await expect(replaced).toContainText('1 attempt');
  await expect(replaced).toContainText('415');
  await expect(card(page, 'c0').locator('.mark').first()).toContainText('corrected');
  const marked = card(page, 'c1').locator('.typed-unverified');
  await expect(marked).toHaveCount(4);
  for (const one of await marked.all()) {
    await expect(one.locator('svg')).toHaveCount(1);
    await expect(one).toContainText('unverified');
  }
  await expect(card(page, 'c1').locator('.mark').first()).toContainText('unverified');
  await expect(card(page, 'c2').locator('.typed-unverified')).toHaveCount(0);
  await expect(card(page, 'c2').locator('.mark').first()).toContainText('verified');
  const rest = await unmarked(page);
  for (const lie of ['three', '499', '$77', 'dozens', '45k', 'half again']) expect(rest).not.toContain(lie);
});

test('titles, labels, captions, buttons and follow-ups are checked alike', async ({ page }) => {
  await openStart(page, server.url);
  const button = (label: string, request: string) => ({ label, request });
  model.use(
    answer(
      text(
        plan(
          [
            stat('Built in 9999 s', 'Seventy-seven tries', 'after 6677 commits', [
              button('Why 8899 attempts?', 'why did it take 8899 attempts?'),
              button('All of the slowest', 'which features were the slowest?'),
            ]),
            note('Twelve files of 4321 lines', 'Built in {built}.'),
          ],
          { followUps: ['why did it fail 5566 times?', 'how did the run go?'] },
        ),
      ),
    ),
  );
  const question = 'what is on the labels';
  await ask(page, question);
  await final(page, question);
  const rest = await unmarked(page);
  for (const lie of ['9999', 'Seventy-seven', '6677', '8899', '5566', 'Twelve', '4321'])
    expect(rest).not.toContain(lie);
  await expect(card(page, 'c0')).toContainText('415');
  await expect(card(page, 'c0').getByRole('button', { name: 'All of the slowest' })).toBeVisible();
  await expect(page.getByText('how did the run go?').first()).toBeVisible();
});

test('rows that do not exist are not cited', async ({ page }) => {
  await openStart(page, server.url);
  model.use(
    answer(
      text(
        plan([
          note(
            'Sources',
            'It passed at once [E999].',
            'It is said: {quote:E77}.',
            'See {feature:999}.',
            'Built in {built}.',
          ),
          { type: 'attempts', title: 'Of nothing', feature: '999', actions: [] },
        ]),
      ),
    ),
  );
  const question = 'who says so';
  await ask(page, question);
  await final(page, question);
  await expect(card(page, 'c0')).toContainText('415');
  const all = await unmarked(page);
  for (const lie of ['E999', 'E77', 'passed at once', 'It is said']) expect(all).not.toContain(lie);
});

test('a model that ends with another plan than it began with is not followed', async ({ page }) => {
  await openStart(page, server.url);
  const first = text(plan([note('As it began', 'Built in {built}.')]));
  const second = text(plan([note('As it ended', 'It took 999 s.')]));
  const hold = gate();
  model.use(gated([first, hold, `\n\nOn reflection:\n${second}`]));
  const question = 'what is it to be';
  await ask(page, question);
  await hold.reached;
  await expect(card(page, 'c0')).toContainText('415');
  hold.open();
  await final(page, question);
  await expect(card(page, 'c0')).toContainText('As it began');
  const rest = await unmarked(page);
  expect(rest).not.toContain('999');
  expect(rest).not.toContain('As it ended');
});

test('a block that is written twice, or taken back, shows no wrong figure', async ({ page }) => {
  await openStart(page, server.url);
  const whole = text(
    plan([
      note('The time', 'It took {built}.'),
      note('The time', 'It took 999 s.'),
      note('The time', 'It took {built}.'),
    ]),
  );
  const again = text([note('The time', 'It took 888 s.')]);
  model.use(answer(`${whole.slice(0, -1)},"blocks":${again}}`));
  const question = 'say it twice';
  await ask(page, question);
  await final(page, question);
  await expect(page.locator('[data-card]').first()).toContainText('415');
  const rest = await unmarked(page);
  expect(rest).not.toContain('999');
  expect(rest).not.toContain('888');
});

test('a block with its own parts written twice is left out or checked', async ({ page }) => {
  await openStart(page, server.url);
  const whole = text(plan([note('Right', 'It took {built}.'), note('Torn', 'It took {built}.')]));
  const at = whole.lastIndexOf('"body":');
  const torn = `${whole.slice(0, at)}"body":[{"says":"It took 777 s.","when":null}],${whole.slice(at)}`;
  model.use(answer(torn));
  const question = 'tear it apart';
  await ask(page, question);
  await final(page, question);
  await expect(card(page, 'c0')).toContainText('415');
  expect(await unmarked(page)).not.toContain('777');
});

test('a model that ends early leaves nothing wrong behind', async ({ page }) => {
  await openStart(page, server.url);
  const whole = text(
    plan([
      stat('Built in 9999 s', 'Build time', 'in 6677 commits'),
      note('Lies', 'It took three attempts and 999 s, says {built}.'),
      note('Never closed', 'It took {built}.'),
    ]),
  );
  model.use(finishing(whole.slice(0, whole.indexOf('Never closed') + 6), 'length'));
  const question = 'and then';
  await ask(page, question);
  await final(page, question);
  await expect(card(page, 'c1')).toContainText('415');
  await expect(card(page, 'c1').locator('.mark').first()).toContainText('unverified');
  const rest = await unmarked(page);
  for (const lie of ['9999', '6677', 'three', '999']) expect(rest).not.toContain(lie);
  await expect(page.locator('.verif')).not.toContainText(/\d figures? verified/);
});

test('a source that is edited during an answer: the final version says what it holds now', async ({
  page,
}) => {
  const copy = await demoCopy();
  const own = await startServer(
    { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: model.baseURL, OPENAI_MODEL: 'scripted-model' },
    copy.path,
  );
  try {
    await openStart(page, own.url);
    const whole = text(
      plan([note('Before', 'It added {added}.'), note('After', 'It was built in {built}.')]),
    );
    const at = whole.indexOf('},{"type"', whole.indexOf('"title":"Before"')) + 1;
    const hold = gate();
    model.use(gated([whole.slice(0, at), hold, whole.slice(at)]));
    const question = 'does it hold still';
    await ask(page, question);
    await hold.reached;
    const before = await card(page, 'c0').locator('.prose .fig').textContent();
    const path = join(copy.path, 'git-log.jsonl');
    const lines = (await readFile(path, 'utf8')).split('\n');
    const edited = lines.map((line) =>
      line.replace(/"insertions":\s?(\d+)/g, (_, n) => `"insertions": ${Number(n) + 1_000}`),
    );
    expect(edited).not.toEqual(lines);
    await writeFile(path, edited.join('\n'));
    hold.open();
    await final(page, question);
    await expect(card(page, 'c0').locator('.prose .fig')).not.toHaveText(before ?? '');
    await expect(card(page, 'c0').locator('.mark').first()).toContainText('corrected');
    await expect(page.locator('.verif')).toContainText('corrected');
  } finally {
    await own.stop();
    await copy.done();
  }
});
