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
])('%s', (path, route) => {
  expect(parseRoute(path)).toEqual(route);
});

it('gives the path of a route', () => {
  expect(routePath({ view: 'start' })).toBe('/');
  expect(parseRoute(routePath({ view: 'answer', id: 'abc' }))).toEqual({ view: 'answer', id: 'abc' });
});

it('points at a figure of an answer', () => {
  expect(figureInHash(figureHash('q:12.a-b'))).toBe('q:12.a-b');
  expect(figureInHash('#figure=<b>')).toBeNull();
  expect(figureInHash('')).toBeNull();
});
