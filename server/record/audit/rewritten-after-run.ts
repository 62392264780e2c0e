import { numberAt, textAt } from '../cells.ts';
import type { Row } from '../store.ts';
import type { Finding, Rule } from './rule.ts';
import { listText } from './words.ts';

/** A harness may well write its last entry a little after it ended. */
const GRACE_MS = 60_000;
const MINUTE_MS = 60_000;

/** Figures of a finished run that a later commit gave another value, by the commit. A run that begins in between starts anew. */
const REWRITTEN = `
 SELECT l.flip_id, l.feature_ref, l.field, l.from_value, l.to_value, l.commit_sha, l.at_ms, l.ledger_path, l.source_id, l.source_line,
  r.run_id, r.ended_at_ms, f.feature_id, f.ext_id
 FROM ledger_flips l JOIN features f ON ref_key(f.ext_id) = ref_key(l.feature_ref) JOIN runs r ON r.run_id = f.run_id
 WHERE l.field IN ('attempts', 'final_score') AND l.from_value IS NOT NULL AND l.to_value IS NOT NULL
  AND l.at_ms > r.ended_at_ms + ${GRACE_MS}
  AND NOT EXISTS (FROM runs later WHERE later.started_at_ms > r.started_at_ms AND later.started_at_ms <= l.at_ms)
 ORDER BY l.at_ms, l.commit_sha, l.ledger_path, f.ord, l.flip_id`;

const CALLED: Readonly<Record<string, string>> = { attempts: 'attempts', final_score: 'score' };

/** "attempts from 1 to 3" */
function changeText(row: Row): string {
  const field = textAt(row, 'field') ?? '';
  const called = Object.hasOwn(CALLED, field) ? CALLED[field] : field;
  return `${called} from ${textAt(row, 'from_value')} to ${textAt(row, 'to_value')}`;
}

/** Figures that were changed when nothing ran any more: they were typed in. */
export const rewrittenAfterRun: Rule = {
  id: 'rewritten_after_run',
  sentence: 'A commit after the end of a run changed how many attempts a feature took, or how it scored.',
  find: async (query) => {
    const groups = new Map<string, Row[]>();
    for (const row of await query(REWRITTEN)) {
      const key = `${textAt(row, 'feature_id')}.${textAt(row, 'commit_sha')}.${textAt(row, 'source_id')}`;
      groups.set(key, [...(groups.get(key) ?? []), row]);
    }
    return [...groups].map(([key, rows]): Finding => {
      const first = rows[0] ?? {};
      const minutes = Math.round(
        ((numberAt(first, 'at_ms') ?? 0) - (numberAt(first, 'ended_at_ms') ?? 0)) / MINUTE_MS,
      );
      const commit = `Commit ${textAt(first, 'commit_sha')?.slice(0, 7)}, ${minutes} min after the run had ended,`;
      return {
        id: `rewritten_after_run.${key}`,
        runId: textAt(first, 'run_id'),
        featureId: textAt(first, 'feature_id'),
        severity: 'warning',
        fact: textAt(first, 'field') === 'final_score' ? 'score' : 'attempts',
        says: `${commit} changed for feature ${textAt(first, 'ext_id')} in ${textAt(first, 'ledger_path')} the ${listText(rows.map(changeText))}`,
        rows: rows.map((row) => ({
          sourceId: textAt(row, 'source_id') ?? '',
          line: numberAt(row, 'source_line'),
          ref: textAt(row, 'flip_id'),
        })),
      };
    });
  },
};
