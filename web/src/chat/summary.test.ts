import { expect, it } from 'vitest';
import { firstWords } from './summary.ts';

const said = (text: string) => firstWords([{ kind: 'p', inlines: [{ kind: 'text', text }] }]);

it('says a whole sentence, and goes on to the one with the figure', () => {
  expect(said('Not by what is counted. One source tells of 3 attempts. More is below.')).toBe(
    'Not by what is counted. One source tells of 3 attempts.',
  );
  expect(said('It took 3.2 times the median. More is below.')).toBe('It took 3.2 times the median.');
  expect(said('No end')).toBe('No end');
  expect(firstWords([])).toBe('');
});
