import { textAt } from '../cells.ts';
import type { Transaction } from '../duck-transaction.ts';
import type { Duck } from '../duckdb.ts';
import type { RecordLog } from '../log.ts';
import type { ReadProgress } from '../store.ts';
import { cellsOf } from '../tables.ts';
import type { Changes, UnitChange } from './changes.ts';
import { type Deriving, DerivingStopped, derive, type Failures } from './deriving.ts';
import { forget } from './forgetting.ts';
import { type Reading, readUnit } from './read-unit.ts';
import { meterOf } from './reading-meter.ts';
import { RowBatch } from './row-batch.ts';

async function touch(transaction: Transaction, states: ReadonlyMap<string, string>): Promise<void> {
  for (const [id, state] of states)
    await transaction.run('UPDATE sources SET state = $2 WHERE source_id = $1', [id, state]);
}

/** Notes new states of files whose content is as before, and nothing else. */
export async function noteTouched(duck: Duck, units: readonly UnitChange[]): Promise<void> {
  const touched = units.filter(({ how }) => how === 'touched');
  if (touched.length > 0)
    await duck.write(async (transaction) => {
      for (const { states } of touched) await touch(transaction, states);
    });
}

/** What the units say the project is called, else the name of its folder; a record without sources has no project. */
async function nameProject(
  transaction: Transaction,
  project: { id: string; name: string; root: string | null },
): Promise<void> {
  const names = await transaction.rows("SELECT value FROM meta WHERE key LIKE 'name.%' ORDER BY key");
  const name = (names[0] && textAt(names[0], 'value')) ?? project.name;
  await transaction.run('DELETE FROM projects');
  const any = await transaction.rows('SELECT 1 AS one FROM sources LIMIT 1');
  if (any.length > 0)
    await transaction.append('projects', [
      cellsOf('projects', { project_id: project.id, name, root_path: project.root }),
    ]);
}

/** Reads what changed, and removes what is gone. */
async function readChanges(
  reading: Reading & { project: { root: string | null } },
  { units, gone }: Changes,
): Promise<void> {
  const { transaction, batch, project } = reading;
  const known = new Set(
    (await transaction.rows('SELECT DISTINCT unit FROM sources')).map((row) => textAt(row, 'unit')),
  );
  const anew = units.flatMap(({ how, unit: { key } }) => (how === 'anew' && known.has(key) ? [key] : []));
  // All before the first is read: a source may have taken over the id another one had.
  await forget(transaction, [...gone, ...anew]);
  for (const change of units) {
    if (change.how === 'anew' || change.how === 'append') await readUnit(reading, change);
    else if (change.how === 'touched') await touch(transaction, change.states);
  }
  await batch.end();
  await nameProject(transaction, project);
}

/** Brings a record up to what was found. Throws when the database does. */
export type RecordWriter = (changes: Changes, tell?: (at: ReadProgress) => void) => Promise<void>;

/**
 * A writer of one record: units that changed are read, units that are gone are removed, then everything derived is made anew. The
 * same folder gives the same rows, whichever way it was reached. All of that is one transaction, unless something cannot be
 * derived: the database gives up a transaction in which a statement failed, so from then on reading is a transaction of its
 * own, and deriving is tried again without what failed.
 */
export function recordWriter(
  duck: Duck,
  project: { id: string; name: string; root: string | null },
  deriving: Deriving,
  log: RecordLog,
): RecordWriter {
  let apart = false;
  const read = (transaction: Transaction, changes: Changes, tell?: (at: ReadProgress) => void) =>
    readChanges(
      {
        transaction,
        batch: new RowBatch(transaction),
        project,
        log,
        meter: meterOf(changes.units, tell),
      },
      changes,
    );
  return async (changes, tell) => {
    const failures: Failures = new Map();
    if (!apart) {
      try {
        await duck.write(async (transaction) => {
          await read(transaction, changes, tell);
          await derive(transaction, deriving, failures, log);
        });
        return;
      } catch (error) {
        if (!(error instanceof DerivingStopped)) throw error;
      }
    }
    await duck.write(async (transaction) => {
      await read(transaction, changes, tell);
      // Whoever asks before everything is derived sees a record that is about to change.
      await transaction.run("DELETE FROM meta WHERE key = 'digest'");
    });
    apart = await deriveApart(duck, deriving, failures, log);
  };
}

/** Derives until nothing fails any more, and says whether something did. Ends, since what failed once is not tried again. */
async function deriveApart(
  duck: Duck,
  deriving: Deriving,
  failures: Failures,
  log: RecordLog,
): Promise<boolean> {
  for (let known = -1; known < failures.size; ) {
    known = failures.size;
    try {
      await duck.write((transaction) => derive(transaction, deriving, failures, log));
      break;
    } catch (error) {
      if (!(error instanceof DerivingStopped)) throw error;
    }
  }
  return failures.size > 0;
}
