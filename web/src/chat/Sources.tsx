import type { ReactNode } from 'react';
import type { Health } from '../../../shared/wire.ts';
import { Shape } from '../cards/shape.tsx';
import { plural } from '../lib/words.ts';

/** The files a record was read from: how many facts each gave, on which basis, and whether another disagrees. */
export function Sources({ health }: { health: Health | null }): ReactNode {
  const sources = health?.record?.sources ?? [];
  if (sources.length === 0) return null;
  return (
    <section className="turn" aria-labelledby="sources-title">
      <p className="cl" id="sources-title">
        Sources of this record
      </p>
      <ul className="plog">
        {sources.map((source) => (
          <li key={`${source.kind} ${source.label}`}>
            <Shape name={source.disputed ? 'diamond' : source.issues > 0 ? 'bang' : 'check'} />
            <span className="name mono">{source.label}</span>
            {source.disputed ? <span className="vh">disputed, </span> : null}
            <span>
              {plural(source.facts, 'fact')}, {source.basis}
              {source.issues > 0 ? `, ${plural(source.issues, 'finding')}` : ''}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
