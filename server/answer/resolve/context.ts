import type { Cite, Figure } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { About, Where } from '../../../shared/plan.ts';
import { machineZone } from '../../metrics/local-time.ts';
import type { Query, QueryContext } from '../../metrics/query.ts';
import { type QueryAnswer, runQuery } from '../../metrics/run.ts';
import { QueryError, type RecordProfile, type Row, type SqlValue, type Store } from '../../record/store.ts';
import type { FactResult } from '../facts.ts';
import type { EvidenceItem, Outcomes } from '../types.ts';
import { canonical, type Descriptor } from './descriptor.ts';

/** Score from which the harness accepts a feature of a category, with where that is known from. */
export type ThresholdLookup = (
  category: string | null,
) => { value: number; why: string; basis: Figure['basis'] } | null;

/** Statements of one answer at the same time, and at all. */
const AT_ONCE = 6;
const MOST = 400;

/** Runs the queries of one answer: equal ones once, a few at a time, never more than a bound. */
export class Queries {
  readonly #answers = new Map<string, Promise<QueryAnswer>>();
  readonly #rows = new Map<string, Promise<Row[]>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #asked = 0;

  constructor(
    readonly store: Store,
    readonly context: QueryContext,
    readonly signal: AbortSignal,
  ) {}

  /** Throws QueryRefused, QueryError. */
  run(query: Query): Promise<QueryAnswer> {
    return this.#once(this.#answers, canonical(query), () => runQuery(this.store, query, this.context));
  }

  /** Rows of a statement of our own, for what is no measure: tellings, commits, findings. Throws QueryError. */
  rows(sql: string, params: readonly SqlValue[], cap: number = LIMITS.queryRows): Promise<Row[]> {
    return this.#once(this.#rows, canonical([sql, params, cap]), async () => {
      const result = await this.store.query(sql, params, { rows: cap, ms: LIMITS.queryMs });
      return result.rows;
    });
  }

  #once<T>(shared: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
    const known = shared.get(key);
    if (known) return known;
    const made = this.#limited(work);
    shared.set(key, made);
    return made;
  }

  async #limited<T>(work: () => Promise<T>): Promise<T> {
    this.#asked += 1;
    if (this.#asked > MOST) throw new QueryError('query_failed', 'too many queries in one answer');
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      if (this.signal.aborted) throw new QueryError('query_timeout', 'the answer was ended');
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

/** What every card of one answer is resolved with. */
export interface ResolveContext {
  queries: Queries;
  profile: RecordProfile;
  evidence: readonly EvidenceItem[];
  threshold: ThresholdLookup;
  /** Registers what a figure rests on; gives the id that opens it. */
  register(descriptor: Descriptor): string;
  about: About;
  facts: ReadonlyMap<string, FactResult>;
  outcomes: Outcomes;
}

/** What queries need to know of a record. */
export const queryContext = (profile: RecordProfile): QueryContext => ({
  zone: profile.run?.zone ?? 'Z',
  startedAtMs: profile.run?.startedAtMs ?? null,
  // Whoever reads sits at this machine, or in its zone: days and hours of sessions are theirs.
  readerZone: machineZone(),
  sources: profile.sources,
});

/** Filters of a query: what the plan is about, unless it asks for the whole run, and its own. */
export function whereOf(about: About, scope: 'about' | 'run', where: readonly Where[]): Where[] {
  const feature: Where[] =
    about.feature === null ? [] : [{ type: 'in', dim: 'feature', not: false, any_of: [about.feature] }];
  const all = scope === 'about' ? [...feature, ...about.scope, ...where] : where;
  const seen = new Set<string>();
  return all.filter((entry) => {
    const key = canonical(entry);
    return !seen.has(key) && seen.add(key);
  });
}

/** Filter for findings that are problems with reading a source. */
export const readingProblems = (): Where => ({ type: 'in', dim: 'rule', not: false, any_of: ['reading'] });

const text = (value: SqlValue | undefined): string | null => (typeof value === 'string' ? value : null);
const number = (value: SqlValue | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** Typed reading of a row's cells. */
export const cells = { text, number };

/** A place in a source from a row with source_id, source (label), line and basis. */
export function citeOf(row: Row): Cite {
  const basis = text(row.basis);
  return {
    source: text(row.source_id) ?? '',
    label: text(row.source) ?? text(row.source_kind) ?? '',
    line: number(row.line),
    basis:
      basis === 'measured' || basis === 'derived' || basis === 'claimed' || basis === 'estimated'
        ? basis
        : 'unknown',
  };
}
