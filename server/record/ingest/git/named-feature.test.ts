import { describe, expect, it } from 'vitest';
import { readMessage } from './message.ts';
import { namedFeature } from './named-feature.ts';

describe('namedFeature', () => {
  it.each([
    ['feat(#28): skeletons', '28'],
    ['feat(US-003): login', 'US-003'],
    ['fix(T5)!: again', 'T5'],
    ['[T5] add table', 'T5'],
    ['feat: US-003 - Login form', 'US-003'],
    ['feat: [US-003] - Login form', 'US-003'],
    ['US-003: Login form', 'US-003'],
    ['Finish feature #12 at last', '12'],
    ['chore: update PRD and progress for US-001 completion', 'US-001'],
  ])('%j is about %s', (subject, ref) => {
    expect(namedFeature(subject, [])).toEqual({ ref, method: 'subject' });
  });

  it.each([
    'Add login (#28)',
    'feat(ui): skeletons',
    'fixes #28',
    'UTF-8: read marks',
    'chore: US-001 and US-002 done',
    'bump to 3.2.1',
    'feat: Tests for all',
    '',
  ])('%j names none', (subject) => {
    expect(namedFeature(subject, [])).toBeNull();
  });

  it('believes a trailer more than the subject', () => {
    const of = (key: string, value: string) =>
      namedFeature('feat(#1): x', [
        ['Signed-off-by', 'T5'],
        [key, value],
      ]);
    expect(of('Feature', '28')).toEqual({ ref: '28', method: 'trailer' });
    expect(of('Story', 'US-003 - Login form')).toEqual({ ref: 'US-003', method: 'trailer' });
    expect(of('task', 'T5')).toEqual({ ref: 'T5', method: 'trailer' });
    expect(of('Feature', 'login')).toEqual({ ref: 'login', method: 'trailer' });
    expect(of('Story', 'as a user I want 3 things')).toEqual({ ref: '1', method: 'subject' });
  });
});

describe('readMessage', () => {
  it('takes trailers from the last paragraph only', () => {
    expect(
      readMessage('Note: this is prose\n\nText.\n\nFeature: 28\nno trailer\nReviewed-by:  a b \n').trailers,
    ).toEqual([
      ['Feature', '28'],
      ['Reviewed-by', 'a b'],
    ]);
    expect(readMessage('').trailers).toEqual([]);
  });

  it('finds which commit is taken back', () => {
    expect(readMessage('Broke it.\n\nThis reverts commit abcdef1, reversing changes.').reverts).toBe(
      'abcdef1',
    );
    expect(readMessage('This reverts commit xyz').reverts).toBeNull();
  });
});
