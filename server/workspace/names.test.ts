import { expect, it } from 'vitest';
import { ProjectId } from '../../shared/wire.ts';
import { namesOf } from './names.ts';

it('names projects by their folders', () => {
  expect(namesOf(['/home/me/Agent Forge'])).toEqual([
    { id: 'agent-forge', name: 'Agent Forge', label: 'me/Agent Forge' },
  ]);
});

it('tells folders of one name apart', () => {
  expect(namesOf(['/a/left/shop', '/a/right/shop', '/b/left/shop', '/c/Shop'])).toEqual([
    { id: 'shop', name: 'left/shop', label: 'left/shop' },
    { id: 'shop-2', name: 'right/shop', label: 'right/shop' },
    { id: 'shop-3', name: 'left/shop-2', label: 'left/shop' },
    { id: 'shop-4', name: 'c/Shop', label: 'c/Shop' },
  ]);
});

it('gives every folder an id that an address takes', () => {
  const folders = ['/', '/数据', '/-', `/${'long name '.repeat(20)}`, '/Ärger & Söhne', '/..x'];
  const names = namesOf(folders);
  for (const { id } of names) expect(ProjectId.safeParse(id).success).toBe(true);
  expect(names.map(({ id }) => id).slice(0, 3)).toEqual(['project', 'project-2', 'project-3']);
  expect(names[4]?.id).toBe('arger-sohne');
});
