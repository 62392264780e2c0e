import { describe, expect, it } from 'vitest';
import { decode } from './decode.ts';
import { Issues } from './issue.ts';

const read = (bytes: Uint8Array): { text: string; codes: string[]; line: number | null | undefined } => {
  const issues = new Issues();
  const text = decode(bytes, issues);
  const list = issues.list();
  return { text, codes: list.map((issue) => issue.code), line: list[0]?.line };
};

describe('decode', () => {
  it('reads UTF-8 without a word', () => {
    expect(read(Buffer.from('a — é\n'))).toEqual({ text: 'a — é\n', codes: [], line: undefined });
  });

  it('takes a byte-order mark off and says so', () => {
    expect(read(Buffer.from('\uFEFF{}'))).toMatchObject({ text: '{}', codes: ['byte_order_mark'] });
  });

  it('shows bytes that are not UTF-8 as such, with their line', () => {
    expect(read(Buffer.from([0x61, 0x0a, 0x62, 0xff, 0x0a]))).toEqual({
      text: 'a\nb\uFFFD\n',
      codes: ['not_utf8'],
      line: 2,
    });
  });

  it('converts UTF-16', () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('{"a": 1}', 'utf16le')]);
    expect(read(bytes)).toMatchObject({ text: '{"a": 1}', codes: ['not_utf8'] });
  });
});
