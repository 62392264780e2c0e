import { numberAt, textAt } from '../cells.ts';
import { callPlaces, callsText, dollars, idPart, MOST_MONEY } from './money-calls.ts';
import type { Rule } from './rule.ts';

/** Costs within a hundredth, or a cent, are the same for whoever asks. */
const DIFFERS = `abs(reported - computed) > 10000 AND abs(reported - computed) > 0.01 * greatest(reported, computed)`;

/** What a source says a session's calls of one model cost, beside what the price list makes of the same calls. */
export const reportedCostDiffers: Rule = {
  id: 'reported_cost_differs',
  sentence: 'What a source says that model calls cost is not what the price list makes of them.',
  find: async (query) => {
    const groups = await query(
      `SELECT * FROM (SELECT session_id, model, count(*) AS calls, CAST(sum(cost_reported_uusd) AS BIGINT) AS reported, CAST(sum(cost_computed_uusd) AS BIGINT) AS computed
       FROM llm_requests WHERE cost_reported_uusd > 0 AND cost_computed_uusd IS NOT NULL GROUP BY session_id, model)
       WHERE ${DIFFERS} ORDER BY abs(reported - computed) DESC, session_id, model LIMIT ${MOST_MONEY}`,
    );
    return Promise.all(
      groups.map(async (row) => {
        const [session, model] = [textAt(row, 'session_id'), textAt(row, 'model')];
        const calls = numberAt(row, 'calls') ?? 0;
        return {
          id: `reported_cost_differs.${idPart(row, 'session_id')}.${idPart(row, 'model')}`,
          runId: null,
          featureId: null,
          severity: 'info' as const,
          fact: null,
          says: `${callsText(calls)} of ${model ?? 'no named model'}${session === null ? '' : ` in session ${session}`} cost ${dollars(numberAt(row, 'reported') ?? 0)} by their source and ${dollars(numberAt(row, 'computed') ?? 0)} by the price list; the source’s figure counts`,
          rows: await callPlaces(
            query,
            'cost_reported_uusd > 0 AND cost_computed_uusd IS NOT NULL AND session_id IS NOT DISTINCT FROM $1 AND model IS NOT DISTINCT FROM $2',
            [session, model],
          ),
        };
      }),
    );
  },
};

/** A cost of 0 is what a program writes that does not know a model's price. */
export const zeroCostNotTrusted: Rule = {
  id: 'zero_cost_not_trusted',
  sentence: 'A source says that model calls cost 0, though they used tokens.',
  find: async (query) => {
    const groups = await query(
      `SELECT model, count(*) AS calls, CAST(sum(cost_computed_uusd) AS BIGINT) AS computed, count(cost_computed_uusd) AS priced FROM llm_requests
       WHERE cost_reported_uusd = 0 AND cost_source <> 'reported' GROUP BY model ORDER BY calls DESC, model LIMIT ${MOST_MONEY}`,
    );
    return Promise.all(
      groups.map(async (row) => {
        const calls = numberAt(row, 'calls') ?? 0;
        const model = textAt(row, 'model');
        const priced = numberAt(row, 'priced') ?? 0;
        return {
          id: `zero_cost_not_trusted.${idPart(row, 'model')}`,
          runId: null,
          featureId: null,
          severity: 'info' as const,
          fact: null,
          says: `${callsText(calls)} of ${model ?? 'no named model'} with tokens ${calls === 1 ? 'is' : 'are'} said to cost 0; ${priced === 0 ? 'the price list has none either' : `the price list makes it ${dollars(numberAt(row, 'computed') ?? 0)}${priced < calls ? ` for ${priced} of them` : ''}, which counts`}`,
          rows: await callPlaces(
            query,
            "cost_reported_uusd = 0 AND cost_source <> 'reported' AND model IS NOT DISTINCT FROM $1",
            [model],
          ),
        };
      }),
    );
  },
};
