import { describe, expect, it } from 'vitest';
import { refsIn } from './refs.ts';

describe('refsIn', () => {
  it('finds the stories a heading names, each once', () => {
    expect(refsIn('US-003 and US-001, US-003')).toEqual(['US-003', 'US-001']);
  });

  it('takes a range apart', () => {
    expect(refsIn('US-009 through US-012')).toEqual(['US-009', 'US-010', 'US-011', 'US-012']);
    expect(refsIn('T-1–T-3')).toEqual(['T-1', 'T-2', 'T-3']);
  });

  it('does not make a range of two kinds of stories, a falling one or a huge one', () => {
    expect(refsIn('US-1 to FR-3')).toEqual(['US-1', 'FR-3']);
    expect(refsIn('US-9 to US-3')).toEqual(['US-9', 'US-3']);
    expect(refsIn('US-1 to US-900000')).toEqual(['US-1', 'US-900000']);
  });

  it('finds none in words', () => {
    expect(refsIn('Tidy up, utf-8 and x-1')).toEqual([]);
  });
});
