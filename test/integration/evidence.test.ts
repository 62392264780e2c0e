import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageOf } from '../../server/answer/test-ports.ts';
import type { CardData } from '../../shared/cards.ts';
import type { Evidence } from '../../shared/wire.ts';
import { ask, type Running, start } from './harness.ts';

let app: Running;
beforeAll(async () => {
  app = await start();
});
afterAll(() => app.close());

const cardsOf = async (question: string): Promise<CardData[]> =>
  JSON.parse(
    JSON.stringify(pageOf((await ask(app, question)).map(({ event }) => event)).map(({ data }) => data)),
  );
const evidenceOf = async (id: string): Promise<Evidence> => {
  const response = await app.fetch(`/api/evidence/${id}`);
  expect(response.status).toBe(200);
  return JSON.parse(await response.text());
};

describe('what is behind a figure', () => {
  it('is the query in words, the statement, its rows, the basis, and the lines around each place', async () => {
    const cards = await cardsOf('why did feature 28 take three attempts?');
    const premise = cards.find((card) => card.type === 'premise');
    const counted = premise?.evidence[0] ?? '';
    const evidence = await evidenceOf(counted);
    expect(evidence.words).toMatch(/^The attempts of feature 28, in the run of/);
    expect(evidence.sql).toMatch(/^WITH /);
    expect(evidence.figure).toMatchObject({ value: 1, unit: 'attempts', disputed: true });
    // Every source's word side by side, one of them counted, each with its basis and place.
    expect(evidence.rows.length).toBeGreaterThanOrEqual(3);
    expect(evidence.rows.filter((row) => row.counted)).toHaveLength(1);
    expect(new Set(evidence.rows.map((row) => row.source)).size).toBeGreaterThanOrEqual(2);
    expect(evidence.rows.map((row) => row.value)).toEqual(expect.arrayContaining([1, 3]));
    expect(evidence.rows.map((row) => row.basis)).toEqual(expect.arrayContaining(['measured', 'claimed']));
    for (const row of evidence.rows) expect(row.line).toBeGreaterThan(0);
    const cited = evidence.raw.flatMap(({ lines }) => lines.filter((line) => line.cited));
    expect(cited.length).toBeGreaterThanOrEqual(2);
    expect(evidence.raw.some(({ lines }) => lines.some((line) => !line.cited))).toBe(true);
  });

  it('is all of its rows as CSV, of which the first fifty are shown', async () => {
    const cards = await cardsOf('how did the run go?');
    const ids = cards.flatMap(({ evidence }) => evidence);
    expect(ids.length).toBeGreaterThan(0);
    let most = 0;
    for (const id of ids) {
      const evidence = await evidenceOf(id);
      const response = await app.fetch(`/api/evidence/${id}.csv`);
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(response.headers.get('content-disposition')).toContain(`looplight-${id}.csv`);
      const lines = (await response.text()).split('\r\n');
      expect(lines[0]).toBe('label,value,unit,basis,source,line,counted,how');
      expect(evidence.rows.length).toBe(Math.min(50, Math.max(evidence.total, evidence.rows.length)));
      most = Math.max(most, lines.length - 1);
      expect(lines.length - 1).toBeGreaterThanOrEqual(evidence.total);
    }
    // Some figure of a whole run rests on more rows than are shown.
    expect(most).toBeGreaterThan(50);
  });

  it('is nothing but what an answer has registered', async () => {
    for (const path of [
      '/api/evidence/q1',
      '/api/evidence/q1.csv',
      '/api/evidence/.csv',
      '/api/evidence/..%2f..%2fmetrics.json.csv',
      '/api/evidence/%00.csv',
      `/api/evidence/${'q'.repeat(200)}.csv`,
      '/api/raw/..%2f..%2fetc%2fpasswd/1',
      '/api/raw/metrics.json/1',
    ]) {
      const { status } = await app.fetch(path);
      expect(status, path).toBe(404);
    }
    expect((await app.fetch('/api/evidence/q1', { method: 'DELETE' })).status).toBe(404);
    expect((await app.post('/api/evidence/q1', {})).status).toBe(404);
  });
});
