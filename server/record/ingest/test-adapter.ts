import picomatch from 'picomatch';
import { LIMITS } from '../../../shared/limits.ts';
import type { AnyRow, FactTable } from '../tables.ts';
import type { Adapter, SourceInput, SourceLine, UnitInput } from './adapter.ts';
import { decode } from './decode.ts';
import { type Issue, Issues } from './issue.ts';
import { linesOf } from './lines.ts';

/** What an adapter made of some files, for its tests. */
export interface Read {
  rows(table: FactTable): AnyRow[];
  /** Issues of all sources, by path. */
  issues: Record<string, Issue[]>;
  counts: Record<string, { ok: number; bad: number }>;
  project: string | null;
  /** Where the next reading would start, by path. */
  resume: Record<string, { no: number; offset: number; carry: string }>;
}

const matches = (path: string, glob: string): boolean => picomatch.isMatch(path, glob, { dot: true });

type Files = Readonly<Record<string, string | Uint8Array>>;

async function* from(text: string, issues: Issues, start: number): AsyncGenerator<SourceLine> {
  let offset = 0;
  for (const line of linesOf(text, issues)) {
    if (offset >= start) yield { ...line, offset };
    // Test files are written with single line feeds.
    offset += Buffer.byteLength(line.text) + 1;
  }
}

/**
 * Reads files held in memory with one adapter, in the units it asks for.
 * @param files by path inside the project
 * @param resume where to read on, by path, as an earlier reading left it
 */
export async function readWith(adapter: Adapter, files: Files, resume: Read['resume'] = {}): Promise<Read> {
  const read: Read = { rows: () => [], issues: {}, counts: {}, project: null, resume: {} };
  const rows = new Map<FactTable, AnyRow[]>();
  const units = new Map<string, SourceInput[]>();
  const taken = new Set<string>();
  for (const { kind, paths, single, sniff } of adapter.sources) {
    const found = paths.flatMap((glob) =>
      Object.keys(files)
        .sort()
        .filter((path) => matches(path, glob)),
    );
    for (const path of new Set(single ? found.slice(0, 1) : found)) {
      const content = files[path] ?? '';
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      if (
        taken.has(path) ||
        sniff?.(Buffer.from(bytes).toString('utf8').slice(0, LIMITS.sniffBytes)) === false
      )
        continue;
      taken.add(path);
      const issues = new Issues();
      // Archives are read as bytes, and are no text.
      let decoded: string | null = null;
      const text = (): string => {
        decoded ??= decode(bytes, issues);
        return decoded;
      };
      const unit = adapter.unit === 'together' ? '' : adapter.unit === 'each' ? path : adapter.unit(path);
      const source: SourceInput = {
        id: single ? kind : `${kind}-${path.replace(/[^\w]+/g, '-')}`,
        kind,
        label: path.split('/').at(-1) ?? path,
        path,
        text: async () => text(),
        bytes: async () => bytes,
        lines: () => from(text(), issues, resume[path]?.offset ?? 0),
        issue: (code, severity, line, detail) => {
          issues.add(code, severity, line, detail);
          read.issues[path] = issues.list();
        },
        count: (ok, bad) => {
          const before = read.counts[path] ?? { ok: 0, bad: 0 };
          read.counts[path] = { ok: before.ok + ok, bad: before.bad + bad };
        },
      };
      read.issues[path] = issues.list();
      units.set(unit, [...(units.get(unit) ?? []), source]);
    }
  }
  for (const sources of units.values()) {
    const only = sources[0];
    const unit: UnitInput = {
      project: { id: 'demo', name: 'Demo' },
      sources,
      of: (kind) => sources.filter((source) => source.kind === kind),
      carried: (only && resume[only.path]?.carry) ?? null,
    };
    await adapter.read(unit, {
      add: (table: FactTable, row: AnyRow) => {
        rows.set(table, [...(rows.get(table) ?? []), row]);
      },
      flush: async () => undefined,
      resumeAt: (line, carry) => {
        if (only) read.resume[only.path] = { no: line.no, offset: line.offset, carry };
      },
      projectName: (name) => {
        read.project = name;
      },
    });
  }
  return { ...read, rows: (table) => rows.get(table) ?? [] };
}
