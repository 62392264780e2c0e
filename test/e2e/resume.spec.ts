import { expect, type Page, test } from '@playwright/test';
import { answered, ask, openStart, QUESTION } from './page.ts';
import { startProxy } from './proxy.ts';
import { startServer } from './server.ts';

/** What a person reads on the canvas, and the number of the answer's events. */
async function readPage(page: Page): Promise<string[]> {
  return page.locator('.layer:not(.leaving) .card').allInnerTexts();
}

test('an answer whose line breaks at any of its events ends as the same page', async ({ page }) => {
  test.setTimeout(600_000);
  const proxy = await startProxy('http://127.0.0.1:1');
  const server = await startServer({ LOOPLIGHT_HOSTS: new URL(proxy.url).host });
  proxy.to(server.url);
  try {
    await openStart(page, proxy.url);
    await ask(page, QUESTION);
    await answered(page, QUESTION);
    // The second time the plan is a kept one, as it is each time after that.
    await ask(page, QUESTION);
    await answered(page, QUESTION);
    await expect(page.locator('.since')).toContainText('Asked');
    const whole = await readPage(page);
    expect(whole.length).toBeGreaterThan(3);
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const events = await page.evaluate(async (answer) => {
      const text = await (await fetch(`/api/answers/${answer}/events`)).text();
      return text.split('\nevent: ').length - 1;
    }, id);
    expect(events).toBeGreaterThan(10);

    const seen: { n: number; from: number }[] = [];
    let broken = 0;
    page.on('request', (request) => {
      const from = request.headers()['last-event-id'];
      if (from !== undefined) seen.push({ n: broken, from: Number(from) });
    });
    for (let n = 1; n < events; n += 1) {
      broken = n;
      proxy.cutAfter(n);
      const before = page.url();
      await ask(page, QUESTION);
      await expect(page).not.toHaveURL(before);
      await answered(page, QUESTION);
      await expect(page.locator('.verif')).toContainText('verified');
      expect([n, await readPage(page)]).toEqual([n, whole]);
    }
    // A browser on a busy machine may lose what it has not handed on when the line breaks: then it goes on from before that.
    expect(seen.every(({ from, n }) => from >= 1 && from <= n)).toBe(true);
    expect(seen.filter(({ from, n }) => from === n).length).toBeGreaterThan(events / 2);
    expect(seen).toHaveLength(events - 1);
  } finally {
    await proxy.close();
    await server.stop();
  }
});
