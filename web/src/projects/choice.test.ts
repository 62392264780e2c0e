import { expect, it } from 'vitest';
import type { ProjectInfo } from '../../../shared/wire.ts';
import { aboutWords, choiceOf, chosenProject } from './choice.ts';
import { readProjectRefs } from './read.ts';

const project = (id: string): ProjectInfo => ({
  id,
  name: id.toUpperCase(),
  path: `data/${id}`,
  harnesses: [],
  state: 'ready',
  features: 1,
  findings: 0,
});
const ALL = [project('a'), project('b'), project('c')];

it('the default project is the first one, however it is named', () => {
  expect(choiceOf('a', ALL)).toBeNull();
  expect(choiceOf('b', ALL)).toBe('b');
  expect(choiceOf(null, ALL)).toBeNull();
  expect(choiceOf('a', [])).toBe('a');
  expect(chosenProject(null, ALL)?.id).toBe('a');
  expect(chosenProject('c', ALL)?.id).toBe('c');
  expect(chosenProject('gone', ALL)).toBeNull();
  expect(chosenProject(null, [])).toBeNull();
});

it('says what an answer is about only where there is a choice', () => {
  expect(aboutWords([project('b')], ALL)).toBe('About B');
  expect(aboutWords(ALL, ALL)).toBe('Compares A, B and C, each by its own record');
  expect(aboutWords(ALL.slice(0, 2), ALL)).toBe('Compares A and B, each by its own record');
  expect(aboutWords([project('a')], [project('a')])).toBeNull();
  expect(aboutWords([], ALL)).toBeNull();
});

it('takes in names of projects only as far as they are ones', () => {
  expect(readProjectRefs([{ id: 'a', name: 'A' }, { id: '../x', name: 'X' }, 'b', { id: 'c' }])).toEqual([
    { id: 'a', name: 'A' },
    { id: 'c', name: 'c' },
  ]);
  expect(readProjectRefs(null)).toEqual([]);
  expect(readProjectRefs(Array.from({ length: 40 }, (_, n) => ({ id: `p${n}`, name: '' })))).toHaveLength(12);
});
