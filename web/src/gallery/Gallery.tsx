import { type ReactNode, useEffect, useMemo } from 'react';
import { createCatalog } from '../a2ui/catalog.ts';
import { createHost } from '../a2ui/host.ts';
import type { PageActions } from '../a2ui/page-context.ts';
import { Surface } from '../a2ui/Surface.tsx';
import { cards } from '../cards/index.ts';
import { type Shelf, shelves } from './shelves.ts';

const catalog = createCatalog(cards);

/** Nothing opens here; what a card reports goes to the console, where the browser tests see it. */
const page: PageActions = {
  openEvidence: () => undefined,
  cardFailed: (surface, card, error) => console.error(`${surface} ${card}`, error),
  busy: false,
  pinCard: { ready: true, open: () => undefined },
};

/** Every card in every case there is a sample of. */
export function Gallery({ only }: { only: string | null }): ReactNode {
  const shown = only === null ? shelves : shelves.filter((shelf) => shelf.component === only);
  return (
    <main className="gallery">
      <h1>Gallery</h1>
      <nav aria-label="Kinds of cards">
        <ul>
          {shelves.map(({ component, cards: { length } }) => (
            <li key={component}>
              <a href={`?only=${component}`}>{component}</a> {length}
            </li>
          ))}
        </ul>
      </nav>
      {shown.map((shelf) => (
        <Row key={shelf.component} shelf={shelf} />
      ))}
    </main>
  );
}

function Row({ shelf }: { shelf: Shelf }): ReactNode {
  const host = useMemo(
    () =>
      createHost(catalog, {
        onAction: () => undefined,
        onRefusal: (surface, refusal) => console.error(`${surface} refused`, refusal),
        onCard: () => undefined,
      }),
    [],
  );
  useEffect(() => {
    for (const message of shelf.messages) host.push(message);
    host.flush();
  }, [host, shelf]);
  return (
    <section id={shelf.component}>
      <p className="gallery-kind mono">{shelf.component}</p>
      <Surface host={host} page={page} live={false} />
    </section>
  );
}
