import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Plan } from '../../../shared/plan.ts';
import { openRecord } from '../../record/index.ts';
import type { RecordHandle, RecordProfile } from '../../record/store.ts';
import { startPlan } from '../start.ts';
import { QUESTIONS, storyOf } from './questions.ts';
import { answer, resolvePlan } from './test-answers.ts';

let record: RecordHandle;
let profile: RecordProfile;
beforeAll(async () => {
  record = await openRecord({ root: 'data/agentforge', database: ':memory:' });
  profile = await record.profile();
}, 60_000);
afterAll(() => record.close());

const round = (value: string | number | null | undefined) =>
  typeof value === 'number' ? Math.round(value * 100) / 100 : value;

// Every answer runs dozens of queries; a busy machine takes its time over them.
describe('answers on the demo record', { timeout: 60_000 }, () => {
  it.each<[question: string, family: string, facts: Record<string, string | number>]>([
    [
      'why did feature 28 take three attempts?',
      'feature',
      { attempts: 1, score: 9, build_time: 415, median: 129, lines: 226, claimed_attempts: 3, log_time: 415 },
    ],
    [
      'How did the run go?',
      'overview',
      {
        all: 30,
        accepted: 29,
        skipped: 1,
        disputed: 11,
        median: 129,
        slowest: 'Loading skeletons',
        lowest_score: 8,
      },
    ],
    [
      'which features were the slowest?',
      'ranking',
      { lead: 'Loading skeletons', lead_value: 415, usual: 129 },
    ],
    ['which feature was the fastest?', 'ranking', { lead_value: 82 }],
    ['lowest scores', 'ranking', { lead: 'Dual-axis chart', lead_value: 8 }],
    ['which features took the most attempts?', 'ranking', { lead_value: 1, usual: 29, claimed_value: 3 }],
    ['most lines added', 'ranking', { lead: 'Sortable table', usual: 4011 }],
    ['which category was slowest?', 'ranking', { lead: 'scaffold', lead_value: 175, whole: 129 }],
    [
      'features by status',
      'distribution',
      { most: 'accepted', most_value: 29, least: 'skipped', least_value: 1 },
    ],
    ['how are the scores distributed?', 'distribution', { most: '10', most_value: 21, whole: 30 }],
    ['total build time by category', 'distribution', { whole: 4275 }],
    ['did it get slower over the run?', 'trend', { whole: 129, peak: 'Loading skeletons', peak_value: 415 }],
    ['what failed?', 'failed', { skipped: 1, accepted: 29, which: 'Dark mode toggle', claimed_attempts: 3 }],
    ['compare feature 28 with feature 1', 'compare', { left: 415, right: 369, more: 'Loading skeletons' }],
    ['compare scaffold and polish', 'compare', { left: 175, right: 123, whole: 129 }],
    ['do the sources agree?', 'sources', { disputed: 11, all: 30, claimed: 41, logged: 29 }],
    ['show the commits of feature 28', 'commits', { shown: 1, lines: 226 }],
    ['how many features were accepted?', 'figure', { value: 29, features: 30 }],
    ['how long did feature 12 take?', 'figure', { value: 86, usual: 129, claimed: 255 }],
    ['what is the median build time?', 'figure', { value: 129 }],
    ['how many lines were added?', 'figure', { value: 4011 }],
    ['what did it cost per feature?', 'unrecorded', { cost: 0.95 }],
  ])('%s', async (question, family, wanted) => {
    const { family: read, facts } = await answer(record, question);
    expect(read).toBe(family);
    for (const [name, value] of Object.entries(wanted))
      expect([name, round(facts[name])]).toEqual([name, value]);
  });

  it('contradicts three attempts, and says by which source they are told', async () => {
    const { chat, cards, outcomes } = await answer(record, 'why did feature 28 take three attempts?');
    expect(outcomes.get('as_asked')).toBe('false');
    const said = chat.flatMap(({ inlines }) =>
      inlines.map((part) => (part.kind === 'text' ? part.text : `{${part.kind}}`)),
    );
    expect(said.join('')).toBe(
      'Not by what is counted. {feature} has {figure}, with a score of {figure} and a build time of {figure}. The sources disagree about its attempts: metrics.json says {figure}.',
    );
    expect(cards.map(({ type }) => type)).toEqual(['attempts', 'stat', 'chart', 'note']);
    const note = cards[3];
    const labels = note?.type === 'note' ? note.cites.map(({ cite }) => cite.label) : [];
    expect(labels).toEqual(['claude-progress.txt', 'git log', 'metrics.json', 'claude-progress.txt']);
    const chart = cards[2];
    expect(chart?.type === 'chart' && chart.points[0]).toMatchObject({ ref: '28', subject: true });
  });

  it('shows the commits after the run when asked when the attempts got into the file', async () => {
    const { cards, facts } = await answer(record, 'when did the three attempts enter metrics.json?');
    const { rows } = await record.store.query(`SELECT count(*) AS n FROM commits WHERE phase = 'after'`);
    expect(facts.after).toBe(rows[0]?.n);
    expect(cards[0]).toMatchObject({ type: 'table', total: rows[0]?.n });
  });

  it('paints every card of every question it offers', async () => {
    const questions = [...Object.values(QUESTIONS), ...['3', '12', '28', '30'].map(storyOf)];
    for (const question of questions) {
      const { cards } = await answer(record, question);
      for (const card of cards) {
        expect(`${question}: ${card.type}`).not.toContain('empty');
        if (card.type === 'note') expect([question, card.code]).toEqual([question, null]);
      }
    }
  }, 120_000);

  it('paints the starting view', async () => {
    const { cards, facts } = await resolvePlan(record, Plan.parse(JSON.parse(startPlan(profile))), null, []);
    expect(cards.map(({ type }) => type)).toEqual(['stat', 'timeline', 'chart', 'chart', 'ledger']);
    expect(facts).toMatchObject({
      accepted: 29,
      skipped: 1,
      disputed: 11,
      skipped_which: 'Dark mode toggle',
    });
  });
});
