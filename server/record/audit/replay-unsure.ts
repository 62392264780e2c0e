import { numberAt, textAt } from '../cells.ts';
import type { Rule } from './rule.ts';

/** Most sessions told of; the record says of each of their calls whether it is sure. */
const MOST = 500;

/** Sessions of which it cannot be told what they repeat of others: counting all of it is open, leaving any of it out would not be. */
export const replayUnsure: Rule = {
  id: 'replay_unsure',
  sentence:
    'A session came from another one, and it cannot be told which of its model calls are copies of it.',
  find: async (query) =>
    (
      await query(
        `SELECT t.session_id, p.parent, p.source_id, p.source_line, count(*) AS calls,
          EXISTS (FROM sessions_told x WHERE x.session_id = p.parent) AS there
         FROM rollout_counts c JOIN llm_requests_told t USING (told_id)
         JOIN (SELECT session_id, coalesce(forked_from, parent_session_id) AS parent, source_id, source_line FROM sessions_told
          WHERE coalesce(forked_from, parent_session_id) IS NOT NULL
          QUALIFY row_number() OVER (PARTITION BY session_id ORDER BY rank, source_id, source_line) = 1) p ON p.session_id = t.session_id
         WHERE NOT c.certain GROUP BY ALL ORDER BY t.session_id LIMIT ${MOST}`,
      )
    ).map((row) => {
      const id = textAt(row, 'session_id') ?? '';
      const parent = textAt(row, 'parent') ?? '';
      const calls = numberAt(row, 'calls') ?? 0;
      const many = `${calls} model ${calls === 1 ? 'call' : 'calls'}`;
      return {
        id: `replay_unsure.${id}`,
        runId: null,
        featureId: null,
        severity: 'warning' as const,
        fact: null,
        says:
          row.there === true
            ? `Session ${id} began from session ${parent}; ${many} of it may be copies, which could not be told, so ${calls === 1 ? 'it counts' : 'they count'}.`
            : `Session ${id} began from session ${parent}, which is not in the record; its ${many} all count, though some may be copies.`,
        rows: [{ sourceId: textAt(row, 'source_id') ?? '', line: numberAt(row, 'source_line'), ref: null }],
      };
    }),
};
