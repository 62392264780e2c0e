import { textAt } from '../cells.ts';
import type { Row } from '../store.ts';
import { dataOf, figureIn } from './event-data.ts';
import { placeOf } from './place.ts';
import type { Finding, Rule } from './rule.ts';

/** Entries that count an attempt, or after which counting rightly starts again, in the order of the log. */
const COUNTED = `
 SELECT e.event_id AS ref, e.run_id, e.feature_id, f.ext_id, e.kind, e.data, e.source_id, e.source_line
 FROM log_events e JOIN features f USING (feature_id)
 WHERE e.kind IN ('test_fail', 'sweep_fail', 'secret_fail', 'evidence_fail', 'blocked', 'sweep_pass', 'no_sweep', 'manual_ok')
 ORDER BY e.source_id, e.feature_id, e.source_line`;
const RESTARTS: readonly string[] = ['sweep_pass', 'no_sweep', 'manual_ok'];

/** The last failure of a task that was counted, and whether the task was blocked after it. */
interface Counted {
  row: Row;
  n: number;
  blocked: boolean;
}

function finding(
  { row: before, n: from, blocked }: Counted,
  row: Row,
  to: number,
  cap: number | null,
): Finding {
  const task = textAt(row, 'ext_id');
  const of = cap === null ? '' : ` of ${cap}`;
  return {
    id: `counter_goes_back.${textAt(row, 'ref')}`,
    runId: textAt(row, 'run_id'),
    featureId: textAt(row, 'feature_id'),
    severity: 'warning',
    fact: 'strikes',
    says:
      to === from
        ? `Two failures of ${task} are both counted as attempt ${to}${of}, so the cap came one failure later`
        : blocked
          ? `The attempts of ${task} were used up at ${from}${of}; the next failure is attempt ${to} again, and no entry says who set the counter back`
          : `The counter of ${task} goes back from ${from} to ${to}${of} without a pass in between`,
    rows: [placeOf(before), placeOf(row)],
  };
}

/** A cap on attempts holds only if its counter does. */
export const counterGoesBack: Rule = {
  id: 'counter_goes_back',
  sentence: 'A counter of failed attempts goes back, or counts two failures as one.',
  find: async (query) => {
    const findings: Finding[] = [];
    const lasts = new Map<string, Counted>();
    for (const row of await query(COUNTED)) {
      const task = `${textAt(row, 'source_id')} ${textAt(row, 'feature_id')}`;
      const before = lasts.get(task);
      const kind = textAt(row, 'kind') ?? '';
      const data = dataOf(row);
      const n = figureIn(data, 'attempt');
      if (RESTARTS.includes(kind)) lasts.delete(task);
      else if (kind === 'blocked') {
        if (before) lasts.set(task, { ...before, blocked: true });
      } else if (n !== null) {
        if (before && n <= before.n) findings.push(finding(before, row, n, figureIn(data, 'cap')));
        lasts.set(task, { row, n, blocked: false });
      }
    }
    return findings;
  },
};
