import { BASES } from '../../shared/cards.ts';
import { ATTRIBUTION_IDS, STATE_IDS, VERDICT_IDS } from '../../shared/outcomes.ts';
import { KINDS, SOURCE_KINDS } from '../record/source-kinds.ts';
import type { Dialect } from './dialect.ts';
import type { Axis, Frame } from './frame.ts';
import { LOG_LINES } from './log-lines.ts';
import type { Base, SESSION_BASES } from './measures.ts';
import { OWN_FRAME } from './own-frame.ts';
import { isOutcome, isStart, OPEN_STARTS } from './starts.ts';

/** Frames of what happened: rows of tables that are no observations. */
export type EventBase = Exclude<Base, 'feature' | 'commit' | 'finding' | 'run' | keyof typeof SESSION_BASES>;

/** How far the word of a kind of source goes, as basis_rank, where the row does not say it. */
export const kindRank = (column: string): string =>
  `CASE ${column} ${SOURCE_KINDS.map((kind) => `WHEN '${kind}' THEN ${BASES.indexOf(KINDS[kind].basis) + 1}`).join(' ')} ELSE ${BASES.length} END`;

/** The basis of a rank, as it is written. */
export const basisName = (rank: string): string =>
  `list_extract([${BASES.map((basis) => `'${basis}'`).join(', ')}], ${rank})`;

const plain = (key: string): Axis => ({ key, label: null, order: 'NULL', rank: null, joins: [] });
const placed = (key: string, values: readonly string[]): Axis => ({
  ...plain(key),
  order: `CASE ${key} ${values.map((value, at) => `WHEN '${value}' THEN ${at + 1}`).join(' ')} ELSE ${values.length + 1} END`,
});
const time = (key: string): Axis => ({ ...plain(key), order: key });

const FEATURE = (alias: string): string =>
  `LEFT JOIN features f ON f.feature_id = ${alias}.feature_id LEFT JOIN runs r ON r.run_id = ${alias}.run_id`;
/** What no run owns is not left out. */
const CURRENT = (alias: string): string => `(r.is_current OR ${alias}.run_id IS NULL)`;

/** The strongest source lists the attempts of a feature; others tell the same ones again. */
const LISTED = `(SELECT * FROM attempts QUALIFY dense_rank() OVER (PARTITION BY run_id, feature_id ORDER BY basis_rank(basis), source_kind) = 1)`;

/** Whether a gate is a hook of the coding agent. */
const isHook = (gate: string): string => `${gate}.gate LIKE 'hook:%'`;

export function eventFrame(base: EventBase, common: Record<string, Axis>, dialect: Dialect): Frame {
  const verdict = (key: string): Axis => placed(key, VERDICT_IDS);
  switch (base) {
    case 'gate_event':
      return {
        from: `(SELECT * FROM gate_events WHERE is_copy IS NOT TRUE) g ${FEATURE('g')}`,
        row: 'g.gate_event_id',
        observation: null,
        current: CURRENT('g'),
        rank: kindRank('g.source_kind'),
        hits: {
          gate_failed: `g.verdict <> 'pass' AND ${isOutcome('g')}`,
          gate_passed: "g.verdict = 'pass'",
          by_verifier: "g.verdict <> 'pass' AND g.attribution = 'verifier'",
          by_nobody: `g.verdict <> 'pass' AND g.attribution = 'unknown' AND ${isOutcome('g')}`,
          by_agent: "g.verdict <> 'pass' AND g.attribution = 'agent'",
          hook_blocked: "g.verdict = 'block' AND g.enforced IS NOT FALSE",
          hook_open: 'g.enforced IS FALSE',
        },
        within: {
          gate_passed: isOutcome('g'),
          hook: isHook('g'),
          hook_blocked: isHook('g'),
          hook_open: isHook('g'),
        },
        columns: { duration: 'coalesce(g.duration_ms, g.ended_at_ms - g.started_at_ms) / 1000.0' },
        axes: {
          ...common,
          gate: plain('g.gate'),
          verdict: verdict('g.verdict'),
          attribution: placed('g.attribution', ATTRIBUTION_IDS),
          failure_family: plain('g.family'),
          hook: plain(`CASE WHEN ${isHook('g')} THEN substr(g.gate, 6) END`),
          session: plain('g.session_id'),
          happened_at: time('coalesce(g.started_at_ms, g.ended_at_ms)'),
        },
      };
    case 'requirement':
      return {
        from: `v_requirement q ${FEATURE('q')}`,
        row: 'q.requirement_id',
        observation: null,
        current: CURRENT('q'),
        // Which state a requirement is in follows from what was read; nobody wrote it down.
        rank: '2',
        hits: {
          designed: 'q.evidence > 0',
          ...Object.fromEntries(STATE_IDS.map((state) => [state, `q.state = '${state}'`])),
        },
        axes: {
          ...common,
          requirement: { ...plain('q.ext_id'), label: 'q."text"' },
          requirement_state: placed('q.state', STATE_IDS),
          requirement_kind: plain('q.kind'),
        },
      };
    case 'attempt':
      return {
        from: `${LISTED} a ${FEATURE('a')}`,
        row: 'a.attempt_id',
        observation: null,
        current: CURRENT('a'),
        rank: 'basis_rank(a.basis)',
        hits: { attempt_failed: "NOT coalesce(a.passed, a.verdict = 'pass', TRUE)" },
        axes: {
          ...common,
          verdict: verdict(
            "coalesce(a.verdict, CASE a.passed WHEN TRUE THEN 'pass' WHEN FALSE THEN 'block' END)",
          ),
          attribution: placed('a.attribution', ATTRIBUTION_IDS),
          happened_at: time('coalesce(a.started_at_ms, a.ended_at_ms)'),
        },
      };
    case 'log_event':
      return {
        from: `${LOG_LINES} e ${FEATURE('e')}`,
        row: 'e.event_id',
        observation: null,
        current: CURRENT('e'),
        rank: kindRank('e.source_kind'),
        hits: { error_level: "e.level = 'error'", without_outcome: `e.event_id IN ${OPEN_STARTS}` },
        axes: {
          ...common,
          entry_kind: plain('e.kind'),
          level: placed('e.level', ['info', 'warning', 'error']),
          start_outcome: plain(
            `CASE WHEN e.event_id IN ${OPEN_STARTS} THEN 'open' WHEN ${isStart('e.kind')} THEN 'closed' END`,
          ),
          happened_at: time('e.at_ms'),
        },
      };
    case 'own_answer':
      return OWN_FRAME;
    case 'test_result':
      return {
        from: `test_results t JOIN test_runs p ON p.test_run_id = t.test_run_id LEFT JOIN runs r ON r.run_id = p.run_id`,
        row: 't.test_result_id',
        observation: null,
        current: CURRENT('p'),
        rank: '1',
        hits: {
          test_passed: "t.status IN ('passed', 'flaky', 'expected_failure')",
          test_failed: "t.status IN ('failed', 'error', 'timeout', 'load_error')",
          test_flaky: "t.status = 'flaky'",
        },
        within: { test_passed: "t.status NOT IN ('skipped', 'todo')" },
        axes: {
          run: common.run ?? plain(dialect.nullText),
          project: common.project ?? plain(dialect.nullText),
          test_status: placed('t.status', [
            'passed',
            'flaky',
            'expected_failure',
            'failed',
            'error',
            'timeout',
            'load_error',
          ]),
          test_file: plain('t.file'),
          framework: plain('p.framework'),
          happened_at: time('p.started_at_ms'),
        },
      };
  }
}
