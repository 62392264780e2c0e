import { describe, expect, it } from 'vitest';
import { CARD_COMPONENTS, CATALOG_ID } from '../../shared/catalog.ts';
import { LIMITS } from '../../shared/limits.ts';
import { createGuard, type Guard, isCardId } from './check.ts';
import {
  type Component,
  cardComponent,
  createSurface,
  type Envelope,
  rootComponent,
  updateComponents,
  updateData,
} from './envelope.ts';
import { unsafeJson } from './json-safe.ts';
import { catalogSchema, messageValidator } from './schema.ts';
import { brokenTree } from './topology.ts';

function opened(): Guard {
  const guard = createGuard('s1');
  expect(guard.check(createSurface('s1'))).toEqual({ ok: true });
  expect(guard.check(updateComponents('s1', [rootComponent([])]))).toEqual({ ok: true });
  return guard;
}
const components = (list: Component[]): Envelope => updateComponents('s1', list);

describe('the official schema with our catalog', () => {
  const valid = (message: unknown): boolean => messageValidator()(message);

  it('takes every component of the catalog', () => {
    for (const name of CARD_COMPONENTS)
      expect(valid(components([cardComponent('c0', name)])), name).toBe(true);
  });

  it('refuses other versions, unknown components, foreign props, functions and empty updates', () => {
    const card = cardComponent('c0', 'NoteCard');
    for (const message of [
      null,
      {},
      { ...createSurface('s1'), version: 'v1.0' },
      { ...createSurface('s1'), ...updateData('s1', '/layout', {}) },
      components([]),
      {
        version: 'v0.9',
        updateComponents: { surfaceId: 's1', components: [{ ...card, component: 'Text' }] },
      },
      { version: 'v0.9', updateComponents: { surfaceId: 's1', components: [{ ...card, extra: 1 }] } },
      { version: 'v0.9', updateComponents: { surfaceId: 's1', components: [{ ...card, id: undefined }] } },
      {
        version: 'v0.9',
        updateComponents: { surfaceId: 's1', components: [{ ...card, spec: { rows: [] } }] },
      },
      {
        version: 'v0.9',
        updateComponents: { surfaceId: 's1', components: [{ ...card, spec: { call: 'openUrl', args: {} } }] },
      },
      {
        version: 'v0.9',
        updateComponents: { surfaceId: 's1', components: [{ ...card, spec: { path: '/__proto__/x/../y' } }] },
      },
      {
        version: 'v0.9',
        createSurface: { surfaceId: 's1', catalogId: CATALOG_ID, theme: { primaryColor: '#ff0000' } },
      },
    ])
      expect(valid(message), JSON.stringify(message)).toBe(false);
  });

  it('publishes the catalog under its own id, without functions', () => {
    expect(catalogSchema()).toMatchObject({ $id: CATALOG_ID, catalogId: CATALOG_ID, functions: {} });
  });
});

describe('guard', () => {
  it('wants the surface first, once, with our catalog', () => {
    expect(createGuard('s1').check(updateData('s1', '/layout', {}))).toMatchObject({ ok: false });
    expect(opened().check(createSurface('s1'))).toMatchObject({ ok: false, code: 'envelope_invalid' });
    expect(createGuard('s1').check(createSurface('s2'))).toMatchObject({ ok: false });
    const other: Envelope = {
      version: 'v0.9',
      createSurface: { surfaceId: 's1', catalogId: 'https://a2ui.org/x' },
    };
    expect(createGuard('s1').check(other)).toMatchObject({ ok: false, why: 'another catalog' });
  });

  it('lets data go only to a bound path, as a whole value', () => {
    const guard = opened();
    expect(guard.check(updateData('s1', '/cards/c0', { a: 1 }))).toEqual({ ok: true });
    for (const path of [
      '/',
      '',
      '/cards',
      '/cards/',
      '/cards/c0/rows',
      '/cards/0',
      '/cards/__proto__',
      '/cards/constructor',
      '/layout/spans',
      '/other',
    ])
      expect(guard.check(updateData('s1', path, {})), path).toMatchObject({ ok: false });
    for (const value of [undefined, null])
      expect(guard.check(updateData('s1', '/cards/c0', value))).toMatchObject({ ok: false });
    expect(guard.check(updateData('s2', '/cards/c0', {}))).toMatchObject({ ok: false });
  });

  it('refuses data that is not plain JSON', () => {
    const guard = opened();
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    for (const value of [
      Number.NaN,
      { a: Number.POSITIVE_INFINITY },
      { a: 1n },
      { a: new Date() },
      { a: () => 1 },
      [undefined],
      JSON.parse('{"x":{"__proto__":1}}'),
      JSON.parse('{"constructor":1}'),
      cycle,
    ])
      expect(guard.check(updateData('s1', '/cards/c0', value))).toMatchObject({
        ok: false,
        code: 'envelope_invalid',
      });
  });

  it('caps the bytes of one message', () => {
    const guard = opened();
    expect(
      guard.check(updateData('s1', '/cards/c0', { a: 'é'.repeat(LIMITS.envelopeBytes / 2) })),
    ).toMatchObject({ why: 'too many bytes' });
    expect(guard.check(updateData('s1', '/cards/c0', { a: 'e'.repeat(LIMITS.envelopeBytes / 2) }))).toEqual({
      ok: true,
    });
  });

  it('keeps the tree whole: no orphan, dangling child, second parent, twin or foreign binding', () => {
    const card = cardComponent('c0', 'NoteCard');
    const cases: [string, Component[]][] = [
      ['orphan', [card]],
      ['dangling child', [rootComponent(['c0'])]],
      ['the root in itself', [rootComponent(['root'])]],
      ['the same child twice', [card, rootComponent(['c0', 'c0'])]],
      ['the same id twice', [card, card, rootComponent(['c0'])]],
      ['another container', [{ ...rootComponent([]), id: 'c0' }, rootComponent(['c0'])]],
      ['a card as the root', [cardComponent('root', 'NoteCard')]],
      [
        'a binding to another card',
        [{ id: 'c0', component: 'NoteCard', spec: { path: '/cards/c1' } }, rootComponent(['c0'])],
      ],
      [
        'a layout elsewhere',
        [{ id: 'root', component: 'Dashboard', children: [], layout: { path: '/cards/c0' } }],
      ],
      ['an id that is a number', [cardComponent('0', 'NoteCard'), rootComponent(['0'])]],
    ];
    for (const [name, list] of cases)
      expect(opened().check(components(list)), name).toMatchObject({ ok: false });
    expect(opened().check(components([card, rootComponent(['c0'])]))).toEqual({ ok: true });
  });

  it('keeps what it accepted when it refuses', () => {
    const guard = opened();
    guard.check(components([cardComponent('c0', 'NoteCard'), rootComponent(['c0'])]));
    expect(guard.check(components([cardComponent('c1', 'NoteCard')]))).toMatchObject({ ok: false });
    expect(guard.check(components([cardComponent('c1', 'NoteCard'), rootComponent(['c0', 'c1'])]))).toEqual({
      ok: true,
    });
    expect(guard.check(components([rootComponent(['c1'])]))).toEqual({ ok: true });
  });

  it('has room for sixty components', () => {
    const ids = Array.from({ length: LIMITS.components }, (_, n) => `c${n}`);
    const list = (n: number): Envelope =>
      components([
        ...ids.slice(0, n).map((id) => cardComponent(id, 'NoteCard')),
        rootComponent(ids.slice(0, n)),
      ]);
    expect(opened().check(list(LIMITS.components - 1))).toEqual({ ok: true });
    expect(opened().check(list(LIMITS.components))).toMatchObject({ why: 'too many components' });
  });
});

describe('tree', () => {
  const limits = { components: 60, depth: 8 };
  it('finds what is broken, at any depth, without recursion', () => {
    const chain = (n: number) =>
      new Map(Array.from({ length: n }, (_, i) => [`n${i}`, i + 1 < n ? [`n${i + 1}`] : []]));
    expect(brokenTree(chain(8), 'n0', [], limits)).toBeNull();
    expect(brokenTree(chain(9), 'n0', [], limits)).toBe('nested too deep');
    expect(brokenTree(chain(5_000), 'n0', [], { components: 10_000, depth: 10_000 })).toBeNull();
    expect(
      brokenTree(
        new Map([
          ['a', ['b']],
          ['b', ['a']],
        ]),
        'a',
        [],
        limits,
      ),
    ).toContain('twice');
    expect(brokenTree(new Map(), 'root', [], limits)).toBe('no root');
  });
});

describe('ids and values', () => {
  it('knows ids that are safe in a path', () => {
    for (const id of ['c0', 'premise', 'premise1', 'end', 'a-b_c']) expect(isCardId(id), id).toBe(true);
    for (const id of [
      '',
      '0',
      'root',
      '__proto__',
      'constructor',
      'prototype',
      'a/b',
      'a~b',
      'é',
      'a'.repeat(65),
    ])
      expect(isCardId(id), id).toBe(false);
  });

  it('ends on depth and number', () => {
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
    expect(unsafeJson(deep)).toBe('nested too deep');
    expect(unsafeJson(Array.from({ length: 300_000 }, () => 1))).toBe('too many values');
    expect(unsafeJson({ a: undefined, b: [null, true, 'x', 1.5] })).toBeNull();
  });
});
