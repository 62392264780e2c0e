import { numberAt, textAt } from '../cells.ts';
import { placeOf } from './place.ts';
import type { Rule } from './rule.ts';

/** Reports in which no case ran, with the gate that says why. */
const EMPTY = `
 SELECT t.test_run_id AS ref, t.run_id, t.status, t.cases, g.reason, g.attribution_basis, s.label, t.source_id, coalesce(g.source_line, t.source_line) AS source_line
 FROM test_runs t JOIN sources s ON s.source_id = t.source_id LEFT JOIN gate_events g ON g.gate_event_id = t.test_run_id || '.gate'
 WHERE t.status = 'empty' OR (t.status = 'errored' AND g.gate_event_id IS NOT NULL AND coalesce(g.cases_run, 0) = 0) ORDER BY t.source_id, t.test_run_id`;

/** Nothing failed because nothing ran: that is no evidence, however green it looks. */
export const reportWithoutCases: Rule = {
  id: 'report_without_cases',
  sentence: 'A test report in which no case ran, so it proves nothing.',
  find: async (query) =>
    (await query(EMPTY)).map((row) => {
      const cases = numberAt(row, 'cases') ?? 0;
      const crash =
        textAt(row, 'status') === 'errored'
          ? (textAt(row, 'reason') ?? '').split('\n')[0]?.slice(0, 120)
          : '';
      const why = crash ? `: ${crash}` : cases === 0 ? ': it lists none' : `: all ${cases} were skipped`;
      return {
        id: `report_without_cases.${textAt(row, 'ref')}`,
        runId: textAt(row, 'run_id'),
        featureId: null,
        severity: 'warning' as const,
        fact: null,
        says: `No case ran in ${textAt(row, 'label')}${why}`,
        rows: [placeOf(row)],
      };
    }),
};
