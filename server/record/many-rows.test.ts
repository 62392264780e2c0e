import { expect, it } from 'vitest';
import { auditOf } from '../cli/audit.ts';
import { oneProject } from '../workspace/one.ts';
import { openRecord } from './index.ts';
import type { Adapter } from './ingest/adapter.ts';
import { testFolder } from './test-folder.ts';

/** More than one query gives back where nobody asked for more. */
const MANY = 6_000;

/** A format with many features, each of which has a problem. */
const adapter: Adapter = {
  id: 'many',
  version: 1,
  label: 'Many',
  sources: [{ kind: 'metrics', paths: ['many-*.txt'] }],
  unit: 'each',
  async read({ sources: [source] }, out) {
    if (!source) return;
    await source.text();
    const first = Number(/many-(\d+)/.exec(source.path)?.[1]) * 150;
    for (let n = first + 1; n <= first + 150; n += 1) {
      out.add('features_told', {
        feature_id: `r.f${n}`,
        run_id: 'r',
        ext_id: `${n}`,
        ord: n,
        rank: 1,
        source_id: source.id,
        source_line: n,
      });
      source.issue('missing_field', 'warning', n, `Feature ${n} says nothing.`);
    }
    out.add('runs_told', { run_id: 'r', harness: 'many', rank: 1, source_id: source.id, source_line: 1 });
    source.count(150, 0);
  },
};

it('a record larger than one query gives back is told and audited whole', async () => {
  const files = Object.fromEntries(Array.from({ length: MANY / 150 }, (_, n) => [`many-${n}.txt`, 'x']));
  const record = await openRecord({
    root: await testFolder(files),
    database: ':memory:',
    adapters: [adapter],
  });
  try {
    expect((await record.profile()).features).toHaveLength(MANY);
    const [audited] = await auditOf(oneProject(record));
    expect(audited?.findings.filter(({ rule }) => rule === 'reading')).toHaveLength(MANY);
    expect(audited?.findings.every(({ rows }) => rows.length > 0)).toBe(true);
  } finally {
    await record.close();
  }
}, 60_000);
