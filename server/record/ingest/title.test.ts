import { describe, expect, it } from 'vitest';
import { titleOf } from './title.ts';

describe('titleOf', () => {
  it.each([
    ['Loading skeletons: grey placeholders pulse while data loads', 'Loading skeletons'],
    ['Auto-refresh: polls every 30 seconds', 'Auto-refresh'],
    // Without a short part before a colon: six words, and none of them left hanging.
    ['Search box over the list and a filter for kinds of rows', 'Search box over the list'],
    ['Table of rows', 'Table of rows'],
    ['Page for rows, sorted', 'Page for rows, sorted'],
    // A colon inside a word is none.
    ['Serves localhost:3000 and shows a heading there', 'Serves localhost:3000 and shows a heading'],
    [
      'A long beginning that goes on for more than forty characters: and then a colon',
      'A long beginning that goes',
    ],
    ['  spread \n over\tlines: here ', 'spread over lines'],
  ])('%j is "%s"', (description, title) => {
    expect(titleOf(description)).toBe(title);
  });

  it('has none for nothing, and bounds one endless word', () => {
    expect(titleOf('  ')).toBeNull();
    expect(titleOf('x'.repeat(10_000))?.length).toBeLessThanOrEqual(80);
  });
});
