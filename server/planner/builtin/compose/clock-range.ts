import type { Where } from '../../../../shared/plan.ts';

const CLOCK = String.raw`(\d{1,2}:\d{2}(?::\d{2})?)`;
const BETWEEN = new RegExp(String.raw`\b(?:between|from)\s+${CLOCK}\s+(?:and|to|until)\s+${CLOCK}`, 'i');
const AFTER = new RegExp(String.raw`\b(?:after|since|from)\s+${CLOCK}`, 'i');
const BEFORE = new RegExp(String.raw`\b(?:before|until|up to|till)\s+${CLOCK}`, 'i');
const AT = new RegExp(String.raw`\b(?:at|around|about)\s+${CLOCK}`, 'i');

/**
 * Clock times a question sets as a span ("between 13:00 and 13:30", "after 14:05"), as a filter; none where it sets none.
 * @param dim what has to lie in it: events by when they happened, features by when they were finished
 */
export function clockRange(question: string, dim: 'happened_at' | 'completed_at' = 'happened_at'): Where[] {
  const span = (from: string | undefined, to: string | undefined): Where[] => [
    { type: 'range', dim, from: from ?? null, to: to ?? null },
  ];
  const between = BETWEEN.exec(question);
  if (between) return span(between[1], between[2]);
  const after = AFTER.exec(question);
  const before = BEFORE.exec(question);
  if (after || before) return span(after?.[1], before?.[1]);
  const at = AT.exec(question);
  return at ? span(at[1], at[1]) : [];
}
