import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../shared/limits.ts';
import { Issues } from './issue.ts';
import { streamLines } from './stream-lines.ts';

async function read(chunks: readonly Uint8Array[], start = { offset: 0, no: 1 }) {
  const issues = new Issues();
  const source = async function* (): AsyncGenerator<Buffer> {
    for (const chunk of chunks) yield Buffer.from(chunk);
  };
  const lines = [];
  for await (const line of streamLines(source(), start, issues)) lines.push(line);
  return { lines, issues: issues.list() };
}
const bytes = (text: string): Buffer => Buffer.from(text);

describe('streamLines', () => {
  it('gives lines with number and place, whatever ends them', async () => {
    const { lines, issues } = await read([bytes('a\r\n\nbé\nlast')]);
    expect(lines).toEqual([
      { no: 1, text: 'a', offset: 0, ended: true },
      { no: 2, text: '', offset: 3, ended: true },
      { no: 3, text: 'bé', offset: 4, ended: true },
      { no: 4, text: 'last', offset: 8, ended: false },
    ]);
    expect(issues).toEqual([]);
  });

  it('goes on where it is told to', async () => {
    expect((await read([bytes('b\n')], { offset: 10, no: 5 })).lines).toEqual([
      { no: 5, text: 'b', offset: 10, ended: true },
    ]);
  });

  it('gives the same lines however the bytes arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', 'é', '𝄞', '\n', '\r\n', ' '), { maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        async (parts, size) => {
          const all = bytes(parts.join(''));
          const chunks: Buffer[] = [];
          for (let at = 0; at < all.length; at += size) chunks.push(all.subarray(at, at + size));
          const pieces = await read(chunks);
          expect(pieces).toEqual(await read([all]));
          for (const line of pieces.lines) {
            const end = all.indexOf(10, line.offset);
            const raw = all.subarray(line.offset, end === -1 ? all.length : end).toString('utf8');
            expect(raw.replace(/\r$/, '')).toBe(line.text);
          }
        },
      ),
    );
  });

  it('reports a line beyond the limit and keeps the numbers of the others', async () => {
    const long = Buffer.alloc(LIMITS.lineBytes + 1, 97);
    const { lines, issues } = await read([
      bytes('a\n'),
      long.subarray(0, 1000),
      long.subarray(1000),
      bytes('\nb\n'),
    ]);
    expect(lines.map(({ no, text, offset }) => [no, text, offset])).toEqual([
      [1, 'a', 0],
      [2, '', 2],
      [3, 'b', LIMITS.lineBytes + 4],
    ]);
    expect(issues.map(({ code, line }) => [code, line])).toEqual([['line_too_long', 2]]);
  });

  it('takes a byte-order mark off and reports bytes that are not UTF-8 once', async () => {
    const { lines, issues } = await read([
      Buffer.concat([
        Buffer.from([0xef, 0xbb, 0xbf]),
        bytes('a\n'),
        Buffer.from([0xff, 10, 0xfe, 10]),
        bytes('\uFFFD\n'),
      ]),
    ]);
    expect(lines.map(({ text }) => text)).toEqual(['a', '\uFFFD', '\uFFFD', '\uFFFD']);
    expect(issues.map(({ code, line }) => [code, line])).toEqual([
      ['byte_order_mark', 1],
      ['not_utf8', 2],
    ]);
  });
});
