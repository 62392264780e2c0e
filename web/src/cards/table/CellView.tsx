import type { ReactNode } from 'react';
import type { Cell, Unit } from '../../../../shared/cards.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { citeText, Swatch } from '../basis.tsx';
import { FigureText } from '../figure.tsx';
import { DASH, formatTime, isNoun, type Scale } from '../format.ts';
import { shortRef } from '../short-ref.ts';

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
      return <Feature id={cell.id} title={cell.title} />;
    case 'figure':
      return (
        <FigureText
          figure={cell.figure}
          onOpen={card.openFigure}
          label={label}
          {...writing(cell.figure.unit, label, on)}
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

/** A feature by its short id and title; a long id gives way to the title. */
function Feature({ id, title }: { id: string; title: string }): ReactNode {
  const short = shortRef(id);
  if (short === null) return <span title={id}>{title === '' ? id : title}</span>;
  return (
    <>
      <span className="id">{short}</span>
      {title}
    </>
  );
}

/** How a figure is written under a heading: without its unit only where the heading says it. */
function writing(unit: Unit, label: string, on: Scale | undefined): { show: 'bare' | 'full'; on?: Scale } {
  const heading = label.toLowerCase();
  if (isNoun(unit)) return heading.includes(unit.slice(0, -1)) ? { show: 'bare', on } : { show: 'full' };
  return unit === 'points' && !heading.includes('of 10') ? { show: 'full' } : { show: 'full', on };
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
  // A noun stands in the heading, and so may a unit; any other unit stands once, after the last figure of the change.
  const said = isNoun(cell.counted.unit) || (on !== undefined && label.endsWith(`, ${on.short}`));
  const unitAt = said ? null : cell.counted.value === null ? 'claimed' : 'counted';
  const shown = (at: 'claimed' | 'counted') => (unitAt === at ? 'full' : 'bare');
  return (
    <span className="chg">
      <span className="cl0">
        <Side figure={cell.claimed} {...side} show={shown('claimed')} label={`${label}, claimed`} />
      </span>
      <span className="ar" aria-hidden="true">
        →
      </span>
      <span className="vh"> claimed, </span>
      <span className="to">
        <Side figure={cell.counted} {...side} show={shown('counted')} label={`${label}, counted`} />
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
