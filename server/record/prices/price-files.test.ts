import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../paths.ts';
import { testFolder } from '../test-folder.ts';
import { loadPrices, PriceListError } from './price-files.ts';

const BUNDLED = join(packageRoot(), 'data', 'prices');

describe('the bundled prices', () => {
  it('are read without a problem, each with where it is from and when that was checked', async () => {
    const prices = await loadPrices(BUNDLED, null);
    expect(prices.length).toBeGreaterThan(50);
    for (const { origin, checked_at_ms, model } of prices) {
      expect(origin.length, model).toBeGreaterThan(20);
      expect(checked_at_ms, model).toBeGreaterThan(Date.UTC(2026, 0, 1));
    }
  });

  it('hold what is published: Opus 5 at $5 in, $6.25 and $10 written, $0.50 read, $25 out', async () => {
    const prices = await loadPrices(BUNDLED, null);
    const opus = prices.filter(
      ({ model, speed, tier }) => model === 'claude-opus-5' && speed === 'standard' && tier === 'standard',
    );
    expect(opus).toHaveLength(1);
    expect(opus[0]).toMatchObject({
      in_uusd_per_mtok: 5_000_000,
      cache_read_uusd_per_mtok: 500_000,
      cache_write_5m_uusd_per_mtok: 6_250_000,
      cache_write_1h_uusd_per_mtok: 10_000_000,
      out_uusd_per_mtok: 25_000_000,
    });
  });
});

describe('a list of one’s own', () => {
  it('is added to the bundled one', async () => {
    const folder = await testFolder({ 'own.json': '{"prices": [{"models": ["house-model"], "input": 2}]}' });
    const prices = await loadPrices(BUNDLED, join(folder, 'own.json'));
    expect(prices.at(-1)).toMatchObject({
      model: 'house-model',
      in_uusd_per_mtok: 2_000_000,
      source_id: 'prices/own',
    });
  });

  it('is refused with the line of what is wrong, and when it is not there', async () => {
    const folder = await testFolder({ 'own.json': '{"prices": [\n{"models": ["a"], "input": "two"}]}' });
    const path = join(folder, 'own.json');
    await expect(loadPrices(BUNDLED, path)).rejects.toThrow(
      new PriceListError(`${path}, line 2: "input" takes dollars, from 0 to 1000000.`),
    );
    await expect(loadPrices(BUNDLED, join(folder, 'none.json'))).rejects.toThrow(/There is no price list/);
    await expect(loadPrices(BUNDLED, folder)).rejects.toThrow(/it is no file/);
  });
});
