import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../shared/limits.ts';
import type { RecordOptions } from '../record/index.ts';
import { SILENT } from '../record/log.ts';
import { QueryError, type RecordHandle, type Store } from '../record/store.ts';
import { JoinedStore } from './comparison/store.ts';
import { openWorkspace } from './workspace.ts';

const storeOf = (name: string, closed: string[] = []): Store => ({
  query: async () => ({ rows: [], truncated: false, ms: 0 }),
  connect: async () => storeOf(`${name}'`, closed),
  fingerprint: async () => `print of ${name}`,
  close: async () => void closed.push(name),
});

/** A record that is only a name. */
const recordOf = (
  { project }: RecordOptions,
  told: string,
  closed: string[],
  watched: string[],
): RecordHandle => ({
  store: storeOf(project?.id ?? '', closed),
  profile: async () => Promise.reject(new QueryError('query_failed', 'not asked')),
  rawLines: async () => null,
  reload: async () => false,
  summary: async () => ({
    project: { id: project?.id ?? '', name: told },
    root: null,
    sources: [],
    rows: {},
    findings: 0,
    left: [],
  }),
  onChange: () => () => undefined,
  watch: () => void watched.push(project?.id ?? ''),
  close: async () => void closed.push(project?.id ?? ''),
});

describe('a workspace', () => {
  it('opens a record a folder, each with a name of its own and its own database', async () => {
    const closed: string[] = [];
    const watched: string[] = [];
    const databases: string[] = [];
    const workspace = await openWorkspace({
      folders: ['/a/one', '/a/two', '/b/two'],
      state: '/state',
      log: SILENT,
      open: async (options) => {
        databases.push(options.database);
        return recordOf(options, 'The same name', closed, watched);
      },
    });
    expect(workspace.projects.map(({ id, name, called }) => [id, name, called])).toEqual([
      ['one', 'The same name', ['The same name', 'one']],
      ['two', 'a/two', ['a/two', 'two']],
      ['two-2', 'b/two', ['b/two', 'two-2']],
    ]);
    expect(new Set(databases).size).toBe(3);
    for (const database of databases) expect(database).toMatch(/^\/state\/record-[0-9a-f]{16}\.duckdb$/);
    workspace.watch();
    expect(watched).toEqual(['one', 'two', 'two-2']);
    await workspace.close();
    expect(closed).toEqual(['one', 'two', 'two-2']);
  });

  it('loads a bounded number, and says how many it left', async () => {
    const warned: string[] = [];
    const workspace = await openWorkspace({
      folders: Array.from({ length: LIMITS.projects + 3 }, (_, n) => `/x/p${n}`),
      state: null,
      log: { info: () => undefined, warn: (message) => void warned.push(message) },
      open: async (options) => recordOf(options, '', [], []),
    });
    expect(workspace.projects).toHaveLength(LIMITS.projects);
    expect(warned).toEqual(['3 folders more than 12 were given; they are not read.']);
  });

  it('closes what is open when one cannot be opened', async () => {
    const closed: string[] = [];
    const opening = openWorkspace({
      folders: ['/x/a', '/x/b', '/x/c'],
      state: null,
      log: SILENT,
      open: async (options) => {
        if (options.root === '/x/c') throw new Error('no database');
        return recordOf(options, '', closed, []);
      },
    });
    await expect(opening).rejects.toThrow('no database');
    expect(closed).toEqual(['a', 'b']);
  });
});

describe('stores side by side', () => {
  it('change when one of them does, and are never asked together', async () => {
    const closed: string[] = [];
    const joined = new JoinedStore(
      new Map([
        ['a', storeOf('a', closed)],
        ['b', storeOf('b', closed)],
      ]),
    );
    const other = new JoinedStore(
      new Map([
        ['a', storeOf('a')],
        ['b', storeOf('c')],
      ]),
    );
    expect(await joined.fingerprint()).toMatch(/^[0-9a-f]{64}$/);
    expect(await joined.fingerprint()).toBe(await joined.fingerprint());
    expect(await joined.fingerprint()).not.toBe(await other.fingerprint());
    await expect(joined.query()).rejects.toThrow(QueryError);
    const own = await joined.connect();
    await own.close();
    expect(closed).toEqual(["a'", "b'"]);
  });

  it('close what is connected when one cannot be', async () => {
    const closed: string[] = [];
    const broken: Store = {
      ...storeOf('b'),
      connect: async () => Promise.reject(new Error('no connection')),
    };
    const joined = new JoinedStore(
      new Map([
        ['a', storeOf('a', closed)],
        ['b', broken],
      ]),
    );
    await expect(joined.connect()).rejects.toThrow('no connection');
    expect(closed).toEqual(["a'"]);
  });
});
