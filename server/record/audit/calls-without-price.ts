import { numberAt, textAt } from '../cells.ts';
import { callPlaces, callsText, idPart, MOST_MONEY } from './money-calls.ts';
import type { Rule } from './rule.ts';

const WHY: Readonly<Record<string, string>> = {
  no_model: 'no model is named',
  unknown_model: 'the model is on no price list',
  no_such_tier: 'the price list has none for its speed or tier',
  no_price_then: 'the price list has none for that time, or the time is not known',
  class_without_price: 'a class of tokens it uses has none',
};

/** What is in no total: a total that leaves calls out is a lower bound, and says so. */
export const callsWithoutPrice: Rule = {
  id: 'calls_without_price',
  sentence: 'Model calls have no price, so no total of money holds them.',
  find: async (query) => {
    const groups = await query(
      `SELECT model, cost_note, count(*) AS calls, CAST(sum(coalesce(in_uncached, 0) + coalesce(in_cache_read, 0) + coalesce(in_cache_write_5m, 0)
        + coalesce(in_cache_write_1h, 0) + coalesce(out_total, 0)) AS BIGINT) AS tokens
       FROM llm_requests WHERE cost_source = 'missing_price' GROUP BY ALL ORDER BY tokens DESC, model, cost_note LIMIT ${MOST_MONEY}`,
    );
    return Promise.all(
      groups.map(async (row) => {
        const [model, note] = [textAt(row, 'model'), textAt(row, 'cost_note') ?? ''];
        const calls = numberAt(row, 'calls') ?? 0;
        return {
          id: `calls_without_price.${idPart(row, 'model')}.${note}`,
          runId: null,
          featureId: null,
          severity: 'warning' as const,
          fact: null,
          says: `${callsText(calls)}${model === null ? '' : ` of ${model}`}, ${(numberAt(row, 'tokens') ?? 0).toLocaleString('en-US')} tokens, without a price: ${WHY[note] ?? 'the price list has none'}`,
          rows: await callPlaces(
            query,
            "cost_source = 'missing_price' AND model IS NOT DISTINCT FROM $1 AND cost_note = $2",
            [model, note],
          ),
        };
      }),
    );
  },
};
