import { ago } from '../../../shared/ago.ts';
import type { Report, Since, Stored } from '../../../shared/wire.ts';
import { plural } from '../lib/words.ts';

/** What the line of an answer from a kept plan says: when it was asked, and what became of its figures. */
export interface SinceLine {
  asked: string;
  /** In one sentence, or null while it is not known. */
  says: string | null;
  /** Figures to open the list of; empty when none changed. */
  figures: Since['figures'];
  /** Changed figures that the list does not name. */
  more: number;
}

/** @param report of the answer, or null when there is none (yet) */
export function sinceLine(stored: Stored, report: Report | null): SinceLine {
  const by = stored.older ? ', planned by another version of Looplight' : '';
  const asked = `Asked ${ago(stored.ageMs)}${by}.`;
  const since = report?.since ?? null;
  const without = (says: string | null): SinceLine => ({ asked, says, figures: [], more: 0 });
  if (since === null) return without(null);
  if (since.gone) return without('The record of then is not loaded any more.');
  if (since.total > 0)
    return {
      asked,
      says: `${plural(since.total, 'figure')} changed since.`,
      figures: since.figures,
      more: Math.max(0, since.total - since.figures.length),
    };
  return without(
    since.changed
      ? 'The record has changed since, but no figure here has.'
      : 'The record has not changed since.',
  );
}
