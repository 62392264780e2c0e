import { numberAt, textAt } from '../cells.ts';
import { placeOf } from './place.ts';
import type { Rule } from './rule.ts';
import { numberText } from './words.ts';

/** Percent points that rounding explains. */
const ROUNDING = 1;

const PAIRS = `
 SELECT d.run_id, d.source_id, d.source_line, d.observation_id AS ref, d.value AS designed, p.value AS proven,
  p.source_line AS proven_line, p.observation_id AS proven_ref
 FROM observations d JOIN observations p ON p.run_id = d.run_id AND p.source_id = d.source_id AND p.fact = 'proven_percent'
 WHERE d.fact = 'designed_percent' AND abs(d.value - p.value) > ${ROUNDING} ORDER BY d.run_id, d.source_id`;

/** What has a test is not what has passed one; side by side the larger figure is easily taken for the other. */
export const percentagesDiffer: Rule = {
  id: 'percentages_differ',
  sentence: 'Two percentages for the same requirements stand side by side and differ.',
  find: async (query) =>
    (await query(PAIRS)).map((row) => ({
      id: `percentages_differ.${textAt(row, 'run_id')}.${textAt(row, 'source_id')}`,
      runId: textAt(row, 'run_id'),
      featureId: null,
      severity: 'warning' as const,
      fact: 'proven_percent',
      says: `Designed ${numberText(numberAt(row, 'designed') ?? 0)} % stands beside proven ${numberText(numberAt(row, 'proven') ?? 0)} %`,
      rows: [
        placeOf(row),
        {
          sourceId: textAt(row, 'source_id') ?? '',
          line: numberAt(row, 'proven_line'),
          ref: textAt(row, 'proven_ref'),
        },
      ],
    })),
};
