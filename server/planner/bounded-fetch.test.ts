import { afterEach, expect, it, vi } from 'vitest';
import { LIMITS } from '../../shared/limits.ts';
import { boundedFetch, ResponseTooLarge } from './bounded-fetch.ts';

/** A body of these pieces, in place of the network. */
function answering(pieces: readonly string[]): void {
  vi.stubGlobal(
    'fetch',
    async () =>
      new Response(
        new ReadableStream<Uint8Array>({
          start(controller) {
            for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
            controller.close();
          },
        }),
      ),
  );
}

afterEach(() => vi.unstubAllGlobals());

it('reads an answer of many lines, however long in all', async () => {
  const line = `data: ${'x'.repeat(1_000)}\n\n`;
  answering(Array.from({ length: 2_000 }, () => line));
  expect((await (await boundedFetch('http://127.0.0.1/')).text()).length).toBe(2_000 * line.length);
});

it('gives up on one line that does not end', async () => {
  const piece = 'x'.repeat(64 * 1024);
  answering(Array.from({ length: LIMITS.modelLineBytes / piece.length + 1 }, () => piece));
  await expect((await boundedFetch('http://127.0.0.1/')).text()).rejects.toThrow(ResponseTooLarge);
});
