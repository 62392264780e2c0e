import { numberAt, textAt } from '../cells.ts';
import { CITED, countText, placeOf } from './place.ts';
import type { Finding, Rule } from './rule.ts';
import { listText } from './words.ts';

/** Accepted features with requirements whose last proof is against them. */
const ACCEPTED = `
 SELECT q.run_id, q.feature_id, f.ext_id, count(*) AS requirements, count(*) FILTER (q.state = 'refuted') AS refuted,
  string_agg(q.ext_id, ' ' ORDER BY q.ext_id) FILTER (q.state = 'refuted') AS names
 FROM v_requirement q JOIN features f USING (feature_id)
 JOIN counted c ON c.feature_id = q.feature_id AND c.run_id = q.run_id AND c.fact = 'status' AND c.text_value = 'accepted'
 WHERE q.kind <> 'use_case' GROUP BY q.run_id, q.feature_id, f.ext_id, f.ord HAVING count(*) FILTER (q.state = 'refuted') > 0 ORDER BY q.run_id, f.ord`;
const PROOF = `
 SELECT e.source_id, e.source_line, e.evidence_id AS ref FROM v_requirement q JOIN requirement_evidence e USING (requirement_id)
 WHERE q.feature_id = $1 AND q.state = 'refuted' AND e.polarity = 'refutes' ORDER BY e.source_id, e.source_line, e.evidence_id LIMIT ${CITED}`;

/** The gate let it through, the record of its tests does not. */
export const acceptedButRefuted: Rule = {
  id: 'accepted_but_refuted',
  sentence: 'A feature is accepted, and the last proof for one of its requirements speaks against it.',
  find: async (query) => {
    const findings: Finding[] = [];
    for (const row of await query(ACCEPTED)) {
      const feature = textAt(row, 'feature_id') ?? '';
      const names = (textAt(row, 'names') ?? '').split(' ').slice(0, 6);
      const more = (numberAt(row, 'refuted') ?? 0) - names.length;
      const list = more > 0 ? `${names.join(', ')} and ${more} more` : listText(names);
      findings.push({
        id: `accepted_but_refuted.${feature}`,
        runId: textAt(row, 'run_id'),
        featureId: feature,
        severity: 'warning',
        fact: 'status',
        says: `${textAt(row, 'ext_id')} is accepted, yet the last proof speaks against ${numberAt(row, 'refuted')} of its ${countText(numberAt(row, 'requirements') ?? 0, 'requirement', 'requirements')}: ${list}`,
        rows: (await query(PROOF, [feature])).map(placeOf),
      });
    }
    return findings;
  },
};
