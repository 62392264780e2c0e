import { numberAt, textAt } from '../cells.ts';
import { acceptThreshold } from '../ingest/agentforge/thresholds.ts';
import type { Rule } from './rule.ts';
import { numberText } from './words.ts';

/** Attempts of one source in order, each with the number of the one after it. Where the harness itself says that one did not pass, it knows. */
const FOLLOWED = `
 SELECT a.attempt_id, a.run_id, a.feature_id, a.score, a.source_id, a.source_line, f.category,
  lead(a.n) OVER (PARTITION BY a.feature_id, a.source_kind ORDER BY a.n) AS next
 FROM attempts a JOIN features f USING (feature_id) JOIN runs r ON r.run_id = a.run_id
 WHERE r.harness = 'agentforge'
 QUALIFY next IS NOT NULL AND a.score IS NOT NULL AND a.passed IS DISTINCT FROM FALSE
 ORDER BY r.seq, f.ord, a.n`;

/** The harness stops at the first score that passes; so an attempt after one cannot have happened as it is told. */
export const passedThenRetried: Rule = {
  id: 'passed_then_retried',
  sentence: 'A score that already passes is followed by another attempt.',
  find: async (query) =>
    (await query(FOLLOWED)).flatMap((row) => {
      const score = numberAt(row, 'score');
      const threshold = acceptThreshold(textAt(row, 'category')).value;
      if (score === null || score < threshold) return [];
      const attempt = textAt(row, 'attempt_id');
      const article = numberText(score).startsWith('8') ? 'An' : 'A';
      return [
        {
          id: `passed_then_retried.${attempt}`,
          runId: textAt(row, 'run_id'),
          featureId: textAt(row, 'feature_id'),
          severity: 'warning' as const,
          fact: 'attempts',
          says: `${article} ${numberText(score)} already passes at ${threshold}, yet attempt ${numberAt(row, 'next')} follows`,
          rows: [
            { sourceId: textAt(row, 'source_id') ?? '', line: numberAt(row, 'source_line'), ref: attempt },
          ],
        },
      ];
    }),
};
