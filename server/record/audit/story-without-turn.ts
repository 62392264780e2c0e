import { numberAt, textAt } from '../cells.ts';
import type { Rule } from './rule.ts';

/**
 * Stories a ledger counts as passed although neither the run's notes, which name stories, nor any commit knows of work on them.
 * Each branch numbers its stories from 1, so a commit from before the run is about another story of that name.
 */
const UNTOLD = `
 WITH noted AS (SELECT run_id, min(source_id) AS notes FROM attempts WHERE source_kind = 'progress_notes' AND link_method = 'explicit' GROUP BY run_id)
 SELECT f.feature_id, f.run_id, f.ext_id, o.observation_id, o.source_id, o.source_line, s.label AS notes
 FROM features f JOIN runs r USING (run_id) JOIN noted n USING (run_id) JOIN sources s ON s.source_id = n.notes
 JOIN observations o ON o.feature_id = f.feature_id AND o.fact = 'status' AND o.text_value = 'accepted' AND o.source_kind = 'prd'
 WHERE NOT EXISTS (FROM attempts a WHERE a.feature_id = f.feature_id) 
  AND NOT EXISTS (FROM commits c WHERE c.feature_id = f.feature_id AND coalesce(c.at_ms >= r.started_at_ms, TRUE))
 ORDER BY f.run_id, f.ord, o.observation_id`;

/** A story that passes by its ledger while everything that tells of work does not know it. */
export const storyWithoutTurn: Rule = {
  id: 'story_without_turn',
  sentence: 'A ledger says that a story passes, but no section of the notes and no commit names it.',
  find: async (query) =>
    (await query(UNTOLD)).map((row) => {
      const observation = textAt(row, 'observation_id');
      return {
        id: `story_without_turn.${textAt(row, 'feature_id')}`,
        runId: textAt(row, 'run_id'),
        featureId: textAt(row, 'feature_id'),
        severity: 'warning' as const,
        fact: 'status',
        says: `The ledger says that ${textAt(row, 'ext_id')} passes, but ${textAt(row, 'notes')} has no section on it and no commit of its run names it`,
        rows: [
          { sourceId: textAt(row, 'source_id') ?? '', line: numberAt(row, 'source_line'), ref: observation },
        ],
      };
    }),
};
