import { describe, expect, it } from 'vitest';
import { testProfile } from '../planner/test-profile.ts';
import { ownPlan } from './planner.ts';
import { asksOwn } from './questions.ts';

describe('a question about answers', () => {
  it.each([
    'How long did my answers take to the first card?',
    'how many cards were dropped?',
    'Which of my answers took longest?',
    "how fast are Looplight's answers?",
    'how many of your own answers failed?',
    'how many tokens did the kept answers take?',
    'time to first card by planner',
    'how many repaired cards were there',
  ])('is known: %s', (question) => {
    expect(asksOwn(question)).toBe(true);
  });

  it.each([
    'why did feature 28 take three attempts?',
    'which features were the slowest?',
    'how many tokens did the run take?',
    'how long did the card grid take?',
    'which features were skipped?',
    'how many attempts failed?',
    'how did the run go?',
    '',
  ])('is not taken for one: %s', (question) => {
    expect(asksOwn(question)).toBe(false);
  });
});

describe('the plan for it', () => {
  const measures = (question: string | null): string[] => {
    const plan: { facts: { measure: string }[]; blocks: { measures?: { measure: string }[] }[] } = JSON.parse(
      ownPlan(testProfile, question),
    );
    return [
      ...plan.facts.map(({ measure }) => measure),
      ...plan.blocks.flatMap((block) => (block.measures ?? []).map(({ measure }) => measure)),
    ];
  };

  it.each([
    ['How long did my answers take to the first card?', 'own_first_card'],
    ['how many cards were dropped?', 'own_dropped_cards'],
    ['which of my answers took longest?', 'own_longest_answer'],
    ['how many tokens did my answers take?', 'own_tokens'],
    ['which of my answers failed?', 'own_failed_answers'],
    ['tell me about my answers', 'own_answers'],
    [null, 'own_answers'],
  ])('%s is answered with %s', (question, measure) => {
    expect(measures(question)).toContain(measure);
  });

  it('asks for nothing of a run', () => {
    for (const question of ['my answers', 'first card', 'dropped cards', 'tokens of my answers', null])
      expect(measures(question).filter((id) => !id.startsWith('own_'))).toEqual([]);
  });
});
