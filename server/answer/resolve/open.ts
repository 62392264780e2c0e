import { capital } from '../../../shared/capital.ts';
import type { Cite, Figure, Unit } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { Evidence } from '../../../shared/wire.ts';
import { checkQuery, measureOf } from '../../metrics/fit.ts';
import { BASES } from '../../metrics/measures.ts';
import type { Query, QueryContext } from '../../metrics/query.ts';
import { compileRows } from '../../metrics/rows.ts';
import { queryWords, ruleWords } from '../../metrics/words.ts';
import type { SqlValue, Store } from '../../record/store.ts';
import { featureIn } from '../facts.ts';
import { cells, citeOf, type Queries } from './context.ts';
import type { Descriptor } from './descriptor.ts';
import { figureOf, missing, weaker } from './figure.ts';
import { ROWS } from './own-rows.ts';
import { attemptSql, COMMIT_SQL } from './own-sql.ts';
import { isStoryFact, STORY } from './story.ts';

export type EvidenceRow = Evidence['rows'][number];
/** A figure computed again, with everything it rests on. */
export interface Opened {
  title: string;
  words: string;
  sql: string;
  params: SqlValue[];
  ms: number;
  figure: Figure | null;
  rows: EvidenceRow[];
  total: number;
}

/** What is read with. */
export interface Reading {
  store: Store;
  context: QueryContext;
  queries: Queries;
  /** Most rows that are given. */
  rows: number;
}

/**
 * Computes what a descriptor stands for again, with its rows.
 * @throws QueryError when the store fails or runs out of time
 */
export async function open(descriptor: Descriptor, reading: Reading): Promise<Opened> {
  switch (descriptor.kind) {
    case 'query':
      return openQuery(descriptor.query, descriptor.key, reading);
    case 'known': {
      const opened = await openQuery(descriptor.query, {}, reading);
      const answer = await reading.queries.run(descriptor.query);
      const measure = answer.measures[0];
      const counts = measure?.fact === null;
      const have = counts ? (answer.groups[0]?.values[0]?.value ?? 0) : (answer.coverage[0]?.have ?? 0);
      const unit: Unit = measure ? BASES[measure.base].unit : 'none';
      const figure: Figure = {
        value: have,
        unit,
        basis: opened.figure?.basis ?? 'derived',
        evidence: null,
        disputed: false,
        n: null,
        missing: null,
      };
      return { ...opened, title: `How many have it: ${opened.title.toLowerCase()}`, figure };
    }
    case 'share': {
      const [part, whole] = await Promise.all([
        openQuery(descriptor.part, {}, reading),
        openQuery(descriptor.whole, {}, reading),
      ]);
      return divided(part, whole, 'ratio', `Share of ${whole.title.toLowerCase()}`, reading.rows);
    }
    case 'quotient': {
      const [over, under] = await Promise.all([
        open(descriptor.over, reading),
        open(descriptor.under, reading),
      ]);
      return divided(
        over,
        under,
        'times',
        `${over.title}, divided by ${under.title.toLowerCase()}`,
        reading.rows,
      );
    }
    case 'attempt':
      return openOwn(
        attemptSql(descriptor.field),
        [descriptor.feature, descriptor.source, descriptor.n],
        descriptor.field === 'score' ? 'points' : 's',
        `${descriptor.field === 'score' ? 'Score' : 'Duration'} of attempt ${descriptor.n} of feature ${descriptor.feature}`,
        reading,
      );
    case 'commit':
      return openOwn(
        COMMIT_SQL[descriptor.field],
        [descriptor.commit],
        descriptor.field === 'files' ? 'files' : 'lines',
        {
          files: 'Files of one commit',
          insertions: 'Lines added by one commit',
          deletions: 'Lines removed by one commit',
        }[descriptor.field],
        reading,
      );
    case 'row': {
      const own = ROWS[descriptor.table];
      const opened = await openOwn(own.sql, [descriptor.id], own.unit ?? 'none', own.title, reading);
      return { ...opened, words: own.words, ...(own.unit === null ? { figure: null } : {}) };
    }
  }
}

/** Two opened figures as one quotient: the rows of both, the words of both. */
function divided(over: Opened, under: Opened, unit: Unit, title: string, most: number): Opened {
  const a = over.figure;
  const b = under.figure;
  const figure: Figure =
    a?.value != null && b?.value
      ? {
          value: a.value / b.value,
          unit,
          basis: weaker(a.basis, b.basis),
          evidence: null,
          disputed: a.disputed || b.disputed,
          n: null,
          missing: null,
        }
      : missing(unit, 'not recorded');
  return {
    title,
    words: `One figure divided by another. Above: ${over.words} Below: ${under.words}`,
    sql: `${over.sql};\n\n${under.sql}`,
    params: [...over.params, ...under.params],
    ms: over.ms + under.ms,
    figure,
    rows: [...over.rows, ...under.rows].slice(0, most),
    total: over.total + under.total,
  };
}

async function openQuery(
  query: Query,
  key: { by?: string | number | null; split?: string | number | null },
  reading: Reading,
): Promise<Opened> {
  const { store, context, queries } = reading;
  const whole: Query = { ...query, limit: null };
  const answer = await queries.run(whole);
  const grouped = answer.query.by !== null;
  const group =
    grouped && key.by === undefined
      ? null
      : (answer.groups.find(
          (entry) =>
            (key.by === undefined || entry.key === key.by) &&
            (key.split === undefined || (entry.split?.key ?? null) === key.split),
        ) ?? null);
  const ref = query.measures[0];
  const measure = measureOf(ref?.measure ?? '');
  const checked = checkQuery(whole);
  const at =
    group && grouped && key.by !== undefined
      ? [group.label, group.split?.label].filter((x) => x != null).join(', ')
      : null;
  const feature = featureIn(query.where);
  const compiled = compileRows(checked, 0, key, reading.rows, context);
  const found = await store.query(compiled.sql, compiled.params, {
    rows: reading.rows,
    ms: LIMITS.queryMs,
  });
  const rows = found.rows.map((row) =>
    evidenceRow(row, measure.fact === null && measure.column === undefined ? 'none' : measure.unit),
  );
  const value = group?.values[0];
  const coverage = answer.coverage[0];
  const left =
    coverage && coverage.have < coverage.of
      ? ` ${coverage.have} of ${coverage.of} have it${coverage.claimedOnly > 0 ? `; ${coverage.claimedOnly} only claimed and left out` : ''}.`
      : '';
  return {
    title: capital(
      `${measure.label}${feature === null ? '' : ` of feature ${feature}`}${at === null ? '' : `, ${at}`}`,
    ),
    words: `${queryWords(answer.query, 0, context, at)} ${ruleWords(measure, ref?.source ?? 'counted')}${left}`,
    sql: answer.sql,
    params: answer.params,
    ms: answer.ms,
    figure: value ? figureOf(measure, value, null) : null,
    rows,
    total: cells.number(found.rows[0]?.total) ?? 0,
  };
}

/** What is no measure: one statement of our own, one row a telling. */
async function openOwn(
  sql: string,
  params: SqlValue[],
  unit: Unit,
  title: string,
  { store, rows: most }: Reading,
): Promise<Opened> {
  const found = await store.query(sql, params, { rows: most, ms: LIMITS.queryMs });
  const rows = found.rows.map((row) => evidenceRow(row, unit));
  const first = rows[0];
  const figure: Figure =
    first?.value != null
      ? {
          value: first.value,
          unit,
          basis: first.basis,
          evidence: null,
          disputed: found.rows[0]?.disputed === true,
          n: null,
          missing: null,
        }
      : missing(unit, 'not recorded');
  return {
    title,
    words: `${title}, as its source lists it.`,
    sql,
    params,
    ms: found.ms,
    figure,
    rows,
    total: rows.length,
  };
}

/** @param whole unit of the figure; a row that names its own fact has the unit of that */
function evidenceRow(row: Record<string, SqlValue>, whole: Unit): EvidenceRow {
  const cite: Cite = citeOf(row);
  const fact = cells.text(row.fact);
  const unit = fact !== null && isStoryFact(fact) ? STORY[fact].unit : whole;
  const ref = cells.text(row.ref);
  return {
    label: `${ref === null ? '' : `${ref} `}${cells.text(row.label) ?? ''}`.trim().slice(0, LIMITS.cellText),
    value: cells.number(row.value),
    unit,
    basis: cite.basis,
    source: cite.label,
    sourceId: cite.source,
    line: cite.line,
    counted: row.counted === true,
    how: (cells.text(row.how) ?? '').slice(0, LIMITS.cellText),
  };
}
