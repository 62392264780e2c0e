import type { Basis, Cite } from '../../shared/cards.ts';
import { BASES } from '../../shared/cards.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { EvidenceItem } from '../answer/types.ts';
import { dayAndClock } from '../metrics/time.ts';
import type { RecordProfile, Row, SqlValue, Store } from '../record/store.ts';
import { asksAfter } from './builtin/after.ts';
import { read } from './builtin/reading.ts';
import { tokenize } from './builtin/tokens.ts';
import { matchFeatures, SURE } from './entities.ts';

/** Features whose rows are collected for one question. */
const MAX_FEATURES = 4;
/** Rows one statement brings back. */
const ROWS = 40;
/** One item; the whole pack has LIMITS.evidenceChars. */
const ITEM_CHARS = 600;

type Found = Omit<EvidenceItem, 'id'>;

const text = (value: SqlValue | undefined): string => (typeof value === 'string' ? value : '');
const number = (value: SqlValue | undefined): number | null => (typeof value === 'number' ? value : null);
const basisOf = (value: SqlValue | undefined): Basis => BASES.find((basis) => basis === value) ?? 'unknown';

/** The beginning of a text, on lines of its own, cut at a word. */
function trim(value: string, most = ITEM_CHARS): string {
  const clean = value.replace(/[^\S\n]+/g, ' ').trim();
  if (clean.length <= most) return clean;
  const cut = clean.slice(0, most - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most / 2))}…`;
}

/** Makes cites with the names and bases of the loaded sources. */
function citer(profile: RecordProfile): (row: Row, basis?: Basis) => Cite {
  const sources = new Map(profile.sources.map((source) => [source.id, source]));
  return (row, basis) => {
    const id = text(row.source_id);
    const source = sources.get(id);
    return {
      source: id,
      label: source?.label ?? id,
      line: number(row.source_line),
      basis: basis ?? source?.basis ?? 'unknown',
    };
  };
}

/** Result lines of the log first, then the commits, then the attempts as claimed, then what planning passes wrote. */
async function ofFeature(id: string, store: Store, cite: ReturnType<typeof citer>): Promise<Found[]> {
  const feature = `SELECT f.feature_id FROM features f JOIN runs r USING (run_id) WHERE r.is_current AND f.ext_id = $1`;
  const ask = async (sql: string): Promise<Row[]> => (await store.query(sql, [id], { rows: ROWS })).rows;
  const [events, commits, attempts] = await Promise.all([
    ask(`SELECT e.kind, e.message, e.source_id, e.source_line FROM log_events e
      WHERE e.feature_id IN (${feature}) ORDER BY e.at_ms DESC NULLS LAST, e.source_line DESC`),
    ask(`SELECT c.subject, c.source_id, c.source_line FROM commits c WHERE c.feature_id IN (${feature})
      ORDER BY CASE c.phase WHEN 'during' THEN 1 WHEN 'after' THEN 2 ELSE 3 END, c.at_ms DESC`),
    ask(`SELECT a.n, a.score, a.feedback, a.basis, a.source_id, a.source_line FROM attempts a
      WHERE a.feature_id IN (${feature}) ORDER BY a.source_kind, a.n`),
  ]);
  const told = (rows: Row[], field: string): Found[] =>
    rows.map((row) => ({ cite: cite(row), feature: id, text: trim(text(row[field])) }));
  const place = (row: Row): string => `${text(row.source_id)}:${number(row.source_line)}`;
  const lines = new Set([...events, ...commits].map(place));
  const planning = (row: Row): boolean => text(row.kind).startsWith('planning');
  return [
    ...told(
      events.filter((row) => !planning(row)),
      'message',
    ),
    ...told(commits, 'subject'),
    // An attempt told on a line that is already there adds nothing.
    ...attempts
      .filter((row) => !lines.has(place(row)))
      .map((row) => ({ cite: cite(row, basisOf(row.basis)), feature: id, text: attemptText(row) })),
    ...told(events.filter(planning).slice(0, 3), 'message'),
  ];
}

function attemptText(row: Row): string {
  const score = number(row.score);
  const parts = [
    `iteration ${number(row.n) ?? '?'}`,
    ...(score === null ? [] : [`score ${score}`]),
    ...(text(row.feedback) === '' ? [] : [`feedback: ${text(row.feedback)}`]),
  ];
  return trim(parts.join(', '), 300);
}

/** Findings, totals of the run, and its planning passes: those that share words with the question first. */
async function ofRun(question: string, store: Store, cite: ReturnType<typeof citer>): Promise<Found[]> {
  const ask = async (sql: string): Promise<Row[]> => (await store.query(sql, [], { rows: ROWS })).rows;
  const [findings, totals, passes] = await Promise.all([
    ask(`SELECT d.says, min(w.source_id) AS source_id, min(w.source_line) AS source_line
      FROM findings d LEFT JOIN finding_rows w USING (finding_id) LEFT JOIN runs r ON r.run_id = d.run_id
      WHERE d.run_id IS NULL OR r.is_current GROUP BY d.finding_id, d.says, d.feature_id, d.severity
      ORDER BY d.feature_id IS NOT NULL, d.severity, d.finding_id`),
    ask(`SELECT o.fact, o.value, o.how, o.basis, o.source_id, o.source_line FROM observations o JOIN runs r USING (run_id)
      WHERE r.is_current AND o.feature_id IS NULL AND o.value IS NOT NULL ORDER BY o.fact, o.observation_id`),
    ask(`SELECT e.message, e.source_id, e.source_line FROM log_events e JOIN runs r USING (run_id)
      WHERE r.is_current AND e.feature_id IS NULL ORDER BY e.at_ms DESC NULLS LAST`),
  ]);
  const items: Found[] = [
    ...totals.map((row) => ({
      cite: cite(row, basisOf(row.basis)),
      text: trim(`${text(row.fact)}: ${number(row.value)} (${text(row.how)})`, 200),
    })),
    ...findings.map((row) => ({ cite: cite(row), text: trim(text(row.says), 300) })),
    ...passes.map((row) => ({ cite: cite(row), text: trim(text(row.message)) })),
  ];
  const words = new Set(tokenize(question).map(({ stem }) => stem));
  const shared = (item: Found): number =>
    new Set(tokenize(item.text).flatMap(({ stem }) => (stem.length > 3 && words.has(stem) ? [stem] : [])))
      .size;
  return items
    .map((item, at) => ({ item, at, shared: shared(item) }))
    .toSorted((a, b) => b.shared - a.shared || a.at - b.at)
    .map(({ item }) => item);
}

/** Commits after the run whose subjects share most words with the question, each with its time. */
async function commitsAfter(
  question: string,
  profile: RecordProfile,
  store: Store,
  cite: ReturnType<typeof citer>,
): Promise<Found[]> {
  if (!asksAfter(question, profile) || !read(question, profile).cues.has('commits')) return [];
  const { rows } = await store.query(
    `SELECT c.subject, c.at_ms, c.source_id, c.source_line FROM commits c
      WHERE c.phase = 'after' AND c.feature_id IS NULL ORDER BY c.at_ms`,
    [],
    { rows: 200 },
  );
  const words = new Set(tokenize(question).flatMap(({ stem }) => (stem.length > 3 ? [stem] : [])));
  // The name of the file stands in the question and in many subjects: it tells less than any other word.
  const own = new Set(profile.sources.flatMap(({ label }) => tokenize(label).map(({ stem }) => stem)));
  const likeness = (row: Row): number =>
    [...new Set(tokenize(text(row.subject)).map(({ stem }) => stem))].reduce(
      (sum, stem) => sum + (words.has(stem) ? (own.has(stem) ? 0.4 : 1) : 0),
      0,
    );
  return rows
    .map((row, at) => ({ row, at, fit: likeness(row) }))
    .filter((entry) => entry.fit > 0)
    .toSorted((a, b) => b.fit - a.fit || a.at - b.at)
    .slice(0, 3)
    .map(({ row }) => {
      const at = number(row.at_ms);
      const time = at === null ? '' : `${dayAndClock(at, profile.run?.zone ?? 'UTC')}: `;
      return { cite: cite(row), text: trim(`${time}${text(row.subject)}`) };
    });
}

/** Takes turns among the lists, so that none crowds the others out. */
function interleave(lists: Found[][]): Found[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}

/** Ids of the features whose rows a question needs: those it names, else the conversation's, else what was skipped. */
function subjects(question: string, profile: RecordProfile, about: readonly string[]): string[] {
  const named = matchFeatures(question, profile).filter(({ score }) => score >= SURE);
  if (named.length > 0) return named.slice(0, MAX_FEATURES).map(({ id }) => id);
  const carried = about.filter((id) => profile.features.some((feature) => feature.id === id));
  if (carried.length > 0) return carried.slice(0, MAX_FEATURES);
  if (!read(question, profile).cues.has('failed')) return [];
  const missed = profile.features.filter(({ status }) => status === 'skipped');
  return missed.length <= MAX_FEATURES ? missed.map(({ id }) => id) : [];
}

/**
 * Rows and lines of the current run that a question is about, surest first, in the source's own words.
 * At most LIMITS.evidenceItems items and LIMITS.evidenceChars characters. Throws QueryError when the record fails.
 * @param about features the conversation is about, for a question that names none
 */
export async function collectEvidence(
  question: string,
  profile: RecordProfile,
  store: Store,
  about: readonly string[] = [],
): Promise<EvidenceItem[]> {
  if (profile.features.length === 0) return [];
  const cite = citer(profile);
  const ids = subjects(question, profile, about);
  const after = await commitsAfter(question, profile, store, cite);
  const rest =
    ids.length > 0
      ? interleave(await Promise.all(ids.map((id) => ofFeature(id, store, cite))))
      : (await ofRun(question, store, cite)).slice(0, 8);
  const found = [...after, ...rest];
  const items: EvidenceItem[] = [];
  let chars = 0;
  for (const item of found) {
    if (item.text === '' || item.cite.source === '') continue;
    if (items.length >= LIMITS.evidenceItems || chars + item.text.length > LIMITS.evidenceChars) break;
    chars += item.text.length;
    items.push({ id: `E${items.length + 1}`, ...item });
  }
  return items;
}
