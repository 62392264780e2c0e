import { z } from 'zod/v4';
import { LIMITS } from '../../../../shared/limits.ts';
import type { Adapter, RowSink, SourceInput, UnitInput } from '../adapter.ts';
import { readTime } from '../time.ts';
import { visibleText } from '../visible.ts';
import { shortSha } from './commit.ts';

const Value = z.string().max(LIMITS.sourceText).nullable();
const Line = z.object({
  sha: z.string().regex(/^[0-9a-f]{7,64}$/),
  at: z.string(),
  path: z.string(),
  feature: z.string().min(1),
  field: z.string().min(1),
  from: Value,
  to: Value,
});
const Unread = z.object({ note: z.literal('state_not_read'), sha: z.string() });

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function readHistory(source: SourceInput, out: RowSink): Promise<void> {
  for await (const line of source.lines()) {
    if (line.text.trim() === '') continue;
    const value = jsonOf(line.text);
    const unread = Unread.safeParse(value);
    const flip = Line.safeParse(value);
    if (unread.success) {
      const detail = `The ledger as commit ${shortSha(unread.data.sha)} left it cannot be read.`;
      source.issue('json_invalid', 'warning', line.no, detail);
      source.count(0, 1);
    } else if (!flip.success) {
      source.issue('unknown_line', 'warning', line.no, 'This line tells no change of a ledger.');
      source.count(0, 1);
    } else {
      const { sha, at, path, feature, field, from, to } = flip.data;
      out.add('ledger_flips', {
        flip_id: `${source.id}.${line.no}`,
        feature_ref: visibleText(feature),
        field,
        from_value: from === null ? null : visibleText(from),
        to_value: to === null ? null : visibleText(to),
        commit_sha: sha,
        at_ms: readTime(at)?.ms ?? null,
        ledger_path: path,
        source_id: source.id,
        source_line: line.no,
      });
      source.count(1, 0);
    }
  }
}

/**
 * A ledger has no times of its own. Where no other source says when a feature was done, it is when the ledger was committed
 * that says so, if it still does. The ledger must be the file that tells of the feature.
 */
const COMPLETED = `
 SELECT 'ledger.' || feature_id || '.completed_at' AS observation_id, run_id, feature_id, 'completed_at' AS fact,
  at_ms::DOUBLE AS value, NULL::VARCHAR AS text_value, 'derived' AS basis,
  'commit ' || left(commit_sha, 7) || ' of the ledger' AS how, source_id, 'ledger_history' AS source_kind, source_line
 FROM (SELECT f.feature_id, f.run_id, l.* EXCLUDE (run_id) FROM ledger_flips l
  JOIN features_told f ON ref_key(f.ext_id) = ref_key(l.feature_ref)
  JOIN sources s ON s.source_id = f.source_id AND s.path = l.ledger_path
  WHERE l.field IN ('passes', 'state', 'status') AND l.at_ms IS NOT NULL
  QUALIFY row_number() OVER (PARTITION BY f.feature_id ORDER BY l.at_ms DESC, l.source_line DESC) = 1) last
 WHERE lower(to_value) IN ('true', 'done', 'passed', 'complete', 'completed', 'kane_verified')
  AND NOT EXISTS (FROM observations_told o WHERE o.feature_id = last.feature_id AND o.fact = 'completed_at')`;

/** How the entries of a ledger changed over time, from the commits that touched it. */
export const ledgerHistory: Adapter = {
  id: 'git/ledger-history',
  version: 1,
  label: 'History of ledgers',
  sources: [
    {
      kind: 'ledger_history',
      from: 'ledger',
      paths: [
        'prd.json',
        'feature_list.json',
        '{,public/}metrics.json',
        '{ralph,.ralph,scripts/ralph}/prd.json',
        '.ralph/queue.json',
        'task-tracker.md',
        '.testmuai/task-tracker.md',
      ],
    },
  ],
  unit: 'each',
  read: async (unit: UnitInput, out: RowSink) => {
    for (const source of unit.sources) await readHistory(source, out);
  },
  derives: [COMPLETED],
};
