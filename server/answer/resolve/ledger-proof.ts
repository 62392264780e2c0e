import type { Proof } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { plainName } from '../../../shared/outcomes.ts';
import { basisName, kindRank } from '../../metrics/event-frames.ts';
import type { Row } from '../../record/store.ts';
import { clip } from '../placeholders.ts';
import { cells, citeOf, type ResolveContext } from './context.ts';

const POLARITIES = ['supports', 'refutes', 'void'] as const;

const proofOf = (row: Row, context: ResolveContext): Proof => {
  const says = cells.text(row.says) ?? cells.text(row.ref_id);
  return {
    polarity: POLARITIES.find((one) => one === row.polarity) ?? 'void',
    kind: plainName(cells.text(row.kind) ?? 'evidence'),
    link: plainName(cells.text(row.link) ?? 'inferred'),
    says: says === null ? null : clip(says, LIMITS.cellText),
    atMs: cells.number(row.at_ms),
    cite: citeOf(row),
    open: context.register({ kind: 'row', table: 'proof', id: cells.text(row.id) ?? '' }),
  };
};

/** The evidence about requirements, the latest first, by requirement; at most LIMITS.proofs of each. */
export async function proofsOf(
  ids: readonly string[],
  context: ResolveContext,
): Promise<Map<string, Proof[]>> {
  const found = new Map<string, Proof[]>();
  if (ids.length === 0) return found;
  const slots = ids.map((_, at) => `$${at + 1}`).join(', ');
  const rows = await context.queries.rows(
    `SELECT t.requirement_id, t.evidence_id AS id, t.polarity, t.kind, t.link, t.says, t.ref_id, t.at_ms,
      ${basisName(kindRank('t.source_kind'))} AS basis, t.source_id, t.source_kind, x.label AS source, t.source_line AS line
     FROM requirement_evidence t LEFT JOIN sources x ON x.source_id = t.source_id WHERE t.requirement_id IN (${slots})
     QUALIFY row_number() OVER (PARTITION BY t.requirement_id ORDER BY t.at_ms DESC NULLS LAST, t.evidence_id DESC) <= ${LIMITS.proofs}
     ORDER BY t.requirement_id, t.at_ms DESC NULLS LAST, t.evidence_id DESC`,
    ids,
  );
  for (const row of rows) {
    const key = cells.text(row.requirement_id) ?? '';
    found.set(key, [...(found.get(key) ?? []), proofOf(row, context)]);
  }
  return found;
}
