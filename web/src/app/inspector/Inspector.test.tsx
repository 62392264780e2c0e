// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import Inspector from './Inspector.tsx';
import { trace } from './test-trace.ts';

const file = JSON.stringify({
  format: 'looplight-answer',
  version: 1,
  trace,
  frames: trace.frames.map(({ id, event, ms }) => ({ id, event, ms, data: { said: `data of ${id}` } })),
});

let asked: string[];
let answers: Map<string, string>;
const settle = () => act(() => new Promise<void>((resolve) => setTimeout(resolve, 20)));

beforeEach(() => {
  asked = [];
  answers = new Map([
    ['/api/answers/A1/trace', JSON.stringify(trace)],
    ['/api/answers/A1/file', file],
  ]);
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    const body = answers.get(url);
    return new Response(body ?? '{"code":"not_found"}', { status: body === undefined ? 404 : 200 });
  });
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener() {},
    removeEventListener() {},
  }));
  HTMLDialogElement.prototype.show = function show() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('shows every part of the way, the plan as text only', async () => {
  render(<Inspector answerId="A1" onClose={() => undefined} />);
  await settle();
  const drawer = within(screen.getByRole('dialog', { name: 'How this answer was made' }));
  for (const name of [/^Timeline/, /^Plan, as Built-in planner wrote it/, /^What was trimmed/, /^Messages/])
    expect(drawer.getByRole('heading', { name })).toBeTruthy();
  expect(drawer.getByText('2 cards in 100 ms, the first after 16 ms')).toBeTruthy();
  expect(drawer.getByText(/<img src=x>/)).toBeTruthy();
  expect(document.querySelector('img')).toBeNull();
  expect(drawer.getByText('type: hologram')).toBeTruthy();
  expect(drawer.getByText('3 s was shown; it is 4 s')).toBeTruthy();
  fireEvent.click(drawer.getByRole('button', { name: 'Show as a table' }));
  expect(drawer.getByRole('cell', { name: 'draft to ready in 30 ms' })).toBeTruthy();
});

it('opens a message to its content, which is fetched once', async () => {
  render(<Inspector answerId="A1" onClose={() => undefined} />);
  await settle();
  expect(asked).toEqual(['/api/answers/A1/trace']);
  for (const details of document.querySelectorAll('details')) {
    details.open = true;
    fireEvent(details, new Event('toggle'));
  }
  await settle();
  expect(screen.getByText(/data of 2/)).toBeTruthy();
  expect(asked.filter((url) => url.endsWith('/file'))).toHaveLength(1);
});

it('saves the file as the server gave it', async () => {
  const blobs: Blob[] = [];
  vi.stubGlobal('URL', {
    createObjectURL: (blob: Blob) => {
      blobs.push(blob);
      return 'blob:x';
    },
    revokeObjectURL: () => undefined,
  });
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    names.push(this.download);
  });
  render(<Inspector answerId="A1" onClose={() => undefined} />);
  await settle();
  fireEvent.click(screen.getByRole('button', { name: 'Save as a file' }));
  await settle();
  expect(names).toEqual(['looplight-answer-A1.json']);
  expect(blobs[0]?.size).toBe(new Blob([file]).size);
});

it('says when the way is not kept any more', async () => {
  answers.clear();
  render(<Inspector answerId="A1" onClose={() => undefined} />);
  await settle();
  expect(screen.getByText(/not kept any more/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Save as a file' })).toBeNull();
});
