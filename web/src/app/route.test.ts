import { expect, it } from 'vitest';
import { figureHash } from '../lib/figure-hash.ts';
import { figureInHash, parseRoute, routePath } from './route.ts';

it.each([
  ['/', { view: 'start' }],
  ['/a/Xy_-9', { view: 'answer', id: 'Xy_-9' }],
  ['/a/x/', { view: 'answer', id: 'x' }],
  ['/a/', { view: 'start' }],
  ['/a/x/y', { view: 'start' }],
  ['/a/..%2f', { view: 'start' }],
  [`/a/${'x'.repeat(101)}`, { view: 'start' }],
  ['/elsewhere', { view: 'start' }],
  ['/b/x', { view: 'board', id: 'x' }],
  ['/p/shop-2', { view: 'start', project: 'shop-2' }],
  ['/p/shop-2/', { view: 'start', project: 'shop-2' }],
  ['/p/shop-2/a/x', { view: 'answer', id: 'x', project: 'shop-2' }],
  ['/p/shop-2/b/x/', { view: 'board', id: 'x', project: 'shop-2' }],
  ['/p/', { view: 'start' }],
  ['/p/-x', { view: 'start' }],
  ['/p/Shop/a/x', { view: 'start' }],
  ['/p/shop/c/x', { view: 'start' }],
])('%s', (path, route) => {
  expect(parseRoute(path)).toEqual(route);
});

it('gives the path of a route', () => {
  expect(routePath({ view: 'start' })).toBe('/');
  expect(routePath({ view: 'start', project: null })).toBe('/');
  expect(routePath({ view: 'start', project: 'shop' })).toBe('/p/shop');
  expect(routePath({ view: 'board', id: 'b', project: 'shop' })).toBe('/p/shop/b/b');
  expect(parseRoute(routePath({ view: 'answer', id: 'abc' }))).toEqual({ view: 'answer', id: 'abc' });
});

it('points at a figure of an answer', () => {
  expect(figureInHash(figureHash('q:12.a-b'))).toBe('q:12.a-b');
  expect(figureInHash('#figure=<b>')).toBeNull();
  expect(figureInHash('')).toBeNull();
});
