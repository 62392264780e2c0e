import { afterEach, describe, expect, it } from 'vitest';
import { answer, gate, gated, type OpenAiServer, pieces, reset, startOpenAiServer } from './index.ts';

let server: OpenAiServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});
const post = (at: OpenAiServer, body: unknown = {}): Promise<Response> =>
  fetch(`${at.baseURL}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'x-test': 'yes' },
  });

describe('the scripted model server', () => {
  it('streams chunks in the form of the API: role first, usage and [DONE] last', async () => {
    server = await startOpenAiServer(answer('{"ä":"😀"}', { size: 4 }));
    const response = await post(server, { model: 'm' });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const lines = (await response.text()).split('\n\n').filter((line) => line !== '');
    expect(lines.at(-1)).toBe('data: [DONE]');
    const events = lines.slice(0, -1).map((line): unknown => JSON.parse(line.replace(/^data: /, '')));
    expect(events[0]).toMatchObject({ choices: [{ delta: { role: 'assistant' } }] });
    expect(events.slice(1, -2)).toMatchObject(
      pieces('{"ä":"😀"}', 4).map((content) => ({ choices: [{ delta: { content }, finish_reason: null }] })),
    );
    expect(events.at(-2)).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
    expect(events.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 1140 } });
    expect(server.requests).toMatchObject([
      { method: 'POST', body: { model: 'm' }, headers: { 'x-test': 'yes' } },
    ]);
    expect(await server.requests[0]?.closed).toBe(false);
  });

  it('cuts through characters and lines', async () => {
    server = await startOpenAiServer(answer('😀😀😀', { tcpBytes: 1, newline: '\r\n' }));
    const response = await post(server);
    const sizes: number[] = [];
    const bytes: Uint8Array[] = [];
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      sizes.push(part.value.length);
      bytes.push(part.value);
    }
    expect(Math.max(...sizes)).toBeLessThan(50);
    const text = Buffer.concat(bytes).toString('utf8');
    expect(text).toContain('😀');
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it('waits at a gate, and plays replies in order with the last one again and again', async () => {
    const held = gate();
    server = await startOpenAiServer([gated(['one', held, 'two']), answer('three')]);
    const response = await post(server);
    await held.reached;
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    while (!seen.includes('one')) seen += (await reader?.read())?.value ?? '';
    expect(seen).not.toContain('two');
    held.open();
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
      seen += part.value;
    expect(seen).toContain('two');
    expect(await (await post(server)).text()).toContain('three');
    expect(await (await post(server)).text()).toContain('three');
    server.use((request, index) => answer(`${index} ${JSON.stringify(request.body)}`));
    expect(await (await post(server, 7)).text()).toContain('0 7');
  });

  it('resets, knows when a client leaves, and answers nothing else', async () => {
    server = await startOpenAiServer([reset(), gated([gate()])]);
    await expect(post(server)).rejects.toThrow();
    const leave = new AbortController();
    await fetch(`${server.baseURL}/chat/completions`, { method: 'POST', body: '{}', signal: leave.signal });
    leave.abort();
    expect(await server.requests[1]?.closed).toBe(true);
    expect((await fetch(`${server.baseURL}/models`)).status).toBe(404);
  });
});
