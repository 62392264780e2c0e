import type { Basis } from '../../../../shared/cards.ts';

/** Score from which the harness accepts a feature, and where that is known from. */
export interface Threshold {
  value: number;
  why: string;
  basis: Basis;
}

/** Scores of this harness go from 0 to 10. */
export const SCORE_MAX = 10;

const SCAFFOLD = 4;
const OTHERS = 5;

/**
 * AgentForge accepts scaffold features from 4 and all others from 5, since commit e9ef3c1 of its own repository. None of the
 * files of a record says so: this is what is known about the harness, so whatever rests on it is derived, not measured.
 * @param category category of the feature, null when not known
 */
export const acceptThreshold = (category: string | null): Threshold => ({
  value: category === 'scaffold' ? SCAFFOLD : OTHERS,
  why: `AgentForge accepts ${category === 'scaffold' ? 'scaffold features' : 'features'} from ${category === 'scaffold' ? SCAFFOLD : OTHERS} of ${SCORE_MAX}, since its commit e9ef3c1. The record itself does not say so.`,
  basis: 'derived',
});
