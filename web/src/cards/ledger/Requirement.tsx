import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { LedgerRow, Proof } from '../../../../shared/cards.ts';
import { REQUIREMENT_STATES } from '../../../../shared/outcomes.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { formatMoment } from '../format.ts';
import { keyed } from '../keyed.ts';
import { Glyph } from '../outcome/Glyph.tsx';
import { StateGlyph } from '../outcome/StateGlyph.tsx';
import { Place } from '../Place.tsx';
import { evidenceWords } from './words.ts';

interface RequirementProps {
  row: LedgerRow;
  zone: string;
  card: CardChrome;
}

/** One requirement: its state, its text, what stands for and against it. */
export function Requirement({ row, zone, card }: RequirementProps): ReactNode {
  const [open, setOpen] = useState(false);
  const list = useId();
  return (
    <li className="le-row">
      <span className="le-mark">
        <StateGlyph state={row.state} />
        {REQUIREMENT_STATES[row.state]}
      </span>
      <div className="le-text">
        <span className="le-ref">{row.id}</span> {row.text === row.id ? null : row.text}
      </div>
      <div className="le-proof">
        {row.proof.length === 0 ? (
          <span className="none">{evidenceWords(row)}</span>
        ) : (
          <button
            type="button"
            className="le-toggle"
            aria-expanded={open}
            aria-controls={list}
            aria-label={`Evidence about ${row.id}: ${evidenceWords(row)}`}
            onClick={() => setOpen(!open)}
          >
            <ChevronRight className="i" aria-hidden="true" />
            {evidenceWords(row)}
          </button>
        )}
        <Place cite={row.cite} open={row.open} says={`Requirement ${row.id}: open`} card={card} />
      </div>
      <ul className="le-proofs" id={list} hidden={!open}>
        {keyed(row.proof, ({ open: id }) => id ?? '').map(({ key, item }) => (
          <ProofLine key={key} proof={item} zone={zone} card={card} />
        ))}
        {row.proofs > row.proof.length ? (
          <li className="le-more">
            {row.proof.length} of {row.proofs} shown, the latest first
          </li>
        ) : null}
      </ul>
    </li>
  );
}

const WORDS = { supports: 'for', refutes: 'against', void: 'void' } as const;
const GLYPHS = { supports: 'pass', refutes: 'block', void: 'no_verdict' } as const;

function ProofLine({ proof, zone, card }: { proof: Proof; zone: string; card: CardChrome }): ReactNode {
  const { polarity, atMs } = proof;
  return (
    <li>
      <span className="le-pol">
        <Glyph outcome={GLYPHS[polarity]} stance={polarity === 'void' ? 'unsaid' : 'own'} size={13} />
        {WORDS[polarity]}
      </span>
      <span className="le-says">
        {proof.kind}, {proof.link}
        {proof.says === null ? null : `: ${proof.says}`}
        {atMs === null ? (
          <span className="none">, no time recorded</span>
        ) : (
          <>
            ,{' '}
            <time dateTime={new Date(atMs).toISOString()}>
              {formatMoment(atMs, zone, 'day')}, {formatMoment(atMs, zone, 'minute')}
            </time>
          </>
        )}
      </span>
      <Place cite={proof.cite} open={proof.open} says={`Evidence, ${proof.kind}: open`} card={card} />
    </li>
  );
}
