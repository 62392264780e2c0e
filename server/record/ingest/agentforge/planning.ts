import { LIMITS } from '../../../../shared/limits.ts';
import type { PassCount, ToldEvent } from '../facts.ts';
import type { Line } from '../lines.ts';

/** When a line of the log was written; null when it does not say so in a way that can be used. */
export interface Stamp {
  ms: number | null;
  zone: string | null;
}

/** A feature named in planning text: `#28`, or a range of them, `#22-#27`. */
const MENTION = /#(\d{1,6})(?:\s?[-–]\s?#?(\d{1,6}))?/g;
const RANGE = 50;

/** The clauses of one planning line that name features, each with the ids it is about. */
export function mentionsOf(line: string): { ids: string[]; says: string }[] {
  const found = [...line.matchAll(MENTION)];
  // A bullet that opens with one feature is about that feature as a whole, whatever else it names.
  const whole = /^\s*[-*]?\s*\[feature #(\d{1,6})\]:\s*(.*)$/i.exec(line);
  if (whole?.[1] !== undefined && whole[2] !== undefined) return [{ ids: [whole[1]], says: whole[2].trim() }];
  return found.flatMap((match, i) => {
    const clause = line.slice(match.index, found[i + 1]?.index ?? line.length);
    const says = clause
      .slice(match[0].length)
      .trim()
      .replace(/^[\s,;:.—–-]+|[\s,;.]+$/g, '');
    const first = Number(match[1]);
    const last = match[2] === undefined ? first : Number(match[2]);
    // "and #20" names a feature without saying anything about it.
    if (!/\w{3,}.*\w{3,}/.test(says) || last < first || last - first > RANGE) return [];
    return [{ ids: Array.from({ length: last - first + 1 }, (_, k) => String(first + k)), says }];
  });
}

const SKIPPED = /^\s*Features skipped:\s*(\d{1,6})\/(\d{1,6})\s*$/i;

/** What a planning pass counts as skipped; null when it does not say. */
export function skippedCount(at: Stamp, body: readonly Line[]): PassCount | null {
  for (const line of body) {
    const match = SKIPPED.exec(line.text.slice(0, LIMITS.label));
    if (match) return { atMs: at.ms, skipped: Number(match[1]), of: Number(match[2]), line: line.no };
  }
  return null;
}

/**
 * The text under a planning heading, up to the next heading, as one event and one more for each feature it speaks of.
 * @param most notes about features that are given; of more, the first ones
 * @returns the events, and whether there were more notes
 */
export function planningEvents(
  at: Stamp,
  heading: number,
  body: readonly Line[],
  most: number,
): { pass: ToldEvent; notes: ToldEvent[]; cut: boolean } {
  const filled = body.filter((line) => line.text.trim() !== '');
  const event = { atMs: at.ms, zone: at.zone };
  const pass: ToldEvent = {
    ...event,
    kind: 'planning_pass',
    feature: null,
    message: filled
      .map((line) => line.text.trim())
      .join('\n')
      .slice(0, LIMITS.sourceText),
    line: heading,
    lastLine: filled.at(-1)?.no ?? heading,
  };
  const notes: ToldEvent[] = [];
  for (const line of filled) {
    for (const { ids, says } of mentionsOf(line.text.slice(0, LIMITS.sourceText))) {
      for (const feature of ids) {
        if (notes.length >= most) return { pass, notes, cut: true };
        notes.push({
          ...event,
          kind: 'planning_note',
          feature,
          message: says,
          line: line.no,
          lastLine: line.no,
        });
      }
    }
  }
  return { pass, notes, cut: false };
}
