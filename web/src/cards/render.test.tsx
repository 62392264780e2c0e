// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react';
import fc from 'fast-check';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CARD_COMPONENTS, type CardComponent } from '../../../shared/catalog.ts';
import type { CardChrome, CardDefinition } from '../a2ui/types.ts';
import { definitions } from './definitions.ts';
import { type Sample, samples } from './fixtures/index.ts';

const chrome: CardChrome = {
  ask: () => undefined,
  openEvidence: () => undefined,
  openFigure: () => undefined,
  busy: false,
  pin: null,
  change: null,
};

function draw<M>(definition: CardDefinition<M>, value: unknown): ReactNode {
  return <definition.View model={definition.read(value)} card={chrome} />;
}

/** One case for each component, so that reader and view stay of one type. */
function cardOf(name: CardComponent, value: unknown): ReactNode {
  switch (name) {
    case 'PremiseCard':
      return draw(definitions.PremiseCard, value);
    case 'ConflictCard':
      return draw(definitions.ConflictCard, value);
    case 'AttemptsCard':
      return draw(definitions.AttemptsCard, value);
    case 'StatCard':
      return draw(definitions.StatCard, value);
    case 'LineChart':
      return draw(definitions.LineChart, value);
    case 'BarChart':
      return draw(definitions.BarChart, value);
    case 'DonutChart':
      return draw(definitions.DonutChart, value);
    case 'TableCard':
      return draw(definitions.TableCard, value);
    case 'LedgerCard':
      return draw(definitions.LedgerCard, value);
    case 'LogCard':
      return draw(definitions.LogCard, value);
    case 'TimelineCard':
      return draw(definitions.TimelineCard, value);
    case 'NoteCard':
      return draw(definitions.NoteCard, value);
    case 'EmptyCard':
      return draw(definitions.EmptyCard, value);
    case 'CardSkeleton':
      return draw(definitions.CardSkeleton, value);
  }
}

/** Replaces values anywhere in a card by others, so that the shape is nearly right and the content is not. */
function damaged(value: unknown, dice: () => number, other: () => unknown): unknown {
  if (dice() < 0.06) return other();
  if (Array.isArray(value)) return value.map((item) => damaged(item, dice, other));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, damaged(item, dice, other)]));
}

const numbers = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, 1e300, -1e300, 1e-300, Number.MAX_VALUE, -1, 0.5, 1e15),
);
const anything = fc.oneof(
  numbers,
  fc.jsonValue(),
  fc.constantFrom('<img src=x onerror=alert(1)>', '__proto__', ''),
);

const nearly = (sample: Sample): fc.Arbitrary<unknown> =>
  fc
    .tuple(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), fc.infiniteStream(anything))
    .map(([dice, others]) => {
      const roll = () => dice.next().value;
      const other = () => others.next().value;
      return damaged(structuredClone(sample.data), roll, other);
    });

/** No attribute of a drawing and no place of a label is anything but a number. */
function expectDrawable(container: Element): void {
  for (const element of container.querySelectorAll('svg, svg *, [style]'))
    for (const { name, value } of element.attributes)
      if (!name.startsWith('aria-')) expect(`${name}=${value}`).not.toMatch(/\bNaN\b|\bInfinity\b/);
}

afterEach(cleanup);

/** Cards whose whole view is loaded when first needed. */
const LAZY: ReadonlySet<string> = new Set(['LedgerCard', 'LogCard', 'TimelineCard']);

// The drawings are loaded when first needed; from here on they are there.
beforeAll(async () => {
  const { container } = render(
    samples
      .filter((sample) => sample.component.endsWith('Chart') || LAZY.has(sample.component))
      .map((sample) => <div key={sample.data.id}>{cardOf(sample.component, sample.data)}</div>),
  );
  await act(async () => {
    await Promise.all([
      import('./chart/plots/RowPlot.tsx'),
      import('./chart/plots/ColumnPlot.tsx'),
      import('./chart/plots/LinePlot.tsx'),
      import('./chart/plots/Ring.tsx'),
      import('./ledger/LedgerCard.tsx'),
      import('./log/LogCard.tsx'),
      import('./timeline/TimelineCard.tsx'),
      import('./timeline/Lanes.tsx'),
      import('./timeline/Strip.tsx'),
    ]);
  });
  await act(async () => undefined);
  await act(async () => undefined);
  for (const kind of ['ledger', 'log', 'timeline'])
    expect(container.querySelector(`.card-${kind}`)).not.toBeNull();
  expect(container.querySelectorAll('.recharts-surface').length).toBeGreaterThan(10);
});

describe('views', () => {
  it.each(samples.map((sample) => [sample.data.id, sample] as const))('draw %s', (_, sample) => {
    const { container } = render(cardOf(sample.component, sample.data));
    expect(container.querySelector('section.card')).not.toBeNull();
    expect(container.textContent).toContain(sample.data.title);
    expect(container.textContent).not.toMatch(/NaN|undefined|\[object|Infinity/);
    for (const drawing of container.querySelectorAll('[role="img"]'))
      expect(drawing.getAttribute('aria-label')?.length).toBeGreaterThan(5);
    expectDrawable(container);
    cleanup();
  });

  it.each(CARD_COMPONENTS)('%s draws whatever its reader makes of any JSON', (name) => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { container } = render(cardOf(name, value));
        expect(container.querySelector('section.card')).not.toBeNull();
        cleanup();
      }),
      { numRuns: 40 },
    );
  });

  it.each(samples.map((sample) => [sample.data.id, sample] as const))('draw a damaged %s', (_, sample) => {
    fc.assert(
      fc.property(nearly(sample), (value) => {
        const { container } = render(cardOf(sample.component, value));
        expect(container.querySelector('section.card')).not.toBeNull();
        expect(container.querySelector('img, script, iframe, style')).toBeNull();
        expectDrawable(container);
        cleanup();
      }),
      { numRuns: 12 },
    );
  });
});
