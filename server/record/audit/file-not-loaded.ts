import { numberAt, textAt } from '../cells.ts';
import type { Row } from '../store.ts';
import { CITED, countText, placeOf } from './place.ts';
import type { Rule } from './rule.ts';

/** Files whose tests never ran, in reports in which others did. */
const BROKEN = `
 SELECT t.test_result_id AS ref, t.test_run_id, r.run_id, s.label, r.cases, coalesce(t.file, t.name) AS file, t.source_id, t.source_line
 FROM test_results t JOIN test_runs r USING (test_run_id) JOIN sources s ON s.source_id = t.source_id JOIN gate_events g ON g.gate_event_id = r.test_run_id || '.gate'
 WHERE t.status = 'load_error' AND g.cases_run > 0 ORDER BY t.test_run_id, t.source_line, t.test_result_id`;

/** The cases in it are in no total, so a report may look better than it is. */
export const fileNotLoaded: Rule = {
  id: 'file_not_loaded',
  sentence: 'A test file could not be loaded, so its cases are in no total of the report.',
  find: async (query) => {
    const reports = new Map<string, Row[]>();
    for (const row of await query(BROKEN)) {
      const key = textAt(row, 'test_run_id') ?? '';
      const group = reports.get(key);
      if (group) group.push(row);
      else reports.set(key, [row]);
    }
    return [...reports].map(([key, rows]) => {
      const [first] = rows;
      const name = (first ? (textAt(first, 'file') ?? '') : '').split('/').slice(-2).join('/');
      const what =
        rows.length === 1 ? name : `${countText(rows.length, 'file', 'files')}, the first ${name},`;
      return {
        id: `file_not_loaded.${key}`,
        runId: first ? textAt(first, 'run_id') : null,
        featureId: null,
        severity: 'warning' as const,
        fact: null,
        says: `${first ? textAt(first, 'label') : ''} lists ${countText(first ? (numberAt(first, 'cases') ?? 0) : 0, 'case', 'cases')}, and ${what} could not be loaded`,
        rows: rows.slice(0, CITED).map(placeOf),
      };
    });
  },
};
