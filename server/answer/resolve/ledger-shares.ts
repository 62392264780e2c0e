import type { LedgerCard } from '../../../shared/cards.ts';
import type { Where } from '../../../shared/plan.ts';
import { measureOf } from '../../metrics/fit.ts';
import { single } from '../../metrics/query.ts';
import { cells, citeOf, type ResolveContext } from './context.ts';
import { figureOf } from './figure.ts';

type Share = LedgerCard['shares'][number];

/** Shares as computed here: designed, and proven. */
const COMPUTED = [
  ['designed', 'designed_share'],
  ['proven', 'proven_share'],
] as const;

async function computed(where: Where[], context: ResolveContext): Promise<Share[]> {
  const shares = await Promise.all(
    COMPUTED.map(async ([label, id]): Promise<Share[]> => {
      const query = single(id, 'counted', where);
      const value = (await context.queries.run(query)).groups[0]?.values[0];
      if (value === undefined) return [];
      return [
        {
          label,
          figure: figureOf(measureOf(id), value, context.register({ kind: 'query', query, key: {} })),
        },
      ];
    }),
  );
  return shares.flat();
}

/** Most percentages of sources that are set beside those. */
const TOLD = 4;

/** Percentages that sources show themselves, about the run as a whole. */
async function told(context: ResolveContext): Promise<Share[]> {
  const rows = await context.queries.rows(
    `SELECT t.observation_id AS id, t.fact, t.value, t.basis, t.source_id, t.source_kind, x.label AS source, t.source_line AS line
     FROM observations t JOIN runs r ON r.run_id = t.run_id LEFT JOIN sources x ON x.source_id = t.source_id
     WHERE r.is_current AND t.feature_id IS NULL AND t.value IS NOT NULL AND t.fact IN ('designed_percent', 'proven_percent')
     ORDER BY t.fact, t.source_id, t.source_line LIMIT ${TOLD}`,
    [],
  );
  return rows.map((row): Share => {
    const { label, basis } = citeOf(row);
    return {
      label: `${cells.text(row.fact) === 'designed_percent' ? 'designed' : 'proven'}, as ${label} shows it`,
      figure: {
        value: (cells.number(row.value) ?? 0) / 100,
        unit: 'ratio',
        basis,
        evidence: context.register({ kind: 'row', table: 'told', id: cells.text(row.id) ?? '' }),
        disputed: false,
        n: null,
        missing: null,
      },
    };
  });
}

/** "designed 100 %, proven 53 %": computed over what is in scope, and over the whole run also as sources show it. */
export const sharesOf = async (where: Where[], context: ResolveContext): Promise<Share[]> => [
  ...(await computed(where, context)),
  ...(where.length === 0 ? await told(context) : []),
];
