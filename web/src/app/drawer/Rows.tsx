import type { ReactNode } from 'react';
import type { Evidence } from '../../../../shared/wire.ts';
import { BasisTag } from '../../cards/basis.tsx';
import { formatFigure } from '../../cards/format.ts';

type Row = Evidence['rows'][number];

const place = (row: Row): string => (row.line === null ? row.source : `${row.source}:${row.line}`);

/** The rows a figure was computed from; the counted ones stand out. */
export function Rows({ evidence }: { evidence: Evidence }): ReactNode {
  const { rows, total } = evidence;
  if (rows.length === 0) {
    return (
      <section>
        <h3>Rows</h3>
        <p className="quiet">No row of the record has this figure.</p>
      </section>
    );
  }
  // One label for all rows is what the heading says already.
  const labelled = new Set(rows.map((row) => row.label)).size > 1;
  return (
    <section>
      <h3>
        Rows
        <span>
          {rows.length} of {Math.max(total, rows.length)}
        </span>
      </h3>
      <div className="rows-box">
        <table className="rows">
          <thead>
            <tr>
              {labelled ? <th scope="col">row</th> : null}
              <th scope="col">basis</th>
              <th scope="col" className="r">
                value
              </th>
              <th scope="col">source</th>
              <th scope="col">how it was read</th>
              <th scope="col">
                <span className="vh">counted</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows
              .map((row, index) => ({ row, key: `${index} ${place(row)}` }))
              .map(({ row, key }) => (
                <tr key={key} className={row.counted ? 'on' : undefined}>
                  {labelled ? <td className="label">{row.label}</td> : null}
                  <td>
                    <BasisTag basis={row.basis} />
                  </td>
                  <td className="r">{formatFigure(row)}</td>
                  <td className="mono">{place(row)}</td>
                  <td>{row.how}</td>
                  <td className="r">{row.counted ? 'counted' : ''}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
