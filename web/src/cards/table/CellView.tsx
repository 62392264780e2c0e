import type { ReactNode } from 'react';
import type { Cell } from '../../../../shared/cards.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { citeText, Swatch } from '../basis.tsx';
import { FigureText } from '../figure.tsx';
import { DASH, formatTime, isNoun, type Scale } from '../format.ts';

interface CellProps {
  cell: Cell;
  card: Pick<CardChrome, 'openFigure'>;
  /** Heading of the column, as the drawer calls a figure. */
  label: string;
  /** Scale of the column, for figures. */
  on?: Scale;
}

/** What stands in one cell. */
export function CellView({ cell, card, label, on }: CellProps): ReactNode {
  switch (cell.kind) {
    case 'text':
      return cell.text;
    case 'feature':
      return (
        <>
          <span className="id">{cell.id}</span>
          {cell.title}
        </>
      );
    case 'figure':
      return (
        <FigureText
          figure={cell.figure}
          onOpen={card.openFigure}
          label={label}
          show={isNoun(cell.figure.unit) ? 'bare' : 'full'}
          on={on}
          reason="hidden"
        />
      );
    case 'cite':
      return (
        <span className="mono">
          <Swatch basis={cell.cite.basis} /> {citeText(cell.cite)}
        </span>
      );
    case 'time':
      return <Moment ms={cell.ms} zone={cell.zone} />;
    case 'change':
      return <Change cell={cell} card={card} label={label} on={on} />;
    case 'agree':
      return <span className="eq">agree</span>;
    case 'none':
      return (
        <span className="none" title={cell.why}>
          {DASH} <span className="vh">{cell.why}</span>
        </span>
      );
  }
}

function Moment({ ms, zone }: { ms: number; zone: string }): ReactNode {
  const time = formatTime(ms, zone);
  if (time === null) return <span className="none">{DASH}</span>;
  return (
    <time dateTime={time.iso} title={`${time.iso}${zone === '' ? '' : `, shown in ${zone}`}`}>
      {time.text}
    </time>
  );
}

interface ChangeProps extends Omit<CellProps, 'cell'> {
  cell: Extract<Cell, { kind: 'change' }>;
}

/** Claimed on the left of the arrow, counted on the right. */
function Change({ cell, card, label, on }: ChangeProps): ReactNode {
  const side = { onOpen: card.openFigure, show: 'bare', on, marks: false } as const;
  return (
    <span className="chg">
      <span className="cl0">
        <Side figure={cell.claimed} {...side} label={`${label}, claimed`} />
      </span>
      <span className="ar" aria-hidden="true">
        →
      </span>
      <span className="vh"> claimed, </span>
      <span className="to">
        <Side figure={cell.counted} {...side} label={`${label}, counted`} />
      </span>
      <span className="vh"> counted</span>
    </span>
  );
}

function Side(props: Parameters<typeof FigureText>[0]): ReactNode {
  const { figure } = props;
  if (figure.value !== null) return <FigureText {...props} />;
  return (
    <span className="eq" title={figure.missing ?? undefined}>
      none
    </span>
  );
}
