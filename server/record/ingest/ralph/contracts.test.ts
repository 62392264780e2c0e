import { describe, expect, it } from 'vitest';
import { readWith } from '../test-adapter.ts';
import { contracts } from './contracts.ts';

const contract = (taskName: string, output: string, cost: number | null = null): string =>
  JSON.stringify(
    {
      version: 1,
      taskName,
      storyId: '1-1',
      driver: 'codex',
      model: 'm-1',
      timestamp: '2026-03-01T08:00:00Z',
      cost_usd: cost,
      duration_ms: 61500,
      output,
    },
    null,
    1,
  );

describe('contracts', () => {
  it('takes the verdict of a judging task as a gate, and as evidence on the story', async () => {
    const read = await readWith(contracts, {
      'contracts/a.json': contract(
        'check',
        'First <verdict>fail</verdict>, then <verdict>pass</verdict>',
        0.25,
      ),
      'contracts/b.json': contract('review', '<verdict>fail</verdict>'),
      'contracts/c.json': contract('verify', 'looks good'),
      'contracts/d.json': contract('implement', '<verdict>pass</verdict>'),
    });
    expect(
      read.rows('gate_events').map((row) => [row.gate, row.verdict, row.attribution, row.duration_ms]),
    ).toEqual([
      ['check', 'pass', 'unknown', 61500],
      ['review', 'block', 'unknown', 61500],
      ['verify', 'no_verdict', 'unknown', 61500],
    ]);
    expect(read.rows('evidence_told').map((row) => [row.requirement_ref, row.polarity])).toEqual([
      ['1-1', 'supports'],
      ['1-1', 'refutes'],
    ]);
    // A cost that is null is not known; it is not zero.
    expect(read.rows('llm_requests_told').map((row) => [row.model, row.cost_reported_uusd])).toEqual([
      ['m-1', 250000],
    ]);
    expect(read.rows('log_events').map((row) => [row.message, row.level])).toEqual([
      ['check of 1-1, codex, 61.5 s, pass', 'info'],
      ['review of 1-1, codex, 61.5 s, fail', 'warning'],
      ['verify of 1-1, codex, 61.5 s', 'info'],
      ['implement of 1-1, codex, 61.5 s, pass', 'info'],
    ]);
  });

  it('leaves other contracts alone', async () => {
    expect((await readWith(contracts, { 'contracts/x.json': '{"abi": []}' })).counts).toEqual({});
  });
});
