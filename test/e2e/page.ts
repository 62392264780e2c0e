import { expect, type Locator, type Page } from '@playwright/test';

/** What a person sees and does, named once for all browser tests. */

export const QUESTION = 'why did feature 28 take three attempts?';

/** Collects what a person would never see but must not happen: page errors, console errors, requests to other hosts, dialogs. */
export function watch(page: Page): { problems: string[] } {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.hostname !== '127.0.0.1')
      problems.push(`request: ${url.host}`);
  });
  return { problems };
}

export const askBox = (page: Page): Locator => page.getByRole('textbox', { name: 'Ask about this run' });

/** Opens the starting view and waits until it has been checked. */
export async function openStart(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(page.locator('.verif')).toContainText('verified', { timeout: 15_000 });
}

export async function ask(page: Page, question: string): Promise<void> {
  await askBox(page).fill(question);
  await askBox(page).press('Enter');
}

/** A card by its id on the surface (`premise`, `c0`, …) of the answer that is shown. */
export const card = (page: Page, id: string): Locator => page.locator(`[data-card="${id}"]`).last();

/** Waits for the end of the answer to this question and its check. */
export async function answered(page: Page, question: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toContainText(question, { timeout: 15_000 });
  await expect(page.locator('.verif:not(.live)')).toBeVisible({ timeout: 20_000 });
  await expect(page.locator('.verif')).toContainText(/card/);
}

/** Waits until letters are there and nothing moves that comes to an end. */
export async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    const moving = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(moving.map(({ finished }) => finished));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}
