import type { CardBase, CardData, LedgerCard, LedgerGroup, LedgerRow, Proof } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { plainName, REQUIREMENT_STATES, type RequirementState, STATE_IDS } from '../../../shared/outcomes.ts';
import type { LedgerBlock, Where } from '../../../shared/plan.ts';
import { checkQuery, measureOf } from '../../metrics/fit.ts';
import { single } from '../../metrics/query.ts';
import { compileOver } from '../../metrics/rows.ts';
import type { Row } from '../../record/store.ts';
import { clip } from '../placeholders.ts';
import { baseOf, shown } from './base.ts';
import { stateOf } from './came-to.ts';
import { cells, citeOf, type ResolveContext, whereOf } from './context.ts';
import { emptyOf } from './empty.ts';
import { figureOf } from './figure.ts';
import { proofsOf } from './ledger-proof.ts';
import { sharesOf } from './ledger-shares.ts';

/** States in the order in which they are kept when there are too many requirements: what needs a look first. */
const ATTENTION: readonly RequirementState[] = [
  'refuted',
  'claimed_only',
  'stale',
  'open',
  'likely',
  'proven',
];

const REQUIREMENTS = (
  scope: string,
): string => `SELECT q.requirement_id AS id, q.ext_id, q."text", q.kind, q.state, q.claimed_pass, q.evidence,
    f.ext_id AS ref, f.title, f.ord, q.parent_ref, p."text" AS parent_text, q.source_id, x.kind AS source_kind, x.label AS source, q.source_line AS line,
    'claimed' AS basis
  FROM ${scope} u JOIN v_requirement q ON q.requirement_id = u.row_id LEFT JOIN features f ON f.feature_id = q.feature_id
  LEFT JOIN (SELECT run_id, ext_id, any_value("text") AS "text" FROM requirements GROUP BY run_id, ext_id) p
    ON p.run_id = q.run_id AND p.ext_id = q.parent_ref
  LEFT JOIN sources x ON x.source_id = q.source_id
  ORDER BY f.ord NULLS LAST, natural_key(q.ext_id), q.requirement_id LIMIT ${LIMITS.queryRows}`;

interface Place {
  key: string;
  ref: string | null;
  title: string;
}

/** Where a requirement stands. */
function placeOf(row: Row, group: LedgerBlock['group']): Place {
  if (group === 'state') {
    const state = stateOf(row.state);
    return { key: state, ref: null, title: REQUIREMENT_STATES[state] };
  }
  const ref = cells.text(group === 'feature' ? row.ref : row.parent_ref);
  if (ref === null)
    return { key: '', ref: null, title: group === 'feature' ? 'of no feature' : 'of no use case' };
  const title = cells.text(group === 'feature' ? row.title : row.parent_text);
  return { key: ref, ref, title: clip(title ?? ref, LIMITS.title) };
}

const counted = (rows: readonly Row[]): LedgerGroup['counts'] =>
  STATE_IDS.map((state) => ({
    state,
    count: rows.filter((row) => stateOf(row.state) === state).length,
  })).filter(({ count }) => count > 0);

function rowOf(row: Row, proof: readonly Proof[], context: ResolveContext): LedgerRow {
  const id = cells.text(row.id) ?? '';
  return {
    id: cells.text(row.ext_id) ?? '',
    text: clip(cells.text(row.text) ?? '', LIMITS.cellText),
    kind: plainName(cells.text(row.kind) ?? 'requirement'),
    state: stateOf(row.state),
    claimed: typeof row.claimed_pass === 'boolean' ? row.claimed_pass : null,
    cite: citeOf(row),
    open: context.register({ kind: 'row', table: 'requirement', id }),
    proof: proof.slice(0, LIMITS.proofs),
    proofs: Math.max(cells.number(row.evidence) ?? 0, proof.length),
  };
}

/** Groups in order of their first row, by state in the order of states; rows beyond the limit are left out, not their counts. */
function groupsOf(
  rows: readonly Row[],
  kept: ReadonlySet<Row>,
  proofs: ReadonlyMap<string, Proof[]>,
  group: LedgerBlock['group'],
  context: ResolveContext,
): LedgerGroup[] {
  const groups = new Map<string, { place: Place; rows: Row[] }>();
  for (const row of rows) {
    const place = placeOf(row, group);
    const known = groups.get(place.key);
    if (known) known.rows.push(row);
    else groups.set(place.key, { place, rows: [row] });
  }
  const order = (key: string): number =>
    group === 'state' ? STATE_IDS.indexOf(stateOf(key)) : key === '' ? 1 : 0;
  return [...groups.values()]
    .toSorted((a, b) => order(a.place.key) - order(b.place.key))
    .map(({ place, rows: own }) => ({
      ref: place.ref,
      title: place.title,
      counts: counted(own),
      total: own.length,
      rows: own
        .filter((row) => kept.has(row))
        .map((row) => rowOf(row, proofs.get(cells.text(row.id) ?? '') ?? [], context)),
    }));
}

/** Solid for what a check bears out or refutes, hatched for what is only claimed, empty for the rest. */
function ruleOf(states: LedgerCard['states'], total: number): CardBase['rule'] {
  const share = (...wanted: RequirementState[]): number =>
    states.reduce((sum, { state, figure }) => sum + (wanted.includes(state) ? (figure.value ?? 0) : 0), 0) /
    total;
  const measured = share('proven', 'likely', 'refuted');
  const claimed = share('claimed_only');
  return { measured, claimed, missing: Math.max(0, 1 - measured - claimed) };
}

/** One figure a state that occurs, each of which opens its requirements. */
async function statesOf(where: Where[], context: ResolveContext): Promise<LedgerCard['states']> {
  const query = single('requirements', 'counted', where);
  const measure = measureOf('requirements');
  const answer = await context.queries.run({ ...query, by: 'requirement_state' });
  return answer.groups.flatMap((group): LedgerCard['states'] => {
    const value = group.values[0];
    if (value === undefined) return [];
    const state = stateOf(group.key);
    const evidence = context.register({
      kind: 'query',
      query: {
        ...query,
        where: [...where, { type: 'in', dim: 'requirement_state', not: false, any_of: [state] }],
      },
      key: {},
    });
    return [{ state, figure: figureOf(measure, value, evidence) }];
  });
}

/** Requirements by how far they are proven, each with its evidence. */
export async function resolveLedger(
  block: LedgerBlock,
  id: string,
  context: ResolveContext,
): Promise<CardData> {
  const where = whereOf(context.about, block.scope, block.where);
  const about = { id, title: block.title, actions: block.actions };
  const query = single('requirements', 'counted', where);
  const compiled = compileOver(checkQuery(query), context.queries.context, REQUIREMENTS);
  const rows = await context.queries.rows(compiled.sql, compiled.params);
  if (rows.length === 0) return emptyOf(context, about, measureOf('requirements'));
  const [answer, states, shares] = await Promise.all([
    context.queries.run(query),
    statesOf(where, context),
    sharesOf(where, context),
  ]);
  const urgency = (row: Row): number => ATTENTION.indexOf(stateOf(row.state));
  const kept = new Set(rows.toSorted((a, b) => urgency(a) - urgency(b)).slice(0, LIMITS.ledgerRows));
  const proofs = await proofsOf(
    [...kept].flatMap((row) => cells.text(row.id) ?? []),
    context,
  );
  const all = answer.groups[0]?.values[0];
  const evidence = context.register({ kind: 'query', query, key: {} });
  const total = figureOf(measureOf('requirements'), all ?? NOTHING, evidence);
  const card: LedgerCard = {
    ...baseOf(context, {
      ...about,
      sub: null,
      evidence: [
        evidence,
        ...shares.map(({ figure }) => figure.evidence),
        ...states.map(({ figure }) => figure.evidence),
      ],
      trimmed: shown(kept.size, total.value ?? rows.length, 'requirements'),
      mark: { state: 'checking', have: null, of: null, why: null },
      rule: ruleOf(states, total.value ?? rows.length),
    }),
    type: 'ledger',
    zone: context.queries.context.zone,
    states,
    total,
    shares,
    groups: groupsOf(rows, kept, proofs, block.group, context),
  };
  return card;
}

const NOTHING = {
  value: 0,
  n: 0,
  of: 0,
  claimedOnly: 0,
  basis: 'derived',
  disputedRows: 0,
  disputed: false,
  interval: null,
} as const;
