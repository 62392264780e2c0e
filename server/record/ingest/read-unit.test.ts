import { describe, expect, it, onTestFinished } from 'vitest';
import { openRecord } from '../index.ts';
import { smallFiles, testFolder } from '../test-folder.ts';

const silences = async (files: Readonly<Record<string, string>>): Promise<unknown[]> => {
  const record = await openRecord({ root: await testFolder(files), database: ':memory:' });
  onTestFinished(() => record.close());
  const { rows } = await record.store.query(
    "SELECT s.path FROM ingest_issues i JOIN sources s USING (source_id) WHERE i.code = 'nothing_understood' ORDER BY 1",
  );
  return rows.map(({ path }) => path);
};

describe('a source of which nothing was understood', () => {
  it('is a finding, whatever its format', async () => {
    expect(await silences({ '.testmuai/bug-memory.json': '{}' })).toEqual(['.testmuai/bug-memory.json']);
  });

  it('is not one that tells something', async () => {
    expect(await silences(smallFiles())).toEqual([]);
    expect(
      await silences({
        '.testmuai/bug-memory.json': JSON.stringify({ entries: [{ taskId: 'T1', family: 'infra' }] }),
      }),
    ).toEqual([]);
  });
});
