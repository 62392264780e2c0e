import type { SourceKind } from '../../store.ts';
import type { RowSink } from '../adapter.ts';
import type { Entry } from '../facts.ts';
import type { Run } from './place.ts';

/** What the plan asks of a feature is one requirement, named like the feature. */
export const requirementId = (featureId: string): string => `${featureId}.verify`;

/** The harness's own word on a feature: its log, or its commits where the log does not speak of it. */
const GATES: readonly SourceKind[] = ['progress_log', 'git'];

/** The state an entry gives its feature, with the line it stands on. */
function verdictOf(entry: Entry | undefined): { supports: boolean; line: number | null } | null {
  const status = entry?.facts.find(({ fact, basis }) => fact === 'status' && basis === 'measured');
  if (status?.text === 'accepted') return { supports: true, line: status.line };
  return status?.text === 'skipped' ? { supports: false, line: status.line } : null;
}

/**
 * Adds what the plan asks of each feature of a run, and the harness's verdict on it as evidence: it accepts a feature after its
 * build and its evaluator let it through, and skips one they did not.
 */
export function addRequirements(
  out: Pick<RowSink, 'add'>,
  run: Pick<Run, 'id' | 'features'>,
  sourceId: (kind: SourceKind) => string,
): void {
  for (const [ref, told] of run.features) {
    const plan = told.get('feature_list');
    if (!plan?.verify) continue;
    const featureId = `${run.id}.f${ref}`;
    const requirement = requirementId(featureId);
    const claim = plan.facts.find(({ fact }) => fact === 'status')?.text ?? null;
    out.add('requirements_told', {
      requirement_id: requirement,
      run_id: run.id,
      feature_id: featureId,
      ext_id: ref,
      text: plan.verify.text,
      kind: 'feature',
      claimed_pass: claim === null ? null : claim === 'accepted',
      rank: 0,
      source_id: sourceId('feature_list'),
      source_line: plan.verify.line,
    });
    for (const kind of GATES) {
      const entry = told.get(kind);
      const verdict = verdictOf(entry);
      if (!entry || !verdict) continue;
      out.add('evidence_told', {
        evidence_id: `${requirement}.${kind}`,
        requirement_ref: requirement,
        kind: 'gate',
        polarity: verdict.supports ? 'supports' : 'refutes',
        link: 'explicit',
        at_ms: entry.atMs,
        says: verdict.supports ? 'the harness accepted the feature' : 'the harness gave the feature up',
        source_id: sourceId(kind),
        source_kind: kind,
        source_line: verdict.line,
      });
      break;
    }
  }
}
