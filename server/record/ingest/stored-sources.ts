import { LIMITS } from '../../../shared/limits.ts';
import { numberAt, textAt } from '../cells.ts';
import type { Row, Store } from '../store.ts';

/** What is known of a source from its last reading. */
export interface StoredSource {
  id: string;
  path: string;
  unit: string;
  state: string;
  sha: string | null;
  parser: string;
  version: number;
  offset: number | null;
  line: number | null;
  tailSha: string | null;
  carry: string | null;
}

const stored = (row: Row): StoredSource => ({
  id: textAt(row, 'source_id') ?? '',
  path: textAt(row, 'path') ?? '',
  unit: textAt(row, 'unit') ?? '',
  state: textAt(row, 'state') ?? '',
  sha: textAt(row, 'content_sha'),
  parser: textAt(row, 'parser') ?? '',
  version: numberAt(row, 'parser_version') ?? 0,
  offset: numberAt(row, 'offset_bytes'),
  line: numberAt(row, 'next_line'),
  tailSha: textAt(row, 'tail_sha'),
  carry: textAt(row, 'carry'),
});

/** What the database knows of the sources it was made from. */
export async function storedSources(store: Store): Promise<StoredSource[]> {
  const { rows } = await store.query('SELECT * FROM sources ORDER BY source_id', [], {
    rows: LIMITS.foundSources,
  });
  return rows.map(stored);
}
