import { describe, expect, it } from 'vitest';
import { mentionsOf } from './planning.ts';

describe('mentionsOf', () => {
  it('takes a bullet about one feature as a whole', () => {
    expect(mentionsOf('- [feature #3]: given up; see #2 for more')).toEqual([
      { ids: ['3'], says: 'given up; see #2 for more' },
    ]);
  });

  it('passes over features that are only named, and ranges without an end', () => {
    expect(mentionsOf('the table of #1 and #2')).toEqual([]);
    expect(mentionsOf('#1-#999999 not begun at all')).toEqual([]);
    expect(mentionsOf('nothing here')).toEqual([]);
  });
});
