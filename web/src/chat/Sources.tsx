import type { ReactNode } from 'react';
import type { Health } from '../../../shared/wire.ts';
import { Shape } from '../cards/shape.tsx';
import { plural } from '../lib/words.ts';

type Source = NonNullable<Health['record']>['sources'][number];

/** Sources shown at once; the rest opens. */
const SHOWN = 8;

/** What is wrong comes first, then what tells most. */
const weight = (source: Source): number =>
  (source.disputed ? 2e9 : 0) + (source.issues > 0 ? 1e9 : 0) + source.facts;

function List({ sources }: { sources: readonly Source[] }): ReactNode {
  return (
    <ul className="plog">
      {sources.map((source) => (
        <li key={`${source.kind} ${source.label}`}>
          <Shape name={source.disputed ? 'diamond' : source.issues > 0 ? 'bang' : 'check'} />
          <span className="name mono" title={source.label}>
            {source.label}
          </span>
          {source.disputed ? <span className="vh">disputed, </span> : null}
          <span>
            {plural(source.facts, 'fact')}, {source.basis}
            {source.issues > 0 ? `, ${plural(source.issues, 'finding')}` : ''}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The files a record was read from: how many facts each gave, on which basis, and whether another disagrees. */
export function Sources({ health }: { health: Health | null }): ReactNode {
  const all = health?.record?.sources ?? [];
  if (all.length === 0) return null;
  const sources = all.length <= SHOWN + 2 ? all : [...all].sort((a, b) => weight(b) - weight(a));
  const first = all.length <= SHOWN + 2 ? sources : sources.slice(0, SHOWN);
  const rest = sources.slice(first.length);
  return (
    <section className="turn" aria-labelledby="sources-title">
      <p className="cl" id="sources-title">
        Sources of this record
      </p>
      <List sources={first} />
      {rest.length === 0 ? null : (
        <details>
          <summary>{plural(rest.length, 'more source')}</summary>
          <List sources={rest} />
        </details>
      )}
    </section>
  );
}
