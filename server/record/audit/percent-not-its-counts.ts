import { numberAt, textAt } from '../cells.ts';
import { placeOf } from './place.ts';
import type { Rule } from './rule.ts';
import { numberText } from './words.ts';

/** Percent points that rounding explains. */
const ROUNDING = 1;

/** A percentage and the counts one source shows beside it. */
const SHARES = `
 SELECT s.run_id, s.source_id, s.source_line, s.observation_id AS ref, s.fact, s.value AS percent, p.value AS part, t.value AS whole,
  p.source_line AS part_line, p.observation_id AS part_ref
 FROM observations s
 JOIN observations p ON p.run_id = s.run_id AND p.source_id = s.source_id
  AND p.fact = CASE s.fact WHEN 'proven_percent' THEN 'requirements_proven' ELSE 'requirements_designed' END
 JOIN observations t ON t.run_id = s.run_id AND t.source_id = s.source_id AND t.fact = 'requirements_total'
 WHERE s.fact IN ('proven_percent', 'designed_percent') AND t.value > 0 AND abs(s.value - 100 * p.value / t.value) > ${ROUNDING}
 ORDER BY s.run_id, s.source_id, s.fact`;

export const percentNotItsCounts: Rule = {
  id: 'percent_not_its_counts',
  sentence: 'A percentage is not the share that the counts beside it make.',
  find: async (query) =>
    (await query(SHARES)).map((row) => {
      const [part, whole] = [numberAt(row, 'part') ?? 0, numberAt(row, 'whole') ?? 1];
      const word = textAt(row, 'fact') === 'proven_percent' ? 'proven' : 'designed';
      return {
        id: `percent_not_its_counts.${textAt(row, 'ref')}`,
        runId: textAt(row, 'run_id'),
        featureId: null,
        severity: 'warning' as const,
        fact: textAt(row, 'fact'),
        says: `${numberText(numberAt(row, 'percent') ?? 0)} % ${word} stands beside ${part} of ${whole}, which is ${((100 * part) / whole).toFixed(1)} %`,
        rows: [
          placeOf(row),
          {
            sourceId: textAt(row, 'source_id') ?? '',
            line: numberAt(row, 'part_line'),
            ref: textAt(row, 'part_ref'),
          },
        ],
      };
    }),
};
