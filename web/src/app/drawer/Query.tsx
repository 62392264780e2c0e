import type { ReactNode } from 'react';
import type { Evidence } from '../../../../shared/wire.ts';
import { sqlParts } from './sql-parts.ts';

/** The compiled query, with the values that stood in for its parameters. */
export function Query({ evidence }: { evidence: Evidence }): ReactNode {
  if (evidence.sql === '') return null;
  return (
    <section>
      <h3>
        Query<span>compiled from the card, {evidence.ms.toFixed(1)} ms</span>
      </h3>
      <pre className="code">
        {sqlParts(evidence.sql).map(({ at, kind, text }) =>
          kind === null ? (
            text
          ) : (
            <span key={at} className={kind}>
              {text}
            </span>
          ),
        )}
      </pre>
      {evidence.params.length === 0 ? null : (
        <dl className="params">
          {evidence.params
            .map((value, index) => ({ name: `$${index + 1}`, value }))
            .map(({ name, value }) => (
              <div key={name}>
                <dt className="mono">{name}</dt>
                <dd className="mono">
                  {value === null ? 'null' : typeof value === 'string' ? `'${value}'` : value}
                </dd>
              </div>
            ))}
        </dl>
      )}
    </section>
  );
}
