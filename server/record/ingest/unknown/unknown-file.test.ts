import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../../shared/limits.ts';
import { readWith } from '../test-adapter.ts';
import { UNKNOWN } from './index.ts';

const [unknown] = UNKNOWN;
const read = (files: Record<string, string | Uint8Array>) => {
  if (!unknown) throw new Error('there is an adapter for unknown files');
  return readWith(unknown, files);
};

describe('files of no known kind', () => {
  it('keeps lines as they stand, with the times they give, and counts them as not understood', async () => {
    const got = await read({
      '.ralph/odd.jsonl': '{"ts":"2026-02-01T10:00:00Z","colour":"red"}\n\n{"colour":"blue"}\n',
      '.testmuai/some.log': '[2026-02-01T10:00:00.123Z] hello\nworld\n',
    });
    expect(got.rows('log_events').map((row) => [row.kind, row.message, row.at_ms, row.source_line])).toEqual([
      ['raw', '{"ts":"2026-02-01T10:00:00Z","colour":"red"}', Date.UTC(2026, 1, 1, 10), 1],
      ['raw', '{"colour":"blue"}', null, 3],
      ['raw', '[2026-02-01T10:00:00.123Z] hello', Date.UTC(2026, 1, 1, 10, 0, 0, 123), 1],
      ['raw', 'world', null, 2],
    ]);
    expect(got.counts).toEqual({
      '.ralph/odd.jsonl': { ok: 0, bad: 2 },
      '.testmuai/some.log': { ok: 0, bad: 2 },
    });
  });

  it('keeps a document of JSON as one entry, and one that is broken as its lines', async () => {
    const got = await read({
      '.ralph/metrics.json': '{\n "total": 1\n}\n',
      '.ralph/cut.json': '{\n "total": 1',
    });
    expect(got.rows('log_events').map((row) => [row.message, row.source_line])).toEqual([
      ['{', 1],
      [' "total": 1', 2],
      ['{"total":1}', 1],
    ]);
  });

  it('keeps a bounded number of lines and says how many there are', async () => {
    const lines = LIMITS.unknownEntries + 7;
    const got = await read({ '.agent-loop/x.txt': 'line\n'.repeat(lines) });
    expect(got.rows('log_events')).toHaveLength(LIMITS.unknownEntries);
    expect(got.counts['.agent-loop/x.txt']).toEqual({ ok: 0, bad: lines });
    expect(got.issues['.agent-loop/x.txt']?.map((issue) => issue.code)).toEqual(['too_many_entries']);
  });

  it('keeps nothing of what is not text', async () => {
    const got = await read({
      '.ralph/picture.png': new Uint8Array([137, 80, 78, 71, 0, 0, 0, 13, 10, 200, 201, 0, 1]),
    });
    expect(got.rows('log_events')).toEqual([]);
    expect(got.issues['.ralph/picture.png']?.map((issue) => issue.code)).toContain('unknown_shape');
  });

  it('takes only data from a folder called ralph', async () => {
    const got = await read({ 'ralph/loop.sh': 'echo hi\n', 'ralph/notes.txt': 'hi\n', 'src/a.json': '{}' });
    expect(Object.keys(got.counts)).toEqual(['ralph/notes.txt']);
  });
});
