import { LIMITS } from '../../shared/limits.ts';
import type { FoundSource } from './ingest/discover.ts';
import { OpenSource } from './ingest/open-source.ts';
import type { RawLines } from './store.ts';

/** A line as it is sent: cut when very long, and said to be. */
const bounded = (text: string): string =>
  text.length <= LIMITS.rawLine ? text : `${text.slice(0, LIMITS.rawLine)} …`;

/**
 * Lines around one line of a source, read from disk now.
 * @param around how many lines before and after, at most 20
 * @returns null when the line does not exist or the source cannot be read
 */
export async function readRawLines(
  source: FoundSource,
  line: number,
  around: number = LIMITS.evidenceLines,
): Promise<RawLines | null> {
  if (!Number.isSafeInteger(line) || line < 1) return null;
  const reach = Math.max(0, Math.min(20, Math.trunc(around) || 0));
  const lines: RawLines['lines'] = [];
  for await (const { no, text: raw } of new OpenSource(source).lines()) {
    if (no > line + reach) break;
    if (no >= line - reach) lines.push({ line: no, text: bounded(raw), cited: no === line });
  }
  return lines.some((one) => one.cited) ? { source: source.label, sourceId: source.id, lines } : null;
}
