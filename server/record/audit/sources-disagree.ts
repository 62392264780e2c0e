import { numberAt, textAt } from '../cells.ts';
import { clockText } from '../ingest/time.ts';
import type { Row } from '../store.ts';
import type { AuditQuery, Finding, Rule } from './rule.ts';
import { factText, listText, sentenceCase, sourceText } from './words.ts';

interface Telling {
  kind: string;
  label: string;
  value: number | null;
  text: string | null;
  rank: number;
  counted: boolean;
  /** For a time that no source tells but that lies between two places of the record: those places. */
  between?: string;
}

/**
 * One sentence on what the sources say: the weakest source first, the counted value last; sources with the same value
 * together.
 */
export function disagreement(
  fact: string,
  zone: string,
  aboutRun: boolean,
  tellings: readonly Telling[],
): string {
  const groups = new Map<string, Telling[]>();
  for (const telling of tellings) {
    const key = String(telling.value ?? telling.text);
    groups.set(key, [...(groups.get(key) ?? []), telling]);
  }
  const weight = (group: readonly Telling[]): number =>
    group.some((telling) => telling.counted) ? 0 : Math.max(...group.map((telling) => telling.rank));
  const ordered = [...groups.values()].sort((a, b) => weight(b) - weight(a));
  const parts = ordered.map((group, i) => {
    const names = [...group]
      .sort((a, b) => (i === ordered.length - 1 ? a.rank - b.rank : b.rank - a.rank))
      .map((telling) => sourceText(telling, fact, aboutRun));
    const plural = names.length > 1 || names[0]?.plural === true;
    const first = group[0];
    const value = factText(fact, first?.value ?? null, first?.text ?? null, zone, i > 0);
    if (first?.between !== undefined && group.length === 1) return `${value} lie between ${first.between}`;
    return `${listText(names.map((name) => name.text))} ${plural ? 'say' : 'says'} ${value}`;
  });
  return sentenceCase(parts.join(', '));
}

/** Facts whose counted value is not what every source says. The tolerance is the one of the views. */
const DISPUTED = `
 SELECT o.observation_id, o.run_id, o.feature_id, o.fact, o.value, o.text_value, o.rank, o.source_id, o.source_kind, o.source_line,
  s.label, r.zone, o.observation_id = c.observation_id AS counted, o.basis, r.started_at_ms, r.ended_at_ms,
  rs.source_id AS start_id, rs.kind AS start_kind, r.source_line AS start_line
 FROM counted c JOIN v_observation o
  ON o.run_id = c.run_id AND o.fact = c.fact AND coalesce(o.feature_id, '') = coalesce(c.feature_id, '')
 JOIN sources s ON s.source_id = o.source_id JOIN runs r ON r.run_id = o.run_id
 LEFT JOIN features f ON f.feature_id = o.feature_id LEFT JOIN sources rs ON rs.source_id = r.source_id
 WHERE c.disputed
 ORDER BY r.seq, f.ord NULLS FIRST, o.fact, o.rank, o.source_kind DESC, o.observation_id`;

/**
 * Attempts that only a claim tells of, in a run whose log or commits tell of others: the sources that should know of them do
 * not.
 */
const UNSUPPORTED = `
 SELECT c.observation_id, c.run_id, c.feature_id, c.value, c.source_id, c.source_kind, c.source_line, s.label, r.zone,
  k.kinds
 FROM counted c JOIN features f USING (feature_id) JOIN runs r ON r.run_id = c.run_id JOIN sources s ON s.source_id = c.source_id
 JOIN (SELECT run_id, string_agg(DISTINCT source_kind, ',' ORDER BY source_kind DESC) AS kinds FROM observations
  WHERE source_kind IN ('progress_log', 'git') AND fact = 'attempts' AND basis = 'measured' GROUP BY run_id) k
  ON k.run_id = c.run_id
 WHERE c.fact = 'attempts' AND c.basis = 'claimed' AND c.value > 0
 ORDER BY r.seq, f.ord`;

const rowOf = (row: Row): Finding['rows'][number] => ({
  sourceId: textAt(row, 'source_id') ?? '',
  line: numberAt(row, 'source_line'),
  ref: textAt(row, 'observation_id'),
});

/** The two places a run's time was taken between, in words; undefined where a source tells it itself. */
function betweenOf(row: Row, zone: string): string | undefined {
  const [from, to] = [numberAt(row, 'started_at_ms'), numberAt(row, 'ended_at_ms')];
  const start = textAt(row, 'start_kind');
  if (textAt(row, 'fact') !== 'elapsed' || textAt(row, 'basis') !== 'derived') return undefined;
  if (from === null || to === null || start === null) return undefined;
  const last =
    textAt(row, 'source_kind') === 'git' ? 'the last accepting commit' : 'the last entry of the progress log';
  const first = start === 'git' ? 'the commit that starts the run' : 'the title of the progress log';
  return `${first} (${clockText(from, zone)}) and ${last} (${clockText(to, zone)})`;
}

async function disputed(query: AuditQuery): Promise<Finding[]> {
  const groups = new Map<string, Row[]>();
  for (const row of await query(DISPUTED)) {
    const key = `sources_disagree.${textAt(row, 'feature_id') ?? textAt(row, 'run_id')}.${textAt(row, 'fact')}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups].map(([id, rows]): Finding => {
    const first = rows[0] ?? {};
    const fact = textAt(first, 'fact') ?? '';
    const featureId = textAt(first, 'feature_id');
    const zone = textAt(first, 'zone') ?? '+00:00';
    const tellings = rows.map((row): Telling => {
      const between = betweenOf(row, zone);
      return {
        kind: textAt(row, 'source_kind') ?? '',
        label: textAt(row, 'label') ?? '',
        value: numberAt(row, 'value'),
        text: textAt(row, 'text_value'),
        rank: numberAt(row, 'rank') ?? 5,
        counted: row.counted === true,
        ...(between === undefined ? {} : { between }),
      };
    });
    // A time between two places rests on the first of them too.
    const starts = rows
      .filter((row) => betweenOf(row, zone) !== undefined)
      .map((row) => ({
        sourceId: textAt(row, 'start_id') ?? '',
        line: numberAt(row, 'start_line'),
        ref: null,
      }));
    return {
      id,
      runId: textAt(first, 'run_id'),
      featureId,
      severity: 'warning',
      fact,
      says: disagreement(fact, zone, featureId === null, tellings),
      rows: [...rows.map(rowOf), ...starts],
    };
  });
}

async function unsupported(query: AuditQuery): Promise<Finding[]> {
  return (await query(UNSUPPORTED)).map((row): Finding => {
    const kinds = (textAt(row, 'kinds') ?? '').split(',');
    const silent = kinds.map((kind) => (kind === 'git' ? 'the commits' : 'the progress log'));
    const says = factText('attempts', numberAt(row, 'value'), null, '+00:00');
    const plural = silent.length > 1 || kinds[0] === 'git';
    return {
      id: `sources_disagree.${textAt(row, 'feature_id')}.attempts`,
      runId: textAt(row, 'run_id'),
      featureId: textAt(row, 'feature_id'),
      severity: 'warning',
      fact: 'attempts',
      says: `${textAt(row, 'label')} says ${says}, ${listText(silent)} of this run ${plural ? 'know' : 'knows'} of none`,
      rows: [rowOf(row)],
    };
  });
}

/** One finding for each fact of a feature (or of the run) about which the sources do not agree. */
export const sourcesDisagree: Rule = {
  id: 'sources_disagree',
  sentence: 'Sources give different values for the same fact, or a claim has no measured source beside it.',
  find: async (query) => [...(await disputed(query)), ...(await unsupported(query))],
};
