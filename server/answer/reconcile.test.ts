import { describe, expect, it } from 'vitest';
import type { CardData, Figure, Mark, NoteCard, StatCard } from '../../shared/cards.ts';
import { codeCard } from './code-card.ts';
import { type CheckedCard, differences, type ReconcileInput, reconcile, unchecked } from './reconcile.ts';

const mark = (state: Mark['state']): Mark => ({ state, have: null, of: null, why: null });
const figure = (value: number | null, evidence = 'q1'): Figure => ({
  value,
  unit: 's',
  basis: 'measured',
  evidence,
  disputed: false,
  n: 1,
  missing: value === null ? 'not recorded' : null,
});
const stat = (
  id: string,
  value: number | null,
  state: Mark['state'] = 'checking',
  evidence = 'q1',
): StatCard => ({
  type: 'stat',
  id,
  title: 'Build time',
  sub: null,
  mark: mark(state),
  actions: [],
  evidence: [evidence],
  trimmed: null,
  rule: { measured: 1, claimed: 0, missing: 0 },
  figures: [{ label: 'build', figure: figure(value, evidence), compare: null, caption: [], strip: null }],
});
const note = (id: string, text: string): NoteCard => ({
  ...codeCard(id, 'no_points'),
  body: [{ kind: 'p', inlines: [{ kind: 'text', text }] }],
  code: null,
});
const checked = (card: CardData, more: Partial<CheckedCard> = {}): CheckedCard => ({
  card,
  resolved: card,
  doubts: [],
  corrections: [],
  ...more,
});
const byId = <T extends { id: string }>(...cards: T[]) => new Map(cards.map((card) => [card.id, card]));

function run(input: Partial<ReconcileInput> & { cards?: CheckedCard[] }) {
  const { cards = [], ...rest } = input;
  return reconcile({
    streamed: new Map(),
    refused: new Map(),
    kept: new Set(),
    unread: null,
    ...rest,
    checked: new Map(cards.map((one) => [one.card.id, one])),
  });
}

describe('the second reading beside the first', () => {
  it('verifies what is the same, whatever ids its queries have', () => {
    const out = run({ streamed: byId(stat('c0', 415)), cards: [checked(stat('c0', 415, 'verified', 'q9'))] });
    expect(out.verdicts).toEqual([{ card: 'c0', state: 'verified', reasons: [] }]);
    expect(out.cards[0]?.mark.state).toBe('verified');
    expect(out.changed).toBe(0);
  });

  it('leaves the mark the record gives a card', () => {
    const out = run({
      streamed: byId(stat('c0', 415, 'disputed')),
      cards: [checked(stat('c0', 415, 'disputed'))],
    });
    expect(out.cards[0]?.mark.state).toBe('disputed');
    expect(out.verdicts[0]?.state).toBe('verified');
  });

  it('corrects a wrong figure and says which', () => {
    const out = run({ streamed: byId(stat('c0', 120)), cards: [checked(stat('c0', 415))] });
    expect(out.verdicts).toEqual([
      { card: 'c0', state: 'corrected', reasons: ['120 s was shown; it is 415 s'] },
    ]);
    expect(out.cards[0]?.mark).toMatchObject({ state: 'corrected', why: '120 s was shown; it is 415 s' });
    expect(out.changed).toBe(1);
  });

  it('names what was put right in prose, and does not verify what nothing bears out', () => {
    const corrected = run({
      streamed: byId(note('c0', 'a')),
      cards: [checked(note('c0', 'b'), { resolved: note('c0', 'a'), corrections: ['"3" was replaced'] })],
    });
    expect(corrected.verdicts[0]).toEqual({ card: 'c0', state: 'corrected', reasons: ['"3" was replaced'] });
    const doubted = run({
      streamed: byId(note('c0', 'a')),
      cards: [checked(note('c0', 'a'), { doubts: ['nothing supports "3"'] })],
    });
    expect(doubted.verdicts[0]?.state).toBe('unverified');
    expect(doubted.cards[0]?.mark).toMatchObject({ state: 'unverified', why: 'nothing supports "3"' });
    expect(doubted.changed).toBe(0);
  });

  it('drops what the strict reading does not have, with a card in its place when it says why', () => {
    const out = run({
      streamed: byId(stat('c0', 1), stat('c1', 2), stat('c2', 3)),
      cards: [checked(stat('c0', 1))],
      refused: new Map([['c1', { card: codeCard('c1', 'block_invalid'), reason: 'no such shape' }]]),
    });
    expect(out.cards.map(({ id, type }) => [id, type])).toEqual([
      ['c0', 'stat'],
      ['c1', 'note'],
    ]);
    expect(out.verdicts.map(({ card, state }) => [card, state])).toEqual([
      ['c0', 'verified'],
      ['c1', 'dropped'],
      ['c2', 'dropped'],
    ]);
    expect(out.changed).toBe(2);
  });

  it('keeps everything, unverified, when the plan could not be read again', () => {
    const out = run({
      streamed: byId(stat('premise', 1), stat('c0', 2)),
      cards: [checked(stat('premise', 1))],
      unread: 'cut short',
    });
    expect(out.cards.map(({ id, mark: { state } }) => [id, state])).toEqual([
      ['premise', 'verified'],
      ['c0', 'unverified'],
    ]);
  });

  it('leaves cards that stand for a failure, unless the second reading could make them', () => {
    const failed = codeCard('c0', 'query_timeout');
    const end = codeCard('end', 'cut_short');
    const kept = new Set(['c0', 'end']);
    const still = run({ streamed: byId(end, failed), kept });
    expect(still.cards).toEqual([failed, end]);
    expect(still.verdicts).toEqual([]);
    const made = run({ streamed: byId(end, failed), kept, cards: [checked(stat('c0', 5))] });
    expect(made.cards.map(({ type }) => type)).toEqual(['stat', 'note']);
    expect(made.verdicts).toEqual([
      { card: 'c0', state: 'corrected', reasons: ['it was not shown before the check'] },
    ]);
  });

  it('stands in the order of places, not of arrival', () => {
    const out = run({
      streamed: byId<CardData>(
        stat('c1', 1),
        codeCard('end', 'cut_short'),
        stat('c0', 1),
        stat('premise', 1),
      ),
      cards: [
        checked(stat('c10', 1)),
        checked(stat('c1', 1)),
        checked(stat('c0', 1)),
        checked(stat('premise', 1)),
      ],
      kept: new Set(['end']),
    });
    expect(out.cards.map(({ id }) => id)).toEqual(['premise', 'c0', 'c1', 'c10', 'end']);
  });
});

it('says in words how two readings differ', () => {
  expect(differences(stat('a', 1), stat('a', 1, 'verified', 'q7'))).toEqual([]);
  expect(differences(stat('a', null), stat('a', 1))).toEqual(['not recorded was shown; it is 1 s']);
  expect(differences(stat('a', 1), note('a', 'x'))).toEqual(['it is a note card, not a stat card']);
  expect(differences(stat('a', 1), { ...stat('a', 1), title: 'b' })).toEqual(['the title changed']);
  expect(differences(note('a', 'x'), note('a', 'y'))).toEqual(['its content changed']);
  expect(differences(stat('a', 1), { ...stat('a', 1), figures: [] })).toEqual([
    'the number of figures changed',
  ]);
});

it('marks the cards of an answer that was not checked, and no others', () => {
  const out = unchecked([stat('c0', 1), codeCard('end', 'stopped')], new Set(['end']), 'stopped');
  expect(out.cards.map(({ mark: { state } }) => state)).toEqual(['unverified', 'none']);
  expect(out.verdicts).toEqual([{ card: 'c0', state: 'unverified', reasons: ['stopped'] }]);
});
