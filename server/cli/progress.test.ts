import { PassThrough } from 'node:stream';
import { WriteStream } from 'node:tty';
import { expect, it } from 'vitest';
import { createProgress } from './progress.ts';

const at = (bytes: number, path = 'a.log') => ({ bytes, totalBytes: 100, path });

it('is a line a project where there is no terminal', () => {
  const parts: string[] = [];
  const view = createProgress({ write: (part) => parts.push(part) });
  view.at('one', at(1));
  view.at('one', at(50));
  view.at('two\u001b[2J', at(1));
  view.end();
  expect(parts.join('')).toBe('Reading one\nReading two?[2J\n');
});

it('is a bar on a terminal, and leaves nothing of it behind', () => {
  const out = new PassThrough();
  let text = '';
  out.on('data', (part: Buffer) => {
    text += part.toString('utf8');
  });
  const terminal = Object.assign(out, {
    isTTY: true,
    columns: 120,
    cursorTo: WriteStream.prototype.cursorTo,
    clearLine: WriteStream.prototype.clearLine,
    moveCursor: WriteStream.prototype.moveCursor,
  });
  const view = createProgress(terminal);
  view.at('one', at(0));
  view.at('one', at(100, `a\u001b[31m${'x'.repeat(100)}.log`));
  view.at('two', at(10));
  view.end();
  view.end();
  expect(text).toContain('Reading one');
  expect(text).toContain('100 %');
  expect(text).toContain('Reading two');
  expect(text).not.toContain('\u001b[31m');
});
