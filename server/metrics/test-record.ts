import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { DERIVED, DERIVED_NAMES, MACROS, TABLES } from '../record/schema.ts';
import type { QueryResult, Row, SqlValue, Store } from '../record/store.ts';
import { QueryError } from '../record/store.ts';

/** A store in memory over the real schema and the real database, for tests that write their own rows. */
export interface TestStore extends Store {
  insert(table: string, rows: readonly Row[]): Promise<void>;
  statements: number;
}

const cell = (value: unknown): SqlValue => {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
};

export async function testStore(): Promise<TestStore> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection: DuckDBConnection = await instance.connect();
  await connection.run(TABLES);
  await connection.run(MACROS);
  // As after ingest: derived tables, made anew when rows were added. Views of views are slow to plan and to run.
  let added = true;
  const derive = async (): Promise<void> => {
    if (!added) return;
    added = false;
    for (const name of DERIVED_NAMES)
      await connection.run(`CREATE OR REPLACE TABLE ${name} AS ${DERIVED[name]}`);
  };
  let queue: Promise<unknown> = Promise.resolve();
  const store: TestStore = {
    statements: 0,
    query(sql, params = [], limits = {}): Promise<QueryResult> {
      const job = async (): Promise<QueryResult> => {
        store.statements += 1;
        try {
          await derive();
          const reader = await connection.runAndReadAll(sql, [...params]);
          const names = reader.columnNames();
          const all = reader
            .getRows()
            .map((row): Row => Object.fromEntries(names.map((name, at) => [name, cell(row[at])])));
          const cap = limits.rows ?? 5000;
          return { rows: all.slice(0, cap), truncated: all.length > cap, ms: 0 };
        } catch (error) {
          throw new QueryError('query_failed', String(error));
        }
      };
      const mine = queue.then(job, job);
      queue = mine.catch(() => undefined);
      return mine;
    },
    async insert(table, rows) {
      added = true;
      for (const row of rows) {
        const names = Object.keys(row);
        const slots = names.map((_, at) => `$${at + 1}`).join(', ');
        await connection.run(
          `INSERT INTO ${table} (${names.join(', ')}) VALUES (${slots})`,
          Object.values(row),
        );
      }
    },
    connect: async () => store,
    fingerprint: async () => 'test',
    close: async () => connection.closeSync(),
  };
  return store;
}

/** What one source says of one feature, short to write: fact, value and how strong it is. */
export interface Said {
  feature: string | null;
  fact: string;
  value: number | string;
  kind: 'metrics' | 'progress_log' | 'git' | 'feature_list';
  basis: 'measured' | 'derived' | 'claimed';
  line?: number;
  how?: string;
}

export const RUN_START = Date.UTC(2026, 2, 28, 19, 48, 30);

/** Loads one run with features (id, title, category) and what was said of them. */
export async function loadRun(
  store: TestStore,
  features: readonly { id: string; title: string; category: string }[],
  said: readonly Said[],
  run = { id: 'r1', current: true, seq: 1 },
): Promise<void> {
  if (run.current) {
    await store.insert('projects', [{ project_id: 'p', name: 'demo', root_path: null }]);
    await store.insert(
      'sources',
      (
        [
          ['metrics', 'metrics.json'],
          ['progress_log', 'claude-progress.txt'],
          ['git', 'git log'],
          ['feature_list', 'feature_list.json'],
        ] as const
      ).map(([kind, label]) => ({
        source_id: `s_${kind}`,
        project_id: 'p',
        kind,
        label,
        path: label,
        parser: kind,
        parser_version: 1,
        unit: 'test',
        state: '',
      })),
    );
  }
  await store.insert('runs_told', [
    {
      run_id: run.id,
      harness: 'agentforge',
      ord: run.seq,
      name: `run ${run.seq}`,
      started_at_ms: RUN_START,
      ended_at_ms: RUN_START + 82 * 60_000,
      zone: '-07:00',
      is_current: run.current,
      rank: 0,
      source_id: 's_progress_log',
    },
  ]);
  await store.insert(
    'features_told',
    features.map((feature, ord) => ({
      feature_id: `${run.id}/${feature.id}`,
      run_id: run.id,
      ext_id: feature.id,
      ord,
      title: feature.title,
      description: feature.title,
      category: feature.category,
      rank: 0,
      source_id: 's_feature_list',
      source_line: ord + 1,
    })),
  );
  await store.insert(
    'observations_told',
    said.map((word, at) => ({
      observation_id: `${run.id}-o${String(at).padStart(5, '0')}`,
      run_id: run.id,
      feature_id: word.feature === null ? null : `${run.id}/${word.feature}`,
      fact: word.fact,
      value: typeof word.value === 'number' ? word.value : null,
      text_value: typeof word.value === 'string' ? word.value : null,
      basis: word.basis,
      source_id: `s_${word.kind}`,
      source_kind: word.kind,
      source_line: word.line ?? at + 1,
      how: word.how ?? 'as written',
    })),
  );
}

export const CONTEXT = {
  zone: '-07:00',
  startedAtMs: RUN_START,
  sources: [
    { kind: 'metrics', label: 'metrics.json' },
    { kind: 'progress_log', label: 'claude-progress.txt' },
    { kind: 'git', label: 'git log' },
    { kind: 'feature_list', label: 'feature_list.json' },
  ],
} as const;
