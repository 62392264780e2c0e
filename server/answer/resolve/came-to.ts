import {
  ATTRIBUTION_IDS,
  type Attribution,
  type RequirementState,
  STATE_IDS,
  VERDICT_IDS,
  type Verdict,
} from '../../../shared/outcomes.ts';
import type { SqlValue } from '../../record/store.ts';

/** Closed sets read off cells of the record; what is in none of them is the set's word for "not known". */

export const verdictOf = (cell: SqlValue | undefined): Verdict | null =>
  VERDICT_IDS.find((id) => id === cell) ?? null;

export const attributionOf = (cell: SqlValue | undefined): Attribution =>
  ATTRIBUTION_IDS.find((id) => id === cell) ?? 'unknown';

export const stateOf = (cell: SqlValue | undefined): RequirementState =>
  STATE_IDS.find((id) => id === cell) ?? 'open';

const LEVELS = ['info', 'warning', 'error'] as const;
export const levelOf = (cell: SqlValue | undefined): (typeof LEVELS)[number] | null =>
  LEVELS.find((id) => id === cell) ?? null;
