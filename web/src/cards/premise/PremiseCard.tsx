import { Fragment, type ReactNode } from 'react';
import type { Basis, Figure, PremiseCard, PremiseRow, Unit } from '../../../../shared/cards.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { BasisTag, citeText, Swatch } from '../basis.tsx';
import { FigureText } from '../figure.tsx';
import { DASH } from '../format.ts';
import { CardFrame } from '../frame.tsx';
import { keyed } from '../keyed.ts';
import { Inlines } from '../prose.tsx';

interface PremiseViewProps {
  model: PremiseCard;
  card: CardChrome;
}

/** What the question takes for granted, and what each source says to it. */
export function PremiseView({ model, card }: PremiseViewProps): ReactNode {
  const { columns, rows, counted } = model;
  return (
    <CardFrame model={model} card={card} kind="premise" title="statement">
      <table className="src">
        <caption className="vh">What each source says</caption>
        <thead>
          <tr>
            <th scope="col">source</th>
            {keyed(columns, (column) => column.label).map(({ key, item }) => (
              <th key={key} scope="col">
                {item.unit === 'points' && !item.label.includes('of') ? `${item.label}, of 10` : item.label}
              </th>
            ))}
            <th scope="col">basis</th>
          </tr>
        </thead>
        <tbody>
          {keyed(rows, (row) => row.source).map(({ key, item }) => (
            <Row key={key} row={item} columns={columns} card={card} />
          ))}
        </tbody>
        {counted.length === 0 ? null : (
          <tfoot>
            <tr>
              <td colSpan={columns.length + 2}>
                <Inlines inlines={counted} chrome={card} />
              </td>
            </tr>
          </tfoot>
        )}
      </table>
    </CardFrame>
  );
}

interface RowProps {
  row: PremiseRow;
  columns: PremiseCard['columns'];
  card: CardChrome;
}

function Row({ row, columns, card }: RowProps): ReactNode {
  const place = citeText(row.cite) || row.source;
  return (
    <tr className={row.counted ? 'counted' : undefined}>
      <th scope="row" className="mono s-source" title={row.source}>
        {place}
        {row.counted ? <span className="vh"> (counted)</span> : null}
      </th>
      {keyed(columns, (column) => column.label).map(({ key, item }, index) => {
        const cell = row.cells[index];
        return (
          <td key={key} className={index === 0 ? 's-first' : 's-rest'} data-l={`${item.label} `}>
            {cell === undefined || cell.missing !== null ? (
              <span className="none">
                {DASH} {cell?.missing ?? 'not recorded'}
              </span>
            ) : (
              <>
                {item.unit === 'attempts' ? <Squares row={row} figures={cell.figures} /> : null}
                <Values cell={cell} column={item} card={card} />
                <OtherBasis figures={cell.figures} basis={row.basis} />
              </>
            )}
          </td>
        );
      })}
      <td className="s-basis">
        <BasisTag basis={row.basis} />
      </td>
    </tr>
  );
}

/** A value that stands on another basis than the rest of its row says so: a span between commits is worked out. */
function OtherBasis({ figures, basis }: { figures: readonly Figure[]; basis: Basis }): ReactNode {
  const other = figures.find((figure) => figure.basis !== basis)?.basis;
  return other === undefined ? null : <span className="s-other"> {other}</span>;
}

/** Most squares drawn for a count. */
const SQUARES = 10;

/** One square an attempt: hatched for a claim, solid for what was measured. */
function Squares({ row, figures }: { row: PremiseRow; figures: readonly Figure[] }): ReactNode {
  const [only] = figures;
  const count = figures.length === 1 ? (only?.value ?? 0) : 0;
  if (!Number.isInteger(count) || count < 1 || count > SQUARES) return null;
  const squares = keyed(Array.from({ length: count }, () => row.basis));
  return (
    <span className="n" aria-hidden="true">
      {squares.map(({ key, item }) => (
        <Swatch key={key} basis={item} />
      ))}
    </span>
  );
}

interface ValuesProps {
  cell: PremiseRow['cells'][number];
  column: { label: string; unit: Unit };
  card: CardChrome;
}

/** One value with its unit, or several in their order: "4 → 6 → 9", "120 + 140 + 159 s". */
function Values({ cell, column, card }: ValuesProps): ReactNode {
  const several = cell.figures.length > 1;
  const last = cell.figures.length - 1;
  return (
    <span className="several">
      {keyed(cell.figures).map(({ key, item }, index) => {
        const tail = index === last && item.unit !== 'points';
        return (
          <Fragment key={key}>
            {index === 0 ? null : <Join by={cell.join} />}
            {several && item.unit === 's' && item.value !== null ? (
              <Seconds figure={item} unit={tail} column={column} card={card} />
            ) : (
              <FigureText
                figure={item}
                onOpen={card.openFigure}
                label={column.label}
                show={several && !tail ? 'bare' : 'full'}
                marks={false}
              />
            )}
          </Fragment>
        );
      })}
    </span>
  );
}

/** Parts of one sum stay in seconds, however long each is. */
function Seconds(props: {
  figure: Figure;
  unit: boolean;
  column: { label: string };
  card: CardChrome;
}): ReactNode {
  const on = { unit: 's', divisor: 1, word: 'seconds', short: 's' } as const;
  return (
    <FigureText
      figure={props.figure}
      onOpen={props.card.openFigure}
      label={props.column.label}
      show={props.unit ? 'full' : 'bare'}
      on={on}
      marks={false}
    />
  );
}

function Join({ by }: { by: 'then' | 'plus' }): ReactNode {
  if (by === 'plus') return ' + ';
  return (
    <>
      <span className="arr" aria-hidden="true">
        →
      </span>
      <span className="vh"> then </span>
    </>
  );
}
