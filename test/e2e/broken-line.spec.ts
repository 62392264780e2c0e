import { expect, type Page, test } from '@playwright/test';
import { answered, ask, openStart, QUESTION } from './page.ts';
import { startProxy } from './proxy.ts';
import { startServer } from './server.ts';

/** What a person reads on the canvas, and the number of the answer's events. */
async function readPage(page: Page): Promise<string[]> {
  return page.locator('.layer:not(.leaving) .card').allInnerTexts();
}

test('an answer whose line breaks at any of its events ends as the same page', async ({ page }) => {
  test.setTimeout(300_000);
  const proxy = await startProxy('http://127.0.0.1:1');
  const server = await startServer({ LOOPLIGHT_HOSTS: new URL(proxy.url).host });
  proxy.to(server.url);
  // What moves on the page takes time and proves nothing here.
  await page.emulateMedia({ reducedMotion: 'reduce' });
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

    /** How each broken line was taken up: from which event, or asked once more where nothing of it had arrived. */
    const seen: { n: number; from: number }[] = [];
    let broken = 0;
    let asked = 0;
    page.on('request', (request) => {
      const path = new URL(request.url()).pathname;
      if (path === '/api/ask') asked += 1;
      else if (!/^\/api\/answers\/[^/]+\/events$/.test(path)) return;
      if (path !== '/api/ask' || asked > 1)
        seen.push({ n: broken, from: Number(request.headers()['last-event-id'] ?? 0) });
    });
    for (let n = 1; n < events; n += 1) {
      broken = n;
      asked = 0;
      proxy.cutAfter(n);
      const before = page.url();
      await ask(page, QUESTION);
      await page.waitForFunction(
        ({ address, question }) =>
          location.href !== address &&
          document.querySelector('h1')?.textContent?.includes(question) &&
          document.querySelector('.verif:not(.live)')?.textContent?.includes('verified'),
        { address: before, question: QUESTION },
        { timeout: 30_000 },
      );
      expect([n, await readPage(page)]).toEqual([n, whole]);
    }
    // A browser on a busy machine may lose what it has not handed on when the line breaks: then it goes on from before that.
    expect(seen.every(({ from, n }) => from <= n)).toBe(true);
    expect(seen.filter(({ from, n }) => from === n).length).toBeGreaterThan(events / 2);
    expect(seen.map(({ n }) => n)).toEqual(Array.from({ length: events - 1 }, (_, at) => at + 1));
  } finally {
    await proxy.close();
    await server.stop();
  }
});
