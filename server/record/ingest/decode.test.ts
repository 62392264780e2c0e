import { describe, expect, it } from 'vitest';
import { readFeatureList } from './agentforge/feature-list.ts';
import { readGitLog } from './agentforge/test-readings.ts';
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

  it('leaves direction characters out, marks control characters, and keeps lines and tabs', () => {
    const written = 'a\u202eb\u2066c\u200ed\u200fe\u061cf\n\u0000g\th\u001b\u007f\u0085\r\n\u2069i — é';
    expect(read(Buffer.from(written)).text).toBe('abcdef\n\ufffdg\th\ufffd\ufffd\ufffd\r\ni — é');
    const subject = 'a\u202eb\u001bc';
    const log = JSON.stringify({ sha: 'a'.repeat(40), committed_at: '2026-01-02T10:00:00Z', subject });
    expect(readGitLog(log).commits[0]?.subject).toBe('ab\ufffdc');
    const list = JSON.stringify([{ id: 1, category: 'c', description: subject, passes: true }]);
    expect(readFeatureList(list.replace('\u202e', '\\u202e')).entries[0]?.description).toBe('ab\ufffdc');
  });
});
