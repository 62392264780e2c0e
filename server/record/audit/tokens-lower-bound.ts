import { numberAt } from '../cells.ts';
import { callPlaces, callsText } from './money-calls.ts';
import type { Rule } from './rule.ts';

/** Tokens of which only the beginning of a count is told: totals that hold them are lower bounds. */
export const tokensLowerBound: Rule = {
  id: 'tokens_lower_bound',
  sentence: 'The output of model calls is told only as it was when they began, so it is a lower bound.',
  find: async (query) => {
    const [row] = await query(
      `SELECT count(*) AS calls, count(DISTINCT session_id) AS sessions, CAST(sum(out_total) AS BIGINT) AS told FROM llm_requests WHERE token_quality = 'lower_bound'`,
    );
    const calls = (row && numberAt(row, 'calls')) ?? 0;
    if (!row || calls === 0) return [];
    const sessions = numberAt(row, 'sessions') ?? 0;
    return [
      {
        id: 'tokens_lower_bound',
        runId: null,
        featureId: null,
        severity: 'warning',
        fact: null,
        says: `${callsText(calls)} in ${sessions} ${sessions === 1 ? 'session' : 'sessions'} ${calls === 1 ? 'tells' : 'tell'} ${(numberAt(row, 'told') ?? 0).toLocaleString('en-US')} tokens of output, which is the least they can be`,
        rows: await callPlaces(query, "token_quality = 'lower_bound'"),
      },
    ];
  },
};
