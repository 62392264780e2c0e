import { expect, it } from 'vitest';
import { createConversations, turnOf } from './conversation.ts';
import type { Turn } from './types.ts';

const turn = (question: string): Turn => ({
  question,
  about: { feature: null, scope: [] },
  measures: [],
  by: null,
  titles: [],
});

it('forgets the oldest turn of a conversation, and the conversation used least lately', () => {
  const kept = createConversations({ conversations: 2, turns: 2 });
  for (const question of ['1', '2', '3']) kept.add('a', turn(question));
  expect(kept.turns('a').map(({ question }) => question)).toEqual(['2', '3']);
  kept.add('b', turn('x'));
  kept.turns('a');
  kept.add('c', turn('y'));
  expect(kept.turns('b')).toEqual([]);
  expect(kept.turns('a')).toHaveLength(2);
  kept.add(undefined, turn('z'));
  expect(kept.turns(undefined)).toEqual([]);
});

it('remembers which queries an answer held', () => {
  const made = turnOf(
    'how?',
    {
      about: { feature: '28', scope: [] },
      facts: [
        {
          name: 'a',
          kind: 'value',
          measure: 'build_time',
          source: 'counted',
          by: null,
          scope: 'about',
          where: [],
        },
      ],
      premises: [],
      checks: [],
    },
    [
      {
        type: 'chart',
        title: 'Lines',
        measures: [{ measure: 'lines_added', source: 'counted' }],
        by: 'category',
        split: null,
        draw: 'bar',
        order: 'natural',
        size: 'all',
        scope: 'run',
        where: [],
        actions: [],
      },
      { type: 'note', title: 'Note', body: [], actions: [] },
    ],
  );
  expect(made).toEqual({
    question: 'how?',
    about: { feature: '28', scope: [] },
    measures: ['build_time', 'lines_added'],
    by: 'category',
    titles: ['Lines', 'Note'],
  });
});
