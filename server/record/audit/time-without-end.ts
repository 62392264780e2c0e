import { numberAt, textAt } from '../cells.ts';
import { SESSION_STRETCHES } from '../derive/session-time.ts';
import type { Row } from '../store.ts';
import { CITED, placeOf } from './place.ts';
import type { Rule } from './rule.ts';

/** Entries whose time cannot be told, with how many there are of the session, at most a few of each kept to cite. */
const UNKNOWN = `
 SELECT t.session_id, coalesce(s.title, t.session_id) AS name, t.source_id, t.source_line, NULL AS ref,
  count(*) OVER of_session AS entries, count(*) FILTER (t.to_ms < t.from_ms) OVER of_session AS backwards
 FROM (${SESSION_STRETCHES}) t LEFT JOIN sessions s USING (session_id)
 WHERE t.from_ms IS NULL OR t.to_ms IS NULL OR t.to_ms < t.from_ms
 WINDOW of_session AS (PARTITION BY t.session_id)
 QUALIFY row_number() OVER (PARTITION BY t.session_id ORDER BY t.source_id, t.source_line) <= ${CITED}
 ORDER BY t.session_id, t.source_id, t.source_line`;

/** An entry of a session without an end, or with one before its start: how long it took is not known, and not counted. */
export const timeWithoutEnd: Rule = {
  id: 'time_without_end',
  sentence: 'An entry of a session has no start or no end, or ends before it begins: its time is unknown.',
  find: async (query) => {
    const sessions = new Map<string, Row[]>();
    for (const row of await query(UNKNOWN)) {
      const id = textAt(row, 'session_id') ?? '';
      sessions.set(id, [...(sessions.get(id) ?? []), row]);
    }
    return [...sessions].map(([id, rows]) => {
      const first = rows[0] ?? {};
      const entries = numberAt(first, 'entries') ?? rows.length;
      const backwards = numberAt(first, 'backwards') ?? 0;
      return {
        id: `time_without_end.${id}`,
        runId: null,
        featureId: null,
        severity: backwards > 0 ? ('warning' as const) : ('info' as const),
        fact: null,
        says: `The time of ${entries} ${entries === 1 ? 'entry' : 'entries'} of the session "${(textAt(first, 'name') ?? id).slice(0, 80)}" is unknown: ${
          backwards === 0
            ? 'no start or no end is told'
            : backwards === entries
              ? 'the end lies before the start'
              : `no start or no end is told, or (for ${backwards}) the end lies before the start`
        }`,
        rows: rows.map(placeOf),
      };
    });
  },
};
