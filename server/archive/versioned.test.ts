import { describe, expect, it } from 'vitest';
import { migration } from './versioned.ts';

const migrate = migration([(old) => ({ version: 1, was: old }), (old) => ({ version: 2, was: old })]);

describe('a migration', () => {
  it('goes through every version in between', () => {
    expect(migrate({ name: 'a' })).toEqual({ version: 2, was: { version: 1, was: { name: 'a' } } });
    expect(migrate({ version: 1, name: 'b' })).toEqual({ version: 2, was: { version: 1, name: 'b' } });
  });

  it('leaves what is of today, and what is of tomorrow, as it is', () => {
    expect(migrate({ version: 2, name: 'c' })).toEqual({ version: 2, name: 'c' });
    expect(migrate({ version: 7 })).toEqual({ version: 7 });
  });

  it.each([[null], [[]], ['text'], [{ version: -1 }], [{ version: 'two' }], [{ version: 0.5 }]])(
    'does not take %j for anything',
    (value) => {
      expect(() => migrate(value)).toThrow();
    },
  );
});
