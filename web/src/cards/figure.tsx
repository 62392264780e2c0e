import { type ReactNode, useState } from 'react';
import { bounded } from '../../../shared/amounts.ts';
import type { Figure } from '../../../shared/cards.ts';
import { isClaim } from './basis.tsx';
import { DASH, figureParts, formatOn, formatOnWithUnit, joined, type Scale } from './format.ts';

export interface FigureTextProps {
  figure: Figure;
  /** Opens what is behind the figure; without it the figure is plain text. */
  onOpen?: (queryId: string, label?: string) => void;
  /** What the figure is called, for the drawer's heading. */
  label?: string;
  /**
   * `full`: with its unit ("415 s"); `bare`: the number alone, where a heading says the unit;
   * `large`: the unit smaller beside it.
   */
  show?: 'full' | 'bare' | 'large';
  /** Writes the value on the scale of its axis or column. */
  on?: Scale;
  /** Claimed and disputed are marked on the figure itself; off where the row or the bar already says so. */
  marks?: boolean;
  /** Whether the reason of a missing value is in sight, or only in the title and for screen readers. */
  reason?: 'shown' | 'hidden';
}

/** Text of a figure in the way a place shows it. */
export function figureWords(figure: Figure, show: FigureTextProps['show'] = 'full', on?: Scale): string {
  if (figure.value === null) return DASH;
  if (on !== undefined)
    return bounded(
      show === 'bare' ? formatOn(on, figure.value) : formatOnWithUnit(on, figure.value),
      figure.atLeast,
    );
  const parts = figureParts(figure);
  return show === 'bare' ? parts.value : joined(parts);
}

/**
 * One figure of a page: dotted underline, whole on one line, opens its evidence.
 * Missing is a dash with its reason, never 0. A value that changes in place is washed for a moment.
 */
export function FigureText(props: FigureTextProps): ReactNode {
  const { figure, onOpen, label, show = 'full', on, marks = true, reason = 'shown' } = props;
  const fresh = useFresh(figure.value);
  if (figure.value === null) return <Missing why={figure.missing} shown={reason === 'shown'} />;

  const claimed = marks && isClaim(figure.basis);
  const disputed = marks && figure.disputed;
  const parts = figureParts(figure);
  const content = (
    <>
      {show === 'large' ? <Large value={parts.value} unit={parts.unit} /> : figureWords(figure, show, on)}
      {claimed ? <span className="vh"> ({figure.basis})</span> : null}
    </>
  );
  const { evidence } = figure;
  const look = `fig${claimed ? ' fig-c' : ''}${fresh ? ' fig-new' : ''}`;
  const shown = (
    <>
      {evidence === null || onOpen === undefined ? (
        <span className={`${look} fig-still`} title={parts.exact}>
          {content}
        </span>
      ) : (
        <button type="button" className={look} title={parts.exact} onClick={() => onOpen(evidence, label)}>
          {content}
        </button>
      )}
      {disputed ? (
        <span className="fig-d">
          <span aria-hidden="true">◆</span>
          <span className="vh"> disputed</span>
        </span>
      ) : null}
    </>
  );
  // The mark stays on the line of its figure.
  return disputed ? <span className="nw">{shown}</span> : shown;
}

function Large({ value, unit }: { value: string; unit: string }): ReactNode {
  return (
    <>
      {value}
      {unit === '' ? null : <small>{` ${unit}`}</small>}
    </>
  );
}

function Missing({ why, shown }: { why: string | null; shown: boolean }): ReactNode {
  const reason = why ?? 'not recorded';
  return (
    <span className="none" title={reason}>
      {DASH} <span className={shown ? undefined : 'vh'}>{reason}</span>
    </span>
  );
}

/** True from the moment a drawn value is replaced by another one. */
function useFresh(value: number | null): boolean {
  const [seen, setSeen] = useState({ value, fresh: false });
  if (!Object.is(seen.value, value)) setSeen({ value, fresh: true });
  return seen.fresh;
}
