import { expect, it } from 'vitest';
import { askedOnce } from './asked-once.ts';

it('asks equal questions once, and others each', async () => {
  const asked: string[] = [];
  const ask = askedOnce(async (sql, params = []) => {
    asked.push(`${sql} ${params.join(' ')}`);
    return [{ n: asked.length }];
  });
  expect(await ask('SELECT 1')).toEqual([{ n: 1 }]);
  expect(await ask('SELECT 1')).toEqual([{ n: 1 }]);
  expect(await ask('SELECT $1', ['a'])).toEqual([{ n: 2 }]);
  expect(await ask('SELECT $1', ['b'])).toEqual([{ n: 3 }]);
  expect(await ask('SELECT $1', ['a'])).toEqual([{ n: 2 }]);
  expect(asked).toEqual(['SELECT 1 ', 'SELECT $1 a', 'SELECT $1 b']);
});

it('keeps nothing large', async () => {
  let asked = 0;
  const ask = askedOnce(async () => {
    asked += 1;
    return Array.from({ length: 3_000 }, (_, n) => ({ n }));
  });
  await ask('SELECT');
  await ask('SELECT');
  expect(asked).toBe(2);
});
