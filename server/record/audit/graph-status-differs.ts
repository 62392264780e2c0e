import { textAt } from '../cells.ts';
import { dataOf, figureIn } from './event-data.ts';
import { placeOf } from './place.ts';
import type { Rule } from './rule.ts';
import { listText } from './words.ts';

/** A status and the graph that was built at the same moment. */
const PAIRS = `
 SELECT s.event_id AS ref, s.data, s.source_id, s.source_line, g.event_id AS graph_ref, g.data AS graph_data, g.source_id AS graph_source, g.source_line AS graph_line
 FROM log_events s JOIN log_events g ON g.kind = 'graph_build' AND g.at_ms = s.at_ms WHERE s.kind = 'graph_status' ORDER BY s.event_id, g.event_id`;

export const graphStatusDiffers: Rule = {
  id: 'graph_status_differs',
  sentence: 'The status of a build of the graph counts otherwise than the graph itself.',
  find: async (query) =>
    (await query(PAIRS)).flatMap((row) => {
      const [said, held] = [dataOf(row), dataOf({ data: row.graph_data ?? null })];
      const differing = ['nodes', 'edges'].flatMap((name) => {
        const [a, b] = [figureIn(said, name), figureIn(held, name)];
        return a === null || b === null || a === b ? [] : [`${a} ${name}, the graph has ${b}`];
      });
      if (differing.length === 0) return [];
      return [
        {
          id: `graph_status_differs.${textAt(row, 'ref')}`,
          runId: null,
          featureId: null,
          severity: 'warning' as const,
          fact: null,
          says: `The status of the graph says ${listText(differing)}`,
          rows: [
            placeOf(row),
            placeOf({
              source_id: row.graph_source ?? null,
              source_line: row.graph_line ?? null,
              ref: row.graph_ref ?? null,
            }),
          ],
        },
      ];
    }),
};
