import { beforeAll, describe, expect, it } from 'vitest';
import { dayStart, localDay, localMs, piecesOf } from './local-time.ts';
import { type TestStore, testStore } from './test-record.ts';
import { parseWhen } from './time.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let store: TestStore;
beforeAll(async () => {
  store = await testStore();
});
const number = async (sql: string): Promise<number> => {
  const { rows } = await store.query(`SELECT CAST(${sql} AS DOUBLE) AS v`);
  return Number(rows[0]?.v);
};

describe('days of a zone', () => {
  it('knows the instants at which clocks change', () => {
    const changes = piecesOf('Europe/Berlin').map(({ from, offset }) => [from, offset / HOUR]);
    expect(changes).toContainEqual([Date.UTC(2026, 2, 29, 1), 2]);
    expect(changes).toContainEqual([Date.UTC(2026, 9, 25, 1), 1]);
    expect(piecesOf('-07:00')).toHaveLength(1);
    expect(piecesOf('No/Where').map(({ offset }) => offset)).toEqual([0]);
  });

  it.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-06-01', 24],
  ])('%s in Berlin has %i hours', async (date, hours) => {
    const day = Date.parse(`${date}T00:00:00Z`) / DAY;
    const [from, to] = [dayStart(String(day), 'Europe/Berlin'), dayStart(String(day + 1), 'Europe/Berlin')];
    const start = await number(from);
    const end = await number(to);
    expect(end - start).toBe(hours * HOUR);
    expect(await number(localDay(String(start), 'Europe/Berlin'))).toBe(day);
    expect(await number(localDay(String(end - 1), 'Europe/Berlin'))).toBe(day);
    const run = { zone: 'Europe/Berlin', startedAtMs: null };
    expect((parseWhen(date, 'to', run) ?? 0) - (parseWhen(date, 'from', run) ?? 0) + 1).toBe(hours * HOUR);
  });

  it('begins a day whose midnight clocks skip at the hour they show instead', async () => {
    // Cairo went from 00:00 to 01:00 on 28 April 2023.
    const day = Date.UTC(2023, 3, 28) / DAY;
    expect(await number(dayStart(String(day), 'Africa/Cairo'))).toBe(Date.UTC(2023, 3, 27, 22));
  });

  it('lands half past eleven at night on the local day', async () => {
    // 23:30 in Berlin on the day clocks change, 21:30 UTC.
    const at = Date.UTC(2026, 2, 29, 21, 30);
    expect(await number(localDay(String(at), 'Europe/Berlin'))).toBe(Date.UTC(2026, 2, 29) / DAY);
    expect(await number(localMs(String(at), 'Europe/Berlin'))).toBe(Date.UTC(2026, 2, 29, 23, 30));
  });
});
