import type { Mark } from '../../../shared/cards.ts';
import { isRecord, text } from '../lib/unknown.ts';

/** Most figures one can step through in the drawer. */
const SIBLINGS = 60;
const STATES: ReadonlySet<string> = new Set<Mark['state']>([
  'verified',
  'corrected',
  'disputed',
  'claimed',
  'incomplete',
  'unverified',
  'checking',
  'none',
]);
const isState = (value: unknown): value is Mark['state'] => typeof value === 'string' && STATES.has(value);

/**
 * Query ids behind a card, in reading order.
 * @param spec card data as it arrived
 * @param queryId the one that was asked for; added in front when the card does not name it
 */
export function evidenceOf(spec: unknown, queryId: string): string[] {
  const listed = isRecord(spec) && Array.isArray(spec.evidence) ? spec.evidence : [];
  const ids = listed.filter((id): id is string => typeof id === 'string').slice(0, SIBLINGS);
  return ids.includes(queryId) ? [...new Set(ids)] : [queryId, ...new Set(ids)];
}

/** State mark of a card as it arrived, or null when it carries none. */
export function markOf(spec: unknown): Mark | null {
  if (!isRecord(spec) || !isRecord(spec.mark) || !isState(spec.mark.state)) return null;
  return { state: spec.mark.state, have: null, of: null, why: text(spec.mark.why) };
}

/** Title of a card as it arrived, or null. */
export function titleOf(spec: unknown): string | null {
  return isRecord(spec) ? text(spec.title) : null;
}
