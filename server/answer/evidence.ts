import { LIMITS } from '../../shared/limits.ts';
import type { Evidence, ProjectRef } from '../../shared/wire.ts';
import type { RecordHandle } from '../record/store.ts';
import { Queries, queryContext } from './resolve/context.ts';
import { type Descriptor, queryIdOf } from './resolve/descriptor.ts';
import { type EvidenceRow, type Opened, open } from './resolve/open.ts';

/** Figures that can be opened at the same time; the least recently used goes first. */
const KEPT = 20_000;
/** Sources, and lines of one source, shown beside the rows. */
const RAW_SOURCES = 6;
const RAW_CITES = 12;

/** Rows behind a figure, and how many there are: more than were read, where the cap cut them. */
export type AllRows = Pick<Evidence, 'rows' | 'total'>;

/** Remembers what every figure on a page was computed from, and computes it again when a figure is opened. */
export interface Registry {
  /** The id that opens a figure; the same descriptor has the same id whenever it is registered. */
  register(descriptor: Descriptor): string;
  /**
   * Runs the query behind a figure again, with its rows and the raw lines they come from.
   * @returns null for an id that is not known (any more)
   * @throws QueryError when the store fails or runs out of time
   */
  open(queryId: string): Promise<Evidence | null>;
  /**
   * All rows of the query behind a figure, at most LIMITS.queryRows.
   * @returns null for an id that is not known (any more)
   * @throws QueryError when the store fails or runs out of time
   */
  rows(queryId: string): Promise<AllRows | null>;
  /** How many are remembered. */
  readonly size: number;
}

/**
 * The registry of one record. Bounded; made once and shared by all answers.
 * @param record the record the figures were computed from
 * @param project which of the loaded ones that is; its ids are nobody else's
 */
export function createRegistry(
  record: RecordHandle,
  project: ProjectRef | null = null,
  kept: number = KEPT,
): Registry {
  const known = new Map<string, Descriptor>();
  const read = async (descriptor: Descriptor, rows: number): Promise<Opened> => {
    const context = queryContext(await record.profile());
    const queries = new Queries(record.store, context, new AbortController().signal);
    return open(descriptor, { store: record.store, context, queries, rows });
  };
  return {
    register(descriptor) {
      const id = queryIdOf(descriptor, project?.id);
      known.delete(id);
      known.set(id, descriptor);
      if (known.size > kept) {
        const oldest = known.keys().next().value;
        if (oldest !== undefined) known.delete(oldest);
      }
      return id;
    },
    async open(queryId) {
      const descriptor = known.get(queryId);
      if (!descriptor) return null;
      const opened = await read(descriptor, LIMITS.evidenceRows);
      const figure = opened.figure && { ...opened.figure, evidence: queryId };
      const params = opened.params.map((value) => (typeof value === 'boolean' ? String(value) : value));
      const raw = await rawOf(record, opened.rows);
      return { id: queryId, ...(project === null ? {} : { project }), ...opened, params, figure, raw };
    },
    async rows(queryId) {
      const descriptor = known.get(queryId);
      if (!descriptor) return null;
      const { rows, total } = await read(descriptor, LIMITS.queryRows);
      return { rows, total: Math.max(total, rows.length) };
    },
    get size() {
      return known.size;
    },
  };
}

/** The raw lines around what the rows cite, one block a source, each line once. */
async function rawOf(record: RecordHandle, rows: readonly EvidenceRow[]): Promise<Evidence['raw']> {
  const bySource = new Map<string, { row: EvidenceRow; lines: Set<number> }>();
  for (const row of rows) {
    if (row.line === null || row.sourceId === '') continue;
    const known = bySource.get(row.sourceId);
    if (known) {
      if (known.lines.size < RAW_CITES) known.lines.add(row.line);
    } else if (bySource.size < RAW_SOURCES) bySource.set(row.sourceId, { row, lines: new Set([row.line]) });
  }
  return Promise.all(
    [...bySource].map(async ([sourceId, { row, lines }]) => {
      const around = lines.size > 3 ? 0 : LIMITS.evidenceLines;
      const read = await Promise.all([...lines].map((line) => record.rawLines(sourceId, line, around)));
      const merged = new Map<number, Evidence['raw'][number]['lines'][number]>();
      for (const entry of read.flatMap((part) => part?.lines ?? [])) {
        const known = merged.get(entry.line);
        merged.set(entry.line, {
          line: entry.line,
          text: entry.text.slice(0, LIMITS.cellText),
          cited: lines.has(entry.line) || (known?.cited ?? false),
        });
      }
      const name = read.find((part) => part !== null)?.source ?? row.source;
      return {
        source: name,
        sourceId,
        basis: row.basis,
        lines: [...merged.values()].sort((a, b) => a.line - b.line),
      };
    }),
  );
}
