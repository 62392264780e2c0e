import type { Row, SqlValue } from '../store.ts';

type Ask = (sql: string, params?: readonly SqlValue[]) => Promise<Row[]>;

/** Rows kept in all, and of one statement: what rules share is small, and what is large is asked again. */
const KEPT_ROWS = 20_000;
const KEPT_OF_ONE = 2_000;

/**
 * Asks each equal question once, for rules that look at the same rows of tables which do not change meanwhile. To be dropped with
 * the audit. Bounded: past that questions are passed on.
 */
export function askedOnce(ask: Ask): Ask {
  const known = new Map<string, readonly Row[]>();
  let kept = 0;
  return async (sql, params = []) => {
    const key = JSON.stringify([sql, params.map(String)]);
    const before = known.get(key);
    if (before !== undefined) return [...before];
    const rows = await ask(sql, params);
    if (rows.length <= KEPT_OF_ONE && kept + rows.length <= KEPT_ROWS) {
      kept += rows.length + 1;
      known.set(key, rows);
    }
    return rows;
  };
}
