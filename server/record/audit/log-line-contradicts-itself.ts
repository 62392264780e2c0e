import { numberAt, textAt } from '../cells.ts';
import { placeOf } from './place.ts';
import type { Rule } from './rule.ts';

/** Verdicts beside reasons and counts that say the opposite. A verifier's report is held against its evidence by a rule of its own. */
const CONTRADICTING = `
 SELECT gate_event_id AS ref, run_id, feature_id, verdict, reason, cases_run, cases_passed, source_id, source_line FROM gate_events
 WHERE gate <> 'verifier' AND ((verdict = 'block' AND (lower(trim(reason)) IN ('all members passed', 'objective completed') OR (cases_run > 0 AND cases_passed >= cases_run)))
  OR (verdict = 'pass' AND cases_passed < cases_run))
 ORDER BY source_id, source_line, gate_event_id`;

/** One line that says two things: one of them is wrong, and a figure made of either is not to be trusted. */
export const logLineContradictsItself: Rule = {
  id: 'log_line_contradicts_itself',
  sentence: 'A verdict stands beside a reason or a count that says the opposite.',
  find: async (query) =>
    (await query(CONTRADICTING)).map((row) => {
      const passed = textAt(row, 'verdict') === 'pass';
      const reason = textAt(row, 'reason')?.trim() ?? '';
      const counted =
        numberAt(row, 'cases_run') === null
          ? null
          : `${numberAt(row, 'cases_passed')} of ${numberAt(row, 'cases_run')} passed`;
      const success = /^(?:all members passed|objective completed)$/i.test(reason);
      const beside = [passed || !success ? null : `"${reason}"`, counted]
        .filter((part) => part !== null)
        .join(', and counts ');
      return {
        id: `log_line_contradicts_itself.${textAt(row, 'ref')}`,
        runId: textAt(row, 'run_id'),
        featureId: textAt(row, 'feature_id'),
        severity: 'warning' as const,
        fact: null,
        says:
          success && !passed
            ? `The line says failed, gives as its reason ${beside}`
            : `The line says ${passed ? 'passed' : 'failed'}, and counts ${counted}`,
        rows: [placeOf(row)],
      };
    }),
};
