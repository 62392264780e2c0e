import { describe, expect, it } from 'vitest';
import { readPriceList, withOwnPrices } from './price-list.ts';

const list = (...entries: readonly string[]): string =>
  `{\n "provider": "acme",\n "checked": "2026-02-03",\n "origin": "acme's page",\n "prices": [\n${entries.join(',\n')}\n ]\n}`;

describe('a price list', () => {
  it('gives dollars per million as whole micro-dollars, one price a name', () => {
    const read = readPriceList(
      list(
        '{ "models": ["Anvil-2", "anvil-2-latest"], "input": 1.25, "cacheRead": 0.125, "cacheWrite5m": 1.5625, "cacheWrite1h": 2.5, "output": 10, "webSearch": 0.01 }',
      ),
      'prices/acme',
    );
    expect(read.problems).toEqual([]);
    expect(read.prices.map(({ price_id, model }) => [price_id, model])).toEqual([
      ['prices/acme.6.anvil-2', 'anvil-2'],
      ['prices/acme.6.anvil-2-latest', 'anvil-2-latest'],
    ]);
    expect(read.prices[0]).toMatchObject({
      provider: 'acme',
      speed: 'standard',
      tier: 'standard',
      over_input_tokens: 0,
      in_uusd_per_mtok: 1_250_000,
      cache_read_uusd_per_mtok: 125_000,
      cache_write_5m_uusd_per_mtok: 1_562_500,
      cache_write_1h_uusd_per_mtok: 2_500_000,
      out_uusd_per_mtok: 10_000_000,
      web_search_uusd: 10_000,
      valid_from_ms: null,
      valid_to_ms: null,
      checked_at_ms: Date.UTC(2026, 1, 3),
      origin: "acme's page",
      source_line: 6,
    });
  });

  it('leaves a class without a price empty, and keeps days, speed, tier and size', () => {
    const { prices, problems } = readPriceList(
      list(
        '{ "models": ["a"], "from": "2026-01-01", "to": "2026-02-01", "speed": "fast", "tier": "batch", "overInputTokens": 200000, "input": 0, "origin": "a letter", "checked": "2026-01-15" }',
      ),
      'p',
    );
    expect(problems).toEqual([]);
    expect(prices[0]).toMatchObject({
      valid_from_ms: Date.UTC(2026, 0, 1),
      valid_to_ms: Date.UTC(2026, 1, 1),
      speed: 'fast',
      tier: 'batch',
      over_input_tokens: 200_000,
      in_uusd_per_mtok: 0,
      out_uusd_per_mtok: null,
      origin: 'a letter',
      checked_at_ms: Date.UTC(2026, 0, 15),
    });
  });

  it('says of everything that is wrong on which line it stands', () => {
    const { problems } = readPriceList(
      list(
        '{ "models": [], "input": 1 }',
        '{ "models": ["a"],\n "input": "1" }',
        '{ "models": ["b"], "input": -1, "ouput": 2 }',
        '{ "models": ["c"], "from": "2026-02-30" }',
        '{ "models": ["d"], "from": "2026-02-01", "to": "2026-02-01" }',
        '{ "models": ["e", ""], "tier": "cheap", "overInputTokens": 1.5, "output": 0.0000001 }',
        '7',
      ),
      'p',
    );
    expect(problems.map(({ line, text }) => `${line} ${text}`)).toEqual([
      '6 An entry needs "models", a list of the names it is the price of.',
      '8 "input" takes dollars, from 0 to 1000000.',
      expect.stringMatching(/^9 An entry has no field "ouput"; it has models, /),
      '9 "input" takes dollars, from 0 to 1000000.',
      '10 "from" takes a day such as 2026-10-07.',
      '11 "from" lies before "to"; "to" is the first day on which the price is not valid any more.',
      '12 "tier" takes one of standard, batch, priority, flex.',
      '12 "overInputTokens" takes a whole number of tokens.',
      '12 "output" takes dollars with at most 6 digits behind the point.',
      '12 A name of a model is a text that is not empty.',
      '13 An entry of "prices" is an object.',
    ]);
  });

  it('refuses two prices for the same thing at the same time, and takes one after the other', () => {
    const before = '{ "models": ["a"], "to": "2026-03-01", "input": 1 }';
    const after = '{ "models": ["a"], "from": "2026-03-01", "input": 2 }';
    expect(readPriceList(list(before, after), 'p').problems).toEqual([]);
    expect(readPriceList(list(before, '{ "models": ["A"], "from": "2026-02-28" }'), 'p').problems).toEqual([
      { line: 7, text: 'a has a price for the same time on line 6 already.' },
    ]);
  });

  it('uses nothing of what is no list', () => {
    for (const text of ['', '[]', '{"prices": 1}', '{"prices": [', 'null', '{"price": []}']) {
      const { prices, problems } = readPriceList(text, 'p');
      expect(prices).toEqual([]);
      expect(problems.length).toBeGreaterThan(0);
    }
  });

  it('lets a person’s own list replace all bundled prices of a model at that speed and tier', () => {
    const bundled = readPriceList(
      list(
        '{ "models": ["a", "b"], "input": 1 }',
        '{ "models": ["a"], "overInputTokens": 10, "input": 2 }',
        '{ "models": ["a"], "tier": "batch", "input": 3 }',
      ),
      'p',
    ).prices;
    const own = readPriceList(list('{ "models": ["a"], "input": 9 }'), 'own').prices;
    expect(
      withOwnPrices(bundled, own).map(({ model, tier, in_uusd_per_mtok }) => [model, tier, in_uusd_per_mtok]),
    ).toEqual([
      ['b', 'standard', 1_000_000],
      ['a', 'batch', 3_000_000],
      ['a', 'standard', 9_000_000],
    ]);
  });
});
