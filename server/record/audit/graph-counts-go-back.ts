import { numberAt, textAt } from '../cells.ts';
import { minuteText } from '../ingest/time.ts';
import type { Row } from '../store.ts';
import { dataOf, figureIn, memberIn } from './event-data.ts';
import { placeOf } from './place.ts';
import type { Finding, Rule } from './rule.ts';
import { listText } from './words.ts';

const BUILDS = `
 SELECT event_id AS ref, at_ms, data, source_id, source_line FROM log_events WHERE kind = 'graph_build' AND at_ms IS NOT NULL
 ORDER BY at_ms, event_id`;

/** What should not become less while a project is built. */
const FIGURES: readonly { name: string; of(data: unknown): number | null }[] = [
  { name: 'nodes', of: (data) => figureIn(data, 'nodes') },
  { name: 'edges', of: (data) => figureIn(data, 'edges') },
  { name: 'designed criteria', of: (data) => figureIn(memberIn(data, 'designed'), 'part') },
  { name: 'proven criteria', of: (data) => figureIn(memberIn(data, 'proven'), 'part') },
];

export const graphCountsGoBack: Rule = {
  id: 'graph_counts_go_back',
  sentence: 'A later build of the graph counts less than an earlier one.',
  find: async (query) => {
    const findings: Finding[] = [];
    let before: Row | null = null;
    for (const row of await query(BUILDS)) {
      const [older, newer] = [before === null ? {} : dataOf(before), dataOf(row)];
      const less = FIGURES.flatMap(({ name, of }) => {
        const [from, to] = [of(older), of(newer)];
        return from !== null && to !== null && to < from ? [`${name} from ${from} to ${to}`] : [];
      });
      if (before !== null && less.length > 0) {
        findings.push({
          id: `graph_counts_go_back.${textAt(row, 'ref')}`,
          runId: null,
          featureId: null,
          severity: 'warning',
          fact: null,
          says: `Between the builds of ${minuteText(numberAt(before, 'at_ms') ?? 0, '+00:00')} and ${minuteText(numberAt(row, 'at_ms') ?? 0, '+00:00')} (UTC) the graph goes back: ${listText(less)}`,
          rows: [placeOf(before), placeOf(row)],
        });
      }
      before = row;
    }
    return findings;
  },
};
