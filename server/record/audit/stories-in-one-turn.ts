import { numberAt, textAt } from '../cells.ts';
import type { Rule } from './rule.ts';
import { listText } from './words.ts';

/** Sections of notes that name more than one story. */
const SHARED = `
 SELECT a.run_id, a.source_id, a.source_line, count(DISTINCT f.ext_id) AS stories, string_agg(DISTINCT f.ext_id, ' ' ORDER BY f.ext_id) AS names, min(a.attempt_id) AS attempt_id
 FROM attempts a JOIN features f USING (feature_id) WHERE a.source_kind = 'progress_notes' AND a.link_method = 'explicit'
 GROUP BY a.run_id, a.source_id, a.source_line HAVING count(DISTINCT f.ext_id) > 1 ORDER BY a.run_id, a.source_id, a.source_line`;

const NAMED = 6;

/** A turn is meant for one story, so that it can be checked before the next one begins. */
export const storiesInOneTurn: Rule = {
  id: 'stories_in_one_turn',
  sentence: 'One turn of a loop reports several stories at once.',
  find: async (query) =>
    (await query(SHARED)).map((row) => {
      const stories = numberAt(row, 'stories') ?? 0;
      const names = (textAt(row, 'names') ?? '').split(' ');
      const shown =
        stories <= NAMED
          ? listText(names)
          : `${names.slice(0, NAMED).join(', ')} and ${stories - NAMED} more`;
      return {
        id: `stories_in_one_turn.${textAt(row, 'source_id')}.${numberAt(row, 'source_line')}`,
        runId: textAt(row, 'run_id'),
        featureId: null,
        severity: 'info' as const,
        fact: 'attempts',
        says: `One turn reports ${stories} stories at once: ${shown}`,
        rows: [
          {
            sourceId: textAt(row, 'source_id') ?? '',
            line: numberAt(row, 'source_line'),
            ref: textAt(row, 'attempt_id'),
          },
        ],
      };
    }),
};
