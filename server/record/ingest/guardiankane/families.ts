import { LIMITS } from '../../../../shared/limits.ts';
import type { RowOf } from '../../tables.ts';
import type { SourceInput } from '../adapter.ts';
import { familyFault } from './faults.ts';
import { featureId, RUN } from './names.ts';

/** A failure as the verifier's triage sorted it. */
export interface Family {
  /** Tells the row from others of its source. */
  key: string;
  task: string | null;
  atMs: number | null;
  zone: string | null;
  title: string | null;
  cause: string | null;
  family: string;
  confidence: number | null;
  line: number | null;
}

/**
 * The family of a failure stands in another file than the failure; it is kept as an event of its own, with family and
 * confidence in `data`, and is put beside the failure of the same task at the same moment when it is asked for.
 */
export function familyRow(source: SourceInput, told: Family): RowOf<'log_events'> {
  const { attribution, basis } = familyFault(told.family, told.confidence);
  const words = [told.title, told.cause].filter((text) => text !== null).join(': ');
  return {
    event_id: `${source.id}.family.${told.key}`,
    run_id: RUN,
    feature_id: told.task === null ? null : featureId(told.task),
    at_ms: told.atMs,
    zone: told.zone,
    level: 'warning',
    kind: 'failure_family',
    message: (words === '' ? told.family : words).slice(0, LIMITS.sourceText),
    data: JSON.stringify({
      family: told.family.slice(0, LIMITS.label),
      confidence: told.confidence,
      attribution,
      attribution_basis: basis,
    }),
    source_id: source.id,
    source_kind: source.kind,
    source_line: told.line,
  };
}
