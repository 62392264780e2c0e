import type { LedgerCard, LedgerGroup, LedgerRow, Proof } from '../../../../shared/cards.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { STATE_IDS } from '../../../../shared/outcomes.ts';
import { count, fields, isRecord, list, oneOf } from '../../lib/unknown.ts';
import { base, cite, clip, figure, short, words } from '../read.ts';
import { moment } from '../timeline/read.ts';

const GROUPS = 200;
const SHARES = 8;

function proof(value: unknown): Proof | null {
  if (!isRecord(value)) return null;
  return {
    polarity: oneOf(value.polarity, ['supports', 'refutes', 'void'], 'void'),
    kind: words(value.kind, LIMITS.label) ?? 'evidence',
    link: words(value.link, LIMITS.label) ?? 'inferred',
    says: words(value.says, LIMITS.cellText),
    atMs: moment(value.atMs),
    cite: cite(value.cite),
    open: words(value.open, LIMITS.label),
  };
}

const state = (value: unknown) => oneOf(value, STATE_IDS, 'open');

function row(value: unknown): LedgerRow | null {
  if (!isRecord(value)) return null;
  const proofs = list(value.proof, proof, LIMITS.proofs);
  return {
    id: short(value.id),
    text: clip(value.text, LIMITS.cellText),
    kind: words(value.kind, LIMITS.label) ?? 'requirement',
    state: state(value.state),
    claimed: typeof value.claimed === 'boolean' ? value.claimed : null,
    cite: cite(value.cite),
    open: words(value.open, LIMITS.label),
    proof: proofs,
    proofs: Math.max(count(value.proofs), proofs.length),
  };
}

const counted = (value: unknown): LedgerGroup['counts'] =>
  list(
    value,
    (item) => {
      const of = fields(item);
      const known = STATE_IDS.find((id) => id === of.state);
      return known === undefined ? null : { state: known, count: count(of.count) };
    },
    STATE_IDS.length,
  );

function group(value: unknown): LedgerGroup | null {
  if (!isRecord(value)) return null;
  const rows = list(value.rows, row, LIMITS.ledgerRows);
  return {
    ref: words(value.ref, LIMITS.label),
    title: short(value.title),
    counts: counted(value.counts),
    total: Math.max(count(value.total), rows.length),
    rows,
  };
}

/** Reads requirements and their proof from anything. */
export function readLedger(value: unknown): LedgerCard {
  const from = fields(value);
  return {
    ...base(value),
    type: 'ledger',
    zone: short(from.zone),
    states: list(
      from.states,
      (item) => (isRecord(item) ? { state: state(item.state), figure: figure(item.figure) } : null),
      STATE_IDS.length,
    ),
    total: figure(from.total),
    shares: list(
      from.shares,
      (item) => (isRecord(item) ? { label: short(item.label), figure: figure(item.figure) } : null),
      SHARES,
    ),
    groups: list(from.groups, group, GROUPS),
  };
}
