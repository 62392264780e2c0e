// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import { type ReactNode, StrictMode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CATALOG_ID, type CardComponent } from '../../../shared/catalog.ts';
import { isRecord, text } from '../lib/unknown.ts';
import { createCatalog } from './catalog.ts';
import { defineCard } from './define-card.tsx';
import { createHost, type Host, type HostListener } from './host.ts';
import type { PageActions } from './page-context.ts';
import { Surface } from './Surface.tsx';

const renders = new Map<string, number>();

/** A card that shows its title, counts its drawings, asks on press, and throws when told to. */
const testCard = (name: CardComponent) =>
  defineCard<{ title: string; bad: boolean }>({
    name,
    read: (value) => ({
      title: (isRecord(value) ? text(value.title) : null) ?? 'no title',
      bad: isRecord(value) && value.bad === true,
    }),
    View({ model, card }): ReactNode {
      renders.set(model.title, (renders.get(model.title) ?? 0) + 1);
      if (model.bad) throw new Error(`cannot draw ${model.title}`);
      return (
        <section>
          <h2>{model.title}</h2>
          <em>{name}</em>
          <button type="button" onClick={() => card.ask('Why', 'why was it slow?')}>
            ask {model.title}
          </button>
          <button type="button" onClick={() => card.openFigure('q2', 'time')}>
            open {model.title}
          </button>
        </section>
      );
    },
  });

const catalog = createCatalog([testCard('CardSkeleton'), testCard('NoteCard'), testCard('StatCard')]);

const v = { version: 'v0.9' } as const;
const open = { ...v, createSurface: { surfaceId: 's1', catalogId: CATALOG_ID } };
const data = (path: string, value: unknown) => ({ ...v, updateDataModel: { surfaceId: 's1', path, value } });
const card = (id: string, component: string) => ({ id, component, spec: { path: `/cards/${id}` } });
const root = (...children: string[]) => ({
  id: 'root',
  component: 'Dashboard',
  children,
  layout: { path: '/layout' },
});
const components = (...list: object[]) => ({ ...v, updateComponents: { surfaceId: 's1', components: list } });
const layout = (spans: object, slot = 0) => data('/layout', { spans, slot });

let host: Host;
let listener: { [K in keyof HostListener]: ReturnType<typeof vi.fn<HostListener[K]>> };
let page: {
  [K in keyof Omit<PageActions, 'busy' | 'pinCard' | 'changeCard'>]: ReturnType<typeof vi.fn<PageActions[K]>>;
} & {
  busy: boolean;
};

const send = (...messages: unknown[]) =>
  act(() => {
    for (const message of messages) host.push(message);
    host.flush();
  });

beforeEach(() => {
  renders.clear();
  listener = { onAction: vi.fn(), onRefusal: vi.fn(), onCard: vi.fn() };
  page = { openEvidence: vi.fn(), cardFailed: vi.fn(), busy: false };
  host = createHost(catalog, listener, () => () => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  host.dispose();
});

const mount = () =>
  render(
    <StrictMode>
      <Surface host={host} page={page} live />
    </StrictMode>,
  );

const two = [
  open,
  data('/cards/c1', { title: 'One', evidence: ['q1', 'q2'] }),
  data('/cards/c2', { title: 'Two' }),
  layout({ c1: 7, c2: 5 }),
  components(card('c1', 'NoteCard'), card('c2', 'StatCard'), root('c1', 'c2')),
];

describe('a surface', () => {
  it('draws cards in their spans, and never a placeholder of the library', () => {
    const { container } = mount();
    send(...two);
    expect(screen.getByText('One')).toBeTruthy();
    expect(container.querySelector('[data-card=c1]')?.className).toBe('cell w7');
    expect(container.querySelector('[data-card=c2]')?.className).toBe('cell w5');
    expect(container.querySelector('.surface')?.hasAttribute('hidden')).toBe(false);
    expect(container.textContent).not.toContain('[Loading');
    expect(listener.onRefusal).not.toHaveBeenCalled();
  });

  it('holds a slot for a card that is not yet named', () => {
    const { container } = mount();
    send(
      open,
      data('/cards/c1', { title: 'One' }),
      layout({ c1: 7 }, 5),
      components(card('c1', 'NoteCard'), root('c1')),
    );
    expect(container.querySelector('.slot')?.textContent).toBe('card 2, title not yet known');
    send(layout({ c1: 7 }));
    expect(container.querySelector('.slot')).toBeNull();
  });

  it('retypes a skeleton in its place and tells of each finished card once', () => {
    const { container } = mount();
    send(
      open,
      data('/cards/c1', { title: 'One' }),
      layout({ c1: 12 }),
      components(card('c1', 'CardSkeleton'), root('c1')),
    );
    const cell = container.querySelector('[data-card=c1]');
    expect(cell?.textContent).toContain('CardSkeleton');
    expect(listener.onCard).not.toHaveBeenCalled();
    send(data('/cards/c1', { title: 'One, done' }), components(card('c1', 'NoteCard'), root('c1')));
    expect(container.querySelector('[data-card=c1]')).toBe(cell);
    expect(cell?.textContent).toContain('NoteCard');
    expect(cell?.textContent).toContain('One, done');
    send(components(card('c1', 'NoteCard'), root('c1')));
    expect(listener.onCard.mock.calls).toEqual([[{ id: 'c1', title: 'One, done', n: 1 }]]);
  });

  it('draws only what the final replace changed', () => {
    mount();
    send(...two);
    const before = new Map(renders);
    const section = screen.getByText('One').closest('section');
    send(
      data('/cards', { c1: { title: 'One', evidence: ['q1', 'q2'] }, c2: { title: 'Two, corrected' } }),
      layout({ c1: 7, c2: 5 }),
      components(card('c1', 'NoteCard'), card('c2', 'StatCard'), root('c1', 'c2')),
    );
    expect(screen.getByText('Two, corrected')).toBeTruthy();
    expect(renders.get('One')).toBe(before.get('One'));
    expect(screen.getByText('One').closest('section')).toBe(section);
  });

  it('does not draw a card again when only an equal value is sent', () => {
    mount();
    send(...two);
    const before = new Map(renders);
    send(data('/cards/c1', { title: 'One', evidence: ['q1', 'q2'] }));
    expect(renders).toEqual(before);
  });
});

describe('a card that throws', () => {
  it('takes down only itself, is reported, and comes back with new data', () => {
    mount();
    send(...two);
    send(data('/cards/c2', { title: 'Broken', bad: true }));
    expect(screen.getByText('One')).toBeTruthy();
    expect(screen.getByText('Two')).toBeTruthy();
    expect(screen.getByText(/last good drawing/)).toBeTruthy();
    expect(page.cardFailed).toHaveBeenCalledTimes(1);
    expect(page.cardFailed.mock.calls[0]?.slice(0, 2)).toEqual(['s1', 'c2']);
    send(data('/cards/c2', { title: 'Two again' }));
    expect(screen.getByText('Two again')).toBeTruthy();
    expect(screen.queryByText(/last good drawing/)).toBeNull();
  });

  it('says so when there is no earlier drawing', () => {
    mount();
    send(
      open,
      data('/cards/c1', { title: 'Bad', bad: true }),
      layout({}),
      components(card('c1', 'NoteCard'), root('c1')),
    );
    expect(screen.getByText('This card could not be drawn')).toBeTruthy();
    send(data('/cards/c1', { title: 'Good' }));
    expect(screen.getByText('Good')).toBeTruthy();
  });
});

describe('what is refused', () => {
  it('an unknown component, while the rest of its message is drawn', () => {
    const { container } = mount();
    send(open, data('/cards/c1', { title: 'One' }), layout({}));
    send(components(card('c1', 'NoteCard'), card('c9', 'Iframe'), root('c1', 'c9')));
    expect(screen.getByText('One')).toBeTruthy();
    expect(container.textContent).not.toMatch(/Unknown component|Loading/);
    expect(container.querySelector('[data-card=c9]')).toBeNull();
    expect(listener.onRefusal.mock.calls[0]).toEqual([
      's1',
      { code: 'UNKNOWN_COMPONENT_TYPE', path: '/components/c9', message: 'No component Iframe.' },
    ]);
  });

  it.each([
    ['null', null],
    ['a number', 7],
    ['an empty object', {}],
    ['another version', { ...open, version: 'v1.0' }],
    ['two messages in one', { ...open, ...data('/', {}) }],
    ['no components', { ...v, updateComponents: { surfaceId: 's1' } }],
    ['a path below a bound one', data('/cards/c1/title', 'x')],
    ['a prototype path', data('/__proto__/x', 1)],
    ['a primitive as all data', data('/', 3)],
    ['another surface', { ...v, updateDataModel: { surfaceId: 's2', path: '/layout', value: {} } }],
    ['a second surface', { ...v, createSurface: { surfaceId: 's2', catalogId: CATALOG_ID } }],
    ['removal of the surface', { ...v, deleteSurface: { surfaceId: 's1' } }],
    ['a card as the root', components({ id: 'root', component: 'NoteCard', spec: { path: '/cards/c1' } })],
  ])('%s, and what was drawn stays', (_name, message) => {
    mount();
    send(...two);
    send(message, data('/cards/c2', { title: 'After' }));
    expect(screen.getByText('One')).toBeTruthy();
    expect(screen.getByText('After')).toBeTruthy();
    expect(listener.onRefusal).toHaveBeenCalledTimes(1);
  });

  it('nothing of a repeated createSurface', () => {
    mount();
    send(...two, open);
    expect(screen.getByText('One')).toBeTruthy();
    expect(listener.onRefusal).not.toHaveBeenCalled();
  });

  it('a component beyond the limit', () => {
    mount();
    const many = Array.from({ length: 70 }, (_, i) => card(`m${i}`, 'NoteCard'));
    send(open, layout({}), data('/cards', {}), components(root(), ...many));
    expect(listener.onRefusal.mock.calls.every(([, refusal]) => refusal.code === 'TOO_MANY_COMPONENTS')).toBe(
      true,
    );
    expect(listener.onRefusal).toHaveBeenCalledTimes(11);
  });
});

describe('what a card may do', () => {
  it('asks with the one action of the catalog', async () => {
    mount();
    send(...two);
    await act(async () => screen.getByText('ask One').click());
    expect(listener.onAction).toHaveBeenCalledTimes(1);
    expect(listener.onAction.mock.calls[0]?.[0]).toMatchObject({
      name: 'refine',
      surfaceId: 's1',
      sourceComponentId: 'c1',
      context: { label: 'Why', request: 'why was it slow?' },
    });
  });

  it('opens a figure together with the other queries of its card', () => {
    mount();
    send(...two);
    act(() => screen.getByText('open One').click());
    expect(page.openEvidence).toHaveBeenCalledWith({
      queryId: 'q2',
      label: 'time',
      siblings: ['q1', 'q2'],
      mark: null,
    });
  });
});

it('processes one frame of messages at once, and leaves the sender its objects', () => {
  const tasks: (() => void)[] = [];
  const framed = createHost(catalog, listener, (task) => {
    tasks.push(task);
    return () => undefined;
  });
  const value = { title: 'Mine' };
  framed.push(open);
  framed.push(data('/cards/c1', value));
  expect(tasks).toHaveLength(1);
  expect(framed.surface()).toBeNull();
  tasks[0]?.();
  value.title = 'changed later';
  expect(framed.surface()?.dataModel.get('/cards/c1')).toEqual({ title: 'Mine' });
  framed.dispose();
});
