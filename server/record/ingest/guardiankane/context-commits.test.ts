import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { canonicalJson } from './canonical-json.ts';
import { documents } from './documents.ts';

const FOLDER = 'lend/.context/commits';

/** A chain of commits, each named by its hash and linked to the one before. */
function chain(...commits: object[]): { path: string; text: string; hash: string }[] {
  const out: { path: string; text: string; hash: string }[] = [];
  for (const [index, commit] of commits.entries()) {
    const whole = { schema: 'assurance/context@1', prev_hash: out.at(-1)?.hash ?? null, ...commit };
    // Written out by hand: keys sorted, no spaces.
    const sorted = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(sorted)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .sort(([a], [b]) => (a < b ? -1 : 1))
                .map(([key, item]) => [key, sorted(item)]),
            )
          : value;
    const hash = createHash('sha256')
      .update(JSON.stringify(sorted(whole)))
      .digest('hex');
    const no = String(index + 1).padStart(6, '0');
    out.push({
      path: `${FOLDER}/${no}-${hash.slice(0, 12)}.json`,
      text: JSON.stringify(whole, null, 2),
      hash,
    });
  }
  return out;
}
const filesOf = (commits: { path: string; text: string }[]): Record<string, string> =>
  Object.fromEntries(commits.map(({ path, text }) => [path, text]));
const codes = (issues: Record<string, { code: string }[]>): string[] =>
  Object.values(issues).flatMap((list) => list.map(({ code }) => code));

const DESIGN = {
  nodes: [
    { cid: 'uc-1', label: 'usecase', content: { title: 'Lend a book' } },
    { cid: 'ac-1', label: 'ac', content: 'A lent book is off the shelf' },
    { cid: 'ac-2', label: 'ac', content: { text: 'A lent book has a due date — é' } },
    { cid: 't-1', label: 'test', content: { title: 'lend-a-book' } },
  ],
  edges: [
    { type: 'belongs_to', src: 'ac-1', dst: 'uc-1' },
    { type: 'verifies', src: 't-1', dst: 'ac-1' },
    { type: 'verifies', src: 't-1', dst: 'ac-2' },
  ],
};
const run = (verdict: string, started: string, more: object = {}) => ({
  executions: [
    {
      about: 't-1',
      verdict,
      started_at: started,
      duration_ms: 1000,
      mode: 'testmd',
      execution_id: 'e',
      ...more,
    },
  ],
});

describe('canonicalJson', () => {
  it('sorts keys, leaves no spaces, and can escape what is not ASCII', () => {
    expect(canonicalJson({ b: [1, null, true], a: { d: 'é', c: 2.5 } }, false)).toBe(
      '{"a":{"c":2.5,"d":"é"},"b":[1,null,true]}',
    );
    expect(canonicalJson('é€', true)).toBe('"\\u00e9\\u20ac"');
  });
});

describe('context commits', () => {
  it('verify, and give requirements, executions and what these prove', async () => {
    const commits = chain(
      DESIGN,
      run('failed', '2026-05-04T10:00:00Z'),
      run('passed', '2026-05-04T11:00:00Z', {
        per_ac: [
          { ac_ref: 'ac-1', verdict: 'passed' },
          { ac_ref: 'ac-2', verdict: 'failed' },
        ],
      }),
      {
        ...run('broken', '2026-05-04T12:00:00Z'),
        review: [{ kind: 'gap', resolution: 'accepted', by: 'owner' }],
      },
    );
    const { rows, issues } = await readWith(documents, filesOf(commits));
    expect(codes(issues)).toEqual([]);
    expect(rows('requirements_told').map((row) => [row.ext_id, row.kind, row.text, row.parent_ref])).toEqual([
      ['uc-1', 'use_case', 'Lend a book', null],
      ['ac-1', 'criterion', 'A lent book is off the shelf', 'uc-1'],
      ['ac-2', 'criterion', 'A lent book has a due date — é', null],
    ]);
    expect(rows('test_results').map((row) => [row.name, row.status])).toEqual([
      ['lend-a-book', 'failed'],
      ['lend-a-book', 'passed'],
      ['lend-a-book', 'error'],
    ]);
    expect(rows('evidence_told').map((row) => [row.requirement_ref, row.polarity, row.link])).toEqual([
      ['guardiankane.q.ac-1', 'refutes', 'tag'],
      ['guardiankane.q.ac-2', 'refutes', 'tag'],
      ['guardiankane.q.ac-1', 'supports', 'explicit'],
      ['guardiankane.q.ac-2', 'refutes', 'explicit'],
      ['guardiankane.q.ac-1', 'void', 'tag'],
      ['guardiankane.q.ac-2', 'void', 'tag'],
    ]);
    expect(rows('log_events')).toEqual([
      expect.objectContaining({ kind: 'review', message: 'gap, accepted, by owner' }),
    ]);
  });

  it('report a commit that was changed after it was written', async () => {
    const commits = chain(DESIGN, run('failed', '2026-05-04T10:00:00Z'));
    const files = filesOf(
      commits.map((commit, i) =>
        i === 1 ? { ...commit, text: commit.text.replace('failed', 'passed') } : commit,
      ),
    );
    expect(codes((await readWith(documents, files)).issues)).toEqual(['hash_differs']);
  });

  it('report a commit that is missing from the chain', async () => {
    const commits = chain(
      DESIGN,
      run('failed', '2026-05-04T10:00:00Z'),
      run('passed', '2026-05-04T11:00:00Z'),
    );
    expect(codes((await readWith(documents, filesOf(commits.filter((_, i) => i !== 1)))).issues)).toEqual([
      'link_broken',
    ]);
  });

  it('keep what can be read of a commit that is cut', async () => {
    const [first] = chain(DESIGN);
    const { rows, issues } = await readWith(documents, {
      [first?.path ?? '']: (first?.text ?? '').slice(0, 300),
    });
    expect(codes(issues)).toEqual(['json_cut', 'hash_differs']);
    expect(rows('requirements_told').length).toBeGreaterThan(0);
  });
});
