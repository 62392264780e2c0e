import { type Entry, readEntry } from '../archive/entry.ts';
import type { Adapter, SourceInput } from '../record/ingest/adapter.ts';
import type { RowOf } from '../record/tables.ts';

/** The line of an answer's file that holds what it took; files of before there was such a line are one line. */
function meterLine(text: string): number {
  const at = text.split('\n').findIndex((line) => line.startsWith('"meter":'));
  return at === -1 ? 1 : at + 1;
}

function rowOf(entry: Entry, source: SourceInput, line: number): RowOf<'own_answers'> {
  const { meter, planner, report } = entry;
  return {
    answer_id: entry.id,
    question: entry.question,
    planner_kind: planner.kind,
    planner: planner.name,
    asked_at_ms: entry.askedAt,
    took_ms: meter.ms,
    first_card_ms: meter.firstCardMs,
    tokens_in: meter.tokensIn,
    tokens_out: meter.tokensOut,
    cards: entry.cards,
    dropped: meter.dropped,
    repaired: meter.repaired,
    corrected: meter.corrected,
    verified: meter.verified,
    unverified: meter.unverified,
    figures: report?.figures ?? null,
    reused: meter.reused,
    end_code: entry.code,
    source_id: source.id,
    source_line: line,
  };
}

/**
 * Reads the files of kept answers (server/archive). Only the record of Looplight's own answers has it: in the folder of a run
 * these files mean nothing.
 */
export const OWN_ANSWERS: Adapter = {
  id: 'own-answers',
  version: 1,
  label: "Looplight's own answers",
  sources: [{ kind: 'own_answers', paths: ['*.json'] }],
  unit: 'each',
  async read({ sources }, out) {
    for (const source of sources) {
      const text = await source.text();
      if (text === null) continue;
      try {
        out.add('own_answers', rowOf(readEntry(text), source, meterLine(text)));
        source.count(1, 0);
      } catch {
        source.issue('unknown_shape', 'warning', null, 'This file is no kept answer, so it was not read.');
        source.count(0, 1);
      }
    }
  },
};
