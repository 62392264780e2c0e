import { numberAt, textAt } from '../cells.ts';
import { CITED, countText, placeOf } from './place.ts';
import type { Rule } from './rule.ts';

/** Hooks whose word was not heeded because they came to none, each with the lines of one hook together. */
const SILENT = `
 SELECT gate, coalesce(family, '') AS command, verdict, exit_code, any_value(reason) AS reason, count(*)::INTEGER AS n, count(DISTINCT session_id)::INTEGER AS sessions
 FROM gate_events WHERE starts_with(gate, 'hook:') AND enforced IS FALSE AND verdict IN ('error', 'timeout', 'cancelled') AND is_copy IS NOT TRUE
 GROUP BY ALL ORDER BY gate, command, verdict, exit_code`;
const ROWS = `
 SELECT source_id, source_line, gate_event_id AS ref FROM gate_events WHERE gate = $1 AND coalesce(family, '') = $2 AND verdict = $3
  AND exit_code IS NOT DISTINCT FROM $4 AND enforced IS FALSE AND is_copy IS NOT TRUE ORDER BY source_id, source_line LIMIT ${CITED}`;

const ended = (verdict: string, code: number | null): string =>
  verdict === 'timeout'
    ? 'it ran out of time'
    : verdict === 'cancelled'
      ? 'it was cancelled'
      : code === null
        ? 'it failed'
        : `it ended with exit code ${code}`;

/** Hooks that were to hold something up and could not: only an exit code of 2, or a decision in words, blocks. */
export const hookDidNotGate: Rule = {
  id: 'hook_did_not_gate',
  sentence: 'A hook came to no verdict, so what it was to hold up went through.',
  async find(query) {
    const findings = [];
    for (const row of await query(SILENT)) {
      const [gate, command, verdict] = ['gate', 'command', 'verdict'].map((key) => textAt(row, key) ?? '');
      const code = numberAt(row, 'exit_code');
      const n = numberAt(row, 'n') ?? 0;
      const rows = await query(ROWS, [gate ?? '', command ?? '', verdict ?? '', code]);
      const named = (gate ?? '').replace(/^hook:/, '');
      findings.push({
        id: `hook_did_not_gate.${gate}.${verdict}.${code ?? 'none'}.${command}`,
        runId: null,
        featureId: null,
        severity: 'error' as const,
        fact: null,
        says: `The hook "${command === '' ? named : command}" of ${named} did not gate ${countText(n, 'time', 'times')} in ${countText(numberAt(row, 'sessions') ?? 0, 'session', 'sessions')}: ${ended(verdict ?? '', code)}, so nothing was checked.`,
        rows: rows.map(placeOf),
      });
    }
    return findings;
  },
};
