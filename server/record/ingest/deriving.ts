import { CHECKS } from '../audit/index.ts';
import { FAILED_KEY, notChecked } from '../audit/not-checked.ts';
import type { Rule } from '../audit/rule.ts';
import { dropDerived, type Transaction } from '../duck-transaction.ts';
import type { RecordLog } from '../log.ts';
import { ANY_SESSIONS, DERIVED, DERIVED_NAMES, MACROS, OF_SESSIONS } from '../schema.ts';
import type { Adapter } from './adapter.ts';
import { askedOnce } from './asked-once.ts';
import { makeEmpty } from './empty-table.ts';
import { sha256 } from './read-source.ts';
import { RowBatch } from './row-batch.ts';

/** What is derived from what was read, and by what. */
export interface Deriving {
  adapters: readonly Adapter[];
  /** SELECTs of derived tables by name, in the order in which one rests on the other. */
  derived: Readonly<Record<string, string>>;
  rules: readonly Rule[];
}

export const derivingOf = (adapters: readonly Adapter[]): Deriving => ({
  adapters,
  derived: Object.fromEntries(DERIVED_NAMES.map((name) => [name, DERIVED[name]])),
  rules: CHECKS,
});

/** A step failed in such a way that the database gave up the transaction; the step is noted in the failures. */
export class DerivingStopped extends Error {}

/** Steps that failed, with a sentence for people; null where another step has said it already. Those are left out the next time. */
export type Failures = Map<string, string | null>;

interface Step {
  id: string;
  says: string | null;
  run(): Promise<void>;
}

/** Whether statements still run: after some errors a transaction only waits to be taken back. */
const alive = (transaction: Transaction): Promise<boolean> =>
  transaction.rows('SELECT 1').then(
    () => true,
    () => false,
  );

/** Runs one step, and says whether it could be done. Throws DerivingStopped. */
async function attempt(
  transaction: Transaction,
  { id, says, run }: Step,
  failures: Failures,
  log: RecordLog,
): Promise<boolean> {
  if (failures.has(id)) return false;
  try {
    await run();
    return true;
  } catch (error) {
    failures.set(id, says);
    log.warn(`${id}: ${error instanceof Error ? error.message : String(error)}`);
    if (!(await alive(transaction))) throw new DerivingStopped(id);
    return false;
  }
}

/** The audit reads what is derived from observations, and what is derived of features reads the audit. */
const AFTER_AUDIT = 'v_feature';

/**
 * Makes the derived tables, runs the audit over them, and notes the digest of it all. A statement or rule that fails costs
 * what it would have given and is a finding.
 * @param failures steps to leave out because they have failed before; those that fail now are added
 * @throws DerivingStopped when the transaction ended with a step; to be tried again without it
 */
export async function derive(
  transaction: Transaction,
  { adapters, derived, rules }: Deriving,
  failures: Failures,
  log: RecordLog,
): Promise<void> {
  const step = (id: string, says: string | null, run: () => Promise<void>): Promise<boolean> =>
    attempt(transaction, { id, says, run }, failures, log);
  const query = askedOnce((sql, params) => transaction.rows(sql, params));
  await dropDerived(transaction, Object.keys(derived));
  for (const table of ['findings', 'finding_rows']) await transaction.run(`DELETE FROM ${table}`);
  await transaction.run("DELETE FROM meta WHERE key = 'digest' OR starts_with(key, $1)", [FAILED_KEY]);
  await transaction.script(MACROS);
  for (const { id, label, settles = [] } of adapters)
    for (const [i, statement] of settles.entries())
      await step(
        `settles.${id}.${i + 1}`,
        `What other sources say of "${label}" could not be added to it.`,
        () => transaction.run(statement),
      );
  const batch = new RowBatch(transaction);
  const find = async (rule: Rule): Promise<void> => {
    for (const { id, runId, featureId, severity, fact, says, rows } of await rule.find(query)) {
      batch.add('findings', [id, runId, featureId, rule.id, severity, fact, says]);
      for (const { sourceId, line, ref } of rows) batch.add('finding_rows', [id, sourceId, line, ref]);
    }
  };
  const audit = async (): Promise<void> => {
    for (const rule of rules)
      await step(
        `rule.${rule.id}`,
        `The rule ${rule.id} could not be checked, so what it would have found is missing.`,
        () => find(rule),
      );
    await batch.end();
  };
  const sessions = (await transaction.rows(ANY_SESSIONS)).length > 0;
  for (const [name, sql] of Object.entries(derived)) {
    if (name === AFTER_AUDIT) await audit();
    const made = await step(
      `table.${name}`,
      `The part of the record called ${name} could not be derived, so it is empty.`,
      () =>
        OF_SESSIONS.has(name) && !sessions
          ? makeEmpty(transaction, name, sql)
          : transaction.run(`CREATE TABLE ${name} AS ${sql}`),
    );
    // Empty, what rests on it can still be derived and asked.
    if (!made)
      await step(`table.${name}.empty`, null, () =>
        transaction.run(`CREATE TABLE ${name} AS SELECT * FROM (${sql}) LIMIT 0`),
      );
    if (name === 'observations')
      for (const { id, label, derives = [] } of adapters)
        for (const [i, select] of derives.entries())
          await step(
            `derives.${id}.${i + 1}`,
            `What follows from many entries of "${label}" could not be derived, so it is missing.`,
            () => transaction.run(`INSERT INTO ${name} BY NAME ${select}`),
          );
  }
  if (!(AFTER_AUDIT in derived)) await audit();
  for (const [id, says] of failures) if (says !== null) batch.add('meta', [`${FAILED_KEY}${id}`, says]);
  await batch.end();
  await find(notChecked);
  await batch.end();
  await noteDigest(transaction);
}

/** Notes what this record is: its sources, what reading them met, and the findings. */
async function noteDigest(transaction: Transaction): Promise<void> {
  const content = [
    await transaction.rows(
      'SELECT source_id, path, content_sha, parser, parser_version, unit FROM sources ORDER BY source_id',
    ),
    await transaction.rows('SELECT * FROM ingest_issues ORDER BY issue_id'),
    await transaction.rows('SELECT * FROM findings ORDER BY finding_id'),
    await transaction.rows('SELECT project_id, name FROM projects'),
  ];
  await transaction.append('meta', [['digest', sha256(JSON.stringify(content))]]);
}
