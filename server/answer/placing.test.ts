import { expect, it } from 'vitest';
import { LIMITS } from '../../shared/limits.ts';
import { testProfile } from '../planner/test-profile.ts';
import {
  byPlace,
  CONFLICT_ID,
  cardId,
  END_ID,
  premiseBlocks,
  premiseId,
  standingBlocks,
  withPlanPremises,
} from './placing.ts';
import type { PremiseFinding } from './types.ts';

const finding = (feature: string, verdict: PremiseFinding['verdict']): PremiseFinding => ({
  feature,
  measure: 'attempts',
  claimed: { text: 'three', value: 3 },
  verdict,
});

it('puts premises first, then cards by number, then contradictions, then the closing note', () => {
  const ids = [END_ID, CONFLICT_ID, cardId(10), cardId(2), premiseId(1), cardId(0), premiseId(0)];
  expect(ids.sort(byPlace)).toEqual(['premise', 'premise1', 'c0', 'c2', 'c10', 'conflict', 'end']);
});

it('makes a card of a premise that is false or disputed, once for each thing, and of no other', () => {
  const blocks = premiseBlocks([
    finding('28', 'false'),
    finding('28', 'disputed'),
    finding('1', 'true'),
    finding('2', 'unknown'),
    finding('3', 'disputed'),
  ]);
  expect(blocks.map((block) => block.type === 'premise' && block.feature)).toEqual(['28', '3']);
});

it('adds what the plan takes for granted besides, within bounds', () => {
  const known = premiseBlocks([finding('28', 'false')]);
  const more = premiseBlocks([finding('28', 'false'), finding('1', 'false')]);
  expect(withPlanPremises(known, more)).toHaveLength(2);
  const many = Array.from({ length: 20 }, (_, index) => finding(String(index), 'false'));
  expect(premiseBlocks(many)).toHaveLength(LIMITS.premises);
  expect(withPlanPremises([], [{ type: 'note', title: 'x', body: [], actions: [] }])).toEqual([]);
});

it('adds the contradictions of the record to the starting view, and to no answer', () => {
  const [source] = testProfile.sources;
  if (source === undefined) throw new Error('the test profile has no source');
  const disputed = { ...testProfile, sources: [{ ...source, disputed: true }] };
  const agreeing = { ...testProfile, sources: [{ ...source, disputed: false }] };
  expect(standingBlocks(null, disputed).map(({ id, block }) => [id, block.type])).toEqual([
    ['conflict', 'conflict'],
  ]);
  expect(standingBlocks(null, agreeing)).toEqual([]);
  expect(standingBlocks('how did the run go?', disputed)).toEqual([]);
});
