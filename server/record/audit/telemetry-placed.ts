import { numberAt, textAt } from '../cells.ts';
import type { Rule } from './rule.ts';

/** Sessions named in the sentence. */
const NAMED = 3;
const ROWS = 50;

/** Telemetry carries no folder: what nothing places counts with the first project, and that has to be said. */
export const telemetryPlaced: Rule = {
  id: 'telemetry_placed',
  sentence: 'Telemetry counts with this project though nothing says that it belongs to it.',
  async find(query) {
    const rows = await query(
      `SELECT session_id, arg_min(source_id, source_line) AS source_id, min(source_line) AS source_line, count(*) OVER () AS sessions
       FROM sessions_told WHERE placed_by = 'first' AND session_id NOT IN (SELECT session_id FROM sessions_told WHERE placed_by IS DISTINCT FROM 'first')
       GROUP BY session_id ORDER BY session_id LIMIT ${ROWS}`,
    );
    const sessions = (rows[0] && numberAt(rows[0], 'sessions')) ?? 0;
    if (sessions === 0) return [];
    const names = rows.slice(0, NAMED).map((row) => textAt(row, 'session_id') ?? '');
    const more = sessions > names.length ? ` and ${sessions - names.length} more` : '';
    return [
      {
        id: 'telemetry_placed',
        runId: null,
        featureId: null,
        severity: 'warning',
        fact: null,
        says: `Telemetry of ${sessions} ${sessions === 1 ? 'session' : 'sessions'} (${names.join(', ')}${more}) counts here because this is the first project: no transcript of any project knows ${sessions === 1 ? 'it' : 'them'}, and no looplight.project names one.`,
        rows: rows.map((row) => ({
          sourceId: textAt(row, 'source_id') ?? '',
          line: numberAt(row, 'source_line'),
          ref: null,
        })),
      },
    ];
  },
};
