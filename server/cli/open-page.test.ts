import { expect, it } from 'vitest';
import { canShowPage } from './open-page.ts';

it('opens a page only where somebody can look at it', () => {
  const tty = { isTTY: true };
  const screen = { DISPLAY: ':0' };
  expect(canShowPage({ stdout: tty, env: screen, platform: 'linux' })).toBe(true);
  expect(canShowPage({ stdout: tty, env: { WAYLAND_DISPLAY: 'w' }, platform: 'linux' })).toBe(true);
  expect(canShowPage({ stdout: tty, env: {}, platform: 'darwin' })).toBe(true);
  expect(canShowPage({ stdout: tty, env: { ...screen, CI: 'false' }, platform: 'linux' })).toBe(true);
  expect(canShowPage({ stdout: tty, env: {}, platform: 'linux' })).toBe(false);
  expect(canShowPage({ stdout: {}, env: screen, platform: 'linux' })).toBe(false);
  expect(canShowPage({ stdout: tty, env: { ...screen, CI: '1' }, platform: 'linux' })).toBe(false);
});
