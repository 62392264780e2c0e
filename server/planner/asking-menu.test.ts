import { expect, it } from 'vitest';
import { askingMenu } from './asking-menu.ts';
import { EVENT_QUESTIONS, QUESTIONS } from './builtin/questions.ts';
import { testProfile } from './test-profile.ts';

const counts = {
  ...testProfile.counts,
  gate_events: 0,
  requirements: 0,
  test_results: 0,
  log_events: 0,
  attempts: 0,
};

it('offers what the record has rows of, and nothing else', () => {
  const menu = askingMenu({ ...testProfile, counts, facts: ['attempts', 'score'] });
  expect(menu.questions).toContain(QUESTIONS.lowestScores);
  // No source of it tells build times.
  expect(menu.questions).not.toContain(QUESTIONS.slowest);
  expect(menu.questions).not.toContain(EVENT_QUESTIONS.gatesFailed);
  const names = menu.subjects.map(({ name }) => name);
  expect(names).toContain('Features');
  expect(names).not.toContain('Gate runs');
  expect(names).not.toContain('Requests');
  expect(names).not.toContain('Sessions');
  const features = menu.subjects.find(({ name }) => name === 'Features');
  const labels = features?.measures.map(({ label }) => label) ?? [];
  expect(labels).toContain('Mean score');
  expect(labels).not.toContain('Median build time');
  expect(features?.by).toContain('category');
});

it('offers gates where there are some', () => {
  const menu = askingMenu({ ...testProfile, counts: { ...counts, gate_events: 12 } });
  expect(menu.questions[0]).toBe(EVENT_QUESTIONS.fault);
  expect(menu.subjects.map(({ name }) => name)).toContain('Gate runs');
});

it('names features, bounded', () => {
  const many = Array.from({ length: 5000 }, (_, n) => ({
    id: `${n}`,
    title: `Feature ${n}`,
    description: '',
    category: 'all',
    status: 'accepted',
  }));
  const menu = askingMenu({ ...testProfile, features: many });
  expect(menu.features).toHaveLength(2000);
  expect(menu.features[0]).toEqual({ id: '0', title: 'Feature 0', status: 'accepted' });
});
