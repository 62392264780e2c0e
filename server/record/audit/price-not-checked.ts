import { numberAt, textAt } from '../cells.ts';
import { callPlaces, callsText, idPart, MOST_MONEY } from './money-calls.ts';
import type { Rule } from './rule.ts';

const DAY_MS = 86_400_000;
/** Prices of models change a few times a year. */
const FRESH_DAYS = 90;

/** Today's prices cannot be known without asking: calls long after a price was last looked up may have cost something else. */
export const priceNotChecked: Rule = {
  id: 'price_not_checked',
  sentence: `Model calls are priced with a price that was looked up last more than ${FRESH_DAYS} days before them.`,
  find: async (query) => {
    const groups = await query(
      `SELECT q.model, strftime(make_timestamp(max(p.checked_at_ms) * 1000), '%Y-%m-%d') AS checked, count(*) AS calls FROM llm_requests q JOIN prices p ON p.price_id = q.price_id
       WHERE q.cost_source = 'computed' AND q.started_at_ms > p.checked_at_ms + ${FRESH_DAYS * DAY_MS} GROUP BY q.model ORDER BY calls DESC, q.model LIMIT ${MOST_MONEY}`,
    );
    return Promise.all(
      groups.map(async (row) => ({
        id: `price_not_checked.${idPart(row, 'model')}`,
        runId: null,
        featureId: null,
        severity: 'info' as const,
        fact: null,
        says: `The price of ${textAt(row, 'model')} was looked up last on ${textAt(row, 'checked')}; ${callsText(numberAt(row, 'calls') ?? 0)} more than ${FRESH_DAYS} days later may have cost something else`,
        rows: await callPlaces(
          query,
          `cost_source = 'computed' AND model = $1 AND price_id IN (SELECT price_id FROM prices p WHERE p.checked_at_ms + ${FRESH_DAYS * DAY_MS} < llm_requests.started_at_ms)`,
          [textAt(row, 'model')],
        ),
      })),
    );
  },
};
