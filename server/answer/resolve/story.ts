import type { Cite, Unit } from '../../../shared/cards.ts';
import { type Row, SOURCE_KINDS, type SourceKind } from '../../record/store.ts';
import { cells, citeOf, type ResolveContext } from './context.ts';
import { isClaim } from './figure.ts';
import { featureStatements } from './own-sql.ts';

/** Facts a feature's story is told in, and the measure and unit of each. */
export const STORY = {
  attempts: { measure: 'attempts', unit: 'attempts', label: 'attempts' },
  score: { measure: 'mean_score', unit: 'points', label: 'score, of 10' },
  build_time: { measure: 'build_time', unit: 's', label: 'build time' },
  lines_added: { measure: 'lines_added', unit: 'lines', label: 'lines added' },
  lines_removed: { measure: 'lines_removed', unit: 'lines', label: 'lines removed' },
  files_changed: { measure: 'files_changed', unit: 'files', label: 'files changed' },
  tokens: { measure: 'tokens', unit: 'tokens', label: 'tokens' },
} as const satisfies Record<string, { measure: string; unit: Unit; label: string }>;
export type StoryFact = keyof typeof STORY;

export const isStoryFact = (fact: string): fact is StoryFact => Object.hasOwn(STORY, fact);

/** One source's word on one fact. */
export interface Told {
  fact: string;
  value: number | null;
  text: string | null;
  cite: Cite;
  /** Some source says otherwise. */
  disputed: boolean;
  /** The one design 4.3 picks. */
  counted: boolean;
}

/** One entry of a source's list of attempts. */
export interface Listed {
  id: string;
  n: number;
  score: number | null;
  duration: number | null;
  feedback: string | null;
  passed: boolean | null;
  attribution: string;
  cite: Cite;
}

/** What one source tells about a feature. */
export interface SourceStory {
  kind: SourceKind;
  /** What people call the place: a file, or a commit. */
  name: string;
  cite: Cite;
  /** Its strongest word on each fact. */
  told: ReadonlyMap<string, Told>;
  attempts: Listed[];
}

export interface FeatureStory {
  id: string;
  sources: SourceStory[];
  /** The counted word on each fact. */
  counted: ReadonlyMap<string, Told>;
  findings: {
    rule: string;
    fact: string | null;
    says: string;
    line: number | null;
    source: string | null;
    row: string | null;
  }[];
}

const sourceKind = (row: Row): SourceKind | undefined =>
  SOURCE_KINDS.find((kind) => kind === row.source_kind);

const told = (row: Row): Told => ({
  fact: cells.text(row.fact) ?? '',
  value: cells.number(row.value),
  text: cells.text(row.text_value),
  cite: citeOf(row),
  disputed: (cells.number(row.agreeing) ?? 0) < (cells.number(row.told) ?? 0),
  counted: row.counted === true,
});

const listed = (row: Row): Listed => ({
  id: cells.text(row.attempt_id) ?? '',
  n: cells.number(row.n) ?? 0,
  score: cells.number(row.score),
  duration: cells.number(row.duration_s),
  feedback: cells.text(row.feedback),
  passed: typeof row.passed === 'boolean' ? row.passed : null,
  attribution: cells.text(row.attribution) ?? 'unknown',
  cite: citeOf(row),
});

/** Facts that say where a source speaks of a feature, the telling ones first. */
const PLACE_OF = ['attempts', 'score', 'build_time', 'status', 'lines_added', 'completed_at'];

interface Gathered {
  told: Row[];
  attempts: Row[];
  findings: Row[];
  commits: Row[];
}

function storyFrom(id: string, rows: Gathered): FeatureStory {
  const counted = new Map<string, Told>();
  const byKind = new Map<SourceKind, { told: Map<string, Told>; attempts: Listed[] }>();
  const of = (kind: SourceKind) => {
    const known = byKind.get(kind) ?? { told: new Map<string, Told>(), attempts: [] };
    byKind.set(kind, known);
    return known;
  };
  for (const row of rows.told) {
    const kind = sourceKind(row);
    if (!kind) continue;
    const word = told(row);
    if (word.counted) counted.set(word.fact, word);
    const known = of(kind).told;
    if (!known.has(word.fact)) known.set(word.fact, word);
  }
  for (const row of rows.attempts) {
    const kind = sourceKind(row);
    if (kind) of(kind).attempts.push(listed(row));
  }
  const sha = cells.text(rows.commits[0]?.sha)?.slice(0, 7);
  const sources = [...byKind]
    .sort(([a], [b]) => SOURCE_KINDS.indexOf(a) - SOURCE_KINDS.indexOf(b))
    .flatMap(([kind, { told: facts, attempts }]): SourceStory[] => {
      const place = PLACE_OF.flatMap((fact) => facts.get(fact) ?? [])[0]?.cite ?? attempts[0]?.cite;
      if (!place) return [];
      const name = kind === 'git' && sha !== undefined ? `commit ${sha}` : place.label;
      return [{ kind, name, cite: place, told: facts, attempts }];
    });
  return {
    id,
    sources,
    counted,
    findings: rows.findings.map((row) => ({
      rule: cells.text(row.rule) ?? '',
      fact: cells.text(row.fact),
      says: cells.text(row.says) ?? '',
      line: cells.number(row.line),
      source: cells.text(row.source_id),
      row: cells.text(row.observation_id),
    })),
  };
}

/**
 * Everything the sources say about features of the current run, each source by itself; one story an id, in their order.
 * @throws QueryError when the store fails or runs out of time
 */
export async function storiesOf(
  ids: readonly string[],
  context: Pick<ResolveContext, 'queries'>,
): Promise<FeatureStory[]> {
  if (ids.length === 0) return [];
  const sql = featureStatements(ids.length);
  const [words = [], attempts = [], findings = [], commits = []] = await Promise.all(
    [sql.told, sql.attempts, sql.findings, sql.commits].map((statement) =>
      context.queries.rows(statement, ids),
    ),
  );
  const split = (rows: readonly Row[]): Map<string, Row[]> => {
    const parts = new Map<string, Row[]>();
    for (const row of rows) {
      const ref = cells.text(row.ref) ?? '';
      const part = parts.get(ref);
      if (part) part.push(row);
      else parts.set(ref, [row]);
    }
    return parts;
  };
  const parts = {
    told: split(words),
    attempts: split(attempts),
    findings: split(findings),
    commits: split(commits),
  };
  return ids.map((id) =>
    storyFrom(id, {
      told: parts.told.get(id) ?? [],
      attempts: parts.attempts.get(id) ?? [],
      findings: parts.findings.get(id) ?? [],
      commits: parts.commits.get(id) ?? [],
    }),
  );
}

/**
 * The counted word on one fact of a feature, or null.
 * @throws QueryError when the store fails or runs out of time
 */
export async function countedTold(
  id: string,
  fact: StoryFact,
  context: Pick<ResolveContext, 'queries'>,
): Promise<Told | null> {
  const rows = await context.queries.rows(featureStatements(1).told, [id]);
  const row = rows.find((one) => one.counted === true && one.fact === fact);
  return row ? told(row) : null;
}

/** The story of one feature; see storiesOf. */
export async function storyOf(id: string, context: ResolveContext): Promise<FeatureStory> {
  const [story] = await storiesOf([id], context);
  return story ?? storyFrom(id, { told: [], attempts: [], findings: [], commits: [] });
}

/** Whether a source says the same as what is counted, within tolerance. */
export function saysTheSame(story: FeatureStory, source: SourceStory, fact: string): boolean {
  const word = source.told.get(fact);
  const counted = story.counted.get(fact);
  if (!word || !counted) return false;
  if (word.counted) return true;
  if (word.value === null || counted.value === null) return word.text === counted.text;
  const scale = Math.max(Math.abs(word.value), Math.abs(counted.value));
  return Math.abs(word.value - counted.value) <= toleranceOf(fact, scale);
}

/** Whether a source stands behind what is counted: it says the same, and is no mere claim beside something stronger. */
export function bearsOut(story: FeatureStory, source: SourceStory, fact: string): boolean {
  const basis = source.told.get(fact)?.cite.basis ?? 'unknown';
  const strongest = story.counted.get(fact)?.cite.basis;
  return saysTheSame(story, source, fact) && (!isClaim(basis) || basis === strongest);
}

/** Whether sources contradict each other about a fact, by what they say or by what they should have said. */
export const isDisputed = (story: FeatureStory, fact: string): boolean =>
  (story.counted.get(fact)?.disputed ?? false) ||
  story.findings.some((finding) => finding.rule === 'sources_disagree' && finding.fact === fact);

/** How far two values of a fact may lie apart and still agree; as `tolerance` of the record's schema. */
export function toleranceOf(fact: string, value: number): number {
  if (fact === 'completed_at') return 5_000;
  return fact === 'build_time' || fact === 'elapsed' ? Math.max(5, 0.05 * Math.abs(value)) : 0;
}
