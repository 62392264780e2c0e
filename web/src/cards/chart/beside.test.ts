import { expect, it } from 'vitest';
import { besideBar } from './beside.ts';

it('stands after its bar, or after a line that would run through it', () => {
  expect(besideBar(100, 20, null)).toBe(106);
  expect(besideBar(100, 20, 60)).toBe(106);
  expect(besideBar(100, 20, 112)).toBe(118);
  expect(besideBar(100, 20, 101)).toBe(107);
  expect(besideBar(100, 20, 140)).toBe(106);
});
