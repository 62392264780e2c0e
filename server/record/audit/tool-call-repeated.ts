import { numberAt, textAt } from '../cells.ts';
import { CITED, placeOf } from './place.ts';
import type { Rule } from './rule.ts';

/** Times one error has to come back in one session to be told. */
const OFTEN = 3;

const REPEATED = `
 SELECT c.session_id, c.name, c.error_sig, count(*)::INTEGER AS n, any_value(coalesce(s.title, c.session_id)) AS session
 FROM tool_calls c LEFT JOIN sessions s USING (session_id)
 WHERE c.status = 'error' AND c.error_sig IS NOT NULL AND c.session_id IS NOT NULL AND c.name IS NOT NULL
 GROUP BY c.session_id, c.name, c.error_sig HAVING count(*) >= ${OFTEN} ORDER BY n DESC, c.session_id, c.name, c.error_sig`;
const ROWS = `
 SELECT source_id, source_line, tool_call_id AS ref FROM tool_calls WHERE session_id = $1 AND name = $2 AND error_sig = $3 AND status = 'error'
 ORDER BY source_id, source_line LIMIT ${CITED}`;

/** Calls of a tool that fail again and again in the same way. */
export const toolCallRepeated: Rule = {
  id: 'tool_call_repeated',
  sentence: `A session called a tool at least ${OFTEN} times into the same error.`,
  async find(query) {
    const findings = [];
    for (const row of await query(REPEATED)) {
      const [session, name, sig] = ['session_id', 'name', 'error_sig'].map((key) => textAt(row, key) ?? '');
      const rows = await query(ROWS, [session ?? '', name ?? '', sig ?? '']);
      findings.push({
        id: `tool_call_repeated.${session}.${name}.${sig}`,
        runId: null,
        featureId: null,
        severity: 'warning' as const,
        fact: null,
        says: `In the session "${textAt(row, 'session')}" ${name} failed ${numberAt(row, 'n')} times in the same way: ${sig}`,
        rows: rows.map(placeOf),
      });
    }
    return findings;
  },
};
