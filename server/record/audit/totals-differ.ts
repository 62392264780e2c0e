import { numberAt, textAt } from '../cells.ts';
import type { Row } from '../store.ts';
import type { AuditQuery, Finding, Rule } from './rule.ts';
import { numberText } from './words.ts';

/** What a file gives as a total, the column of its attempts that adds up to it, and how both are called. */
interface Total {
  fact: string;
  column: 'tokens_coder' | 'tokens_evaluator' | 'duration_s';
  /** Fact whose figures the finding puts in doubt; the parts are told under it too. */
  about: string;
  part: string;
  unit: string;
  /** A run has pauses, so its time may be more than that of its parts; it cannot be less. */
  mayBeMore: boolean;
}
const TOTALS: readonly Total[] = [
  {
    fact: 'tokens_coder',
    column: 'tokens_coder',
    about: 'tokens',
    part: 'tokens',
    unit: 'coder tokens',
    mayBeMore: false,
  },
  {
    fact: 'tokens_evaluator',
    column: 'tokens_evaluator',
    about: 'tokens',
    part: 'tokens',
    unit: 'evaluator tokens',
    mayBeMore: false,
  },
  { fact: 'elapsed', column: 'duration_s', about: 'elapsed', part: 'build_time', unit: 's', mayBeMore: true },
];

/** Totals of one source, each with the sum of that source's own attempts. A sum with a gap in it is no sum. */
const sumsOf = ({ fact, column, mayBeMore }: Total): string => `
 SELECT o.run_id, o.source_id, o.source_line, o.observation_id, o.source_kind, s.label, o.value AS total, p.parts, p.features
 FROM observations o JOIN sources s ON s.source_id = o.source_id
 JOIN (SELECT run_id, source_id, sum(${column}) AS parts, count(DISTINCT feature_id) AS features FROM attempts
  GROUP BY run_id, source_id HAVING count(*) = count(${column})) p ON p.run_id = o.run_id AND p.source_id = o.source_id
 WHERE o.feature_id IS NULL AND o.fact = '${fact}' AND o.value IS NOT NULL
  AND ${mayBeMore ? 'p.parts - o.value' : 'abs(p.parts - o.value)'} > tolerance(o.fact, greatest(o.value, p.parts))
 ORDER BY o.observation_id`;

const PARTS = `SELECT observation_id, source_id, source_line FROM observations
 WHERE run_id = $1 AND source_id = $2 AND fact = $3 AND feature_id IS NOT NULL ORDER BY observation_id`;

const rowOf = (row: Row): Finding['rows'][number] => ({
  sourceId: textAt(row, 'source_id') ?? '',
  line: numberAt(row, 'source_line'),
  ref: textAt(row, 'observation_id'),
});

async function differing(total: Total, query: AuditQuery): Promise<Finding[]> {
  const found = await query(sumsOf(total));
  return Promise.all(
    found.map(async (row): Promise<Finding> => {
      const [run, source] = [textAt(row, 'run_id') ?? '', textAt(row, 'source_id') ?? ''];
      const parts = await query(PARTS, [run, source, total.part]);
      const features = numberAt(row, 'features') ?? 0;
      const whose = features === 1 ? 'its one feature has' : `its ${features} features add up to`;
      return {
        id: `totals_differ.${run}.${total.fact}.${textAt(row, 'source_kind')}`,
        runId: run,
        featureId: null,
        severity: 'warning',
        fact: total.about,
        says: `${textAt(row, 'label')} gives ${numberText(numberAt(row, 'total') ?? 0)} ${total.unit} as its total, ${whose} ${numberText(numberAt(row, 'parts') ?? 0)}`,
        rows: [row, ...parts].map(rowOf),
      };
    }),
  );
}

/** A file's own total that is not the sum of its own parts: one of the two is wrong, whichever it is. */
export const totalsDiffer: Rule = {
  id: 'totals_differ',
  sentence: 'A total of a file is not the sum of the parts the same file lists.',
  find: async (query) => {
    const findings: Finding[] = [];
    for (const total of TOTALS) findings.push(...(await differing(total, query)));
    return findings;
  },
};
