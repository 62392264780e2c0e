import { numberAt, textAt } from '../cells.ts';
import type { Rule } from './rule.ts';

/** What reading the sources met, without mere notes: those change nothing. Most grave first. */
const PROBLEMS = `
 SELECT issue_id, source_id, line_no, severity, detail FROM ingest_issues WHERE severity <> 'info'
 ORDER BY severity, source_id, line_no NULLS FIRST, issue_id`;

/** What could not be read is a finding like any other, and about no run: nobody knows what it would have said. */
export const reading: Rule = {
  id: 'reading',
  sentence: 'A part of a source could not be read, or something had to be assumed to read it.',
  find: async (query) =>
    (await query(PROBLEMS)).map((row) => ({
      id: `reading.${textAt(row, 'issue_id')}`,
      runId: null,
      featureId: null,
      severity: textAt(row, 'severity') === 'error' ? ('error' as const) : ('warning' as const),
      fact: null,
      says: textAt(row, 'detail') ?? '',
      rows: [{ sourceId: textAt(row, 'source_id') ?? '', line: numberAt(row, 'line_no'), ref: null }],
    })),
};
