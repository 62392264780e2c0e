import { numberAt } from '../cells.ts';
import type { Transaction } from '../duck-transaction.ts';
import type { RecordLog } from '../log.ts';
import { cellsOf } from '../tables.ts';
import type { UnitChange } from './changes.ts';
import { cut } from './forgetting.ts';
import { OpenSource } from './open-source.ts';
import { tailSha } from './read-source.ts';
import type { Meter } from './reading-meter.ts';
import type { RowBatch } from './row-batch.ts';
import { RowWriter } from './row-writer.ts';

/** What all units of one reading share. */
export interface Reading {
  transaction: Transaction;
  batch: RowBatch;
  project: { id: string; name: string };
  log: RecordLog;
  meter: Meter;
}

interface Counts {
  ok: number;
  bad: number;
}

/** Prepares a log for being read on from `line`; gives what was counted of it before. */
async function reopened(transaction: Transaction, source: string, line: number): Promise<Counts> {
  const [row] = await transaction.rows('SELECT lines_ok, lines_bad FROM sources WHERE source_id = $1', [
    source,
  ]);
  await cut(transaction, source, line);
  await transaction.run('DELETE FROM sources WHERE source_id = $1', [source]);
  return { ok: (row && numberAt(row, 'lines_ok')) ?? 0, bad: (row && numberAt(row, 'lines_bad')) ?? 0 };
}

/**
 * A source that was read without any trouble and of which nothing was understood would look like one that has nothing to tell, so
 * it is said. Files of no known kind are not meant: there is nothing to understand in them.
 */
function sayNothing(source: OpenSource, told: boolean): void {
  const { counts, issues, kind, sha } = source;
  const said = issues.some(({ severity, code }) => severity !== 'info' || code === 'superseded');
  if (said || sha === null || kind === 'unknown_file' || (counts?.ok ?? 0) > 0) return;
  const bad = counts?.bad ?? 0;
  if (told && bad === 0) return;
  source.issue(
    'nothing_understood',
    'warning',
    null,
    bad > 0
      ? 'Nothing in this source is in the form its name promises, so nothing of it was understood.'
      : 'This source holds nothing that could be read.',
  );
}

/** Reads one unit; rows and what goes wrong are gathered in the batch. Throws only when the database does. */
export async function readUnit(
  { transaction, batch, project, log, meter }: Reading,
  change: UnitChange & { how: 'anew' | 'append' },
): Promise<void> {
  const { unit, states } = change;
  const resume = change.how === 'append' ? change.resume : null;
  const before = resume
    ? await reopened(transaction, unit.sources[0]?.id ?? '', resume.no)
    : { ok: 0, bad: 0 };
  const sources = unit.sources.map((found) => new OpenSource(found, resume, meter(found.path)));
  // A reader that goes on and finds nothing to count has still counted what was there before.
  if (resume !== null) for (const source of sources) source.count(0, 0);
  const writer = new RowWriter(batch, sources);
  try {
    await unit.adapter.read(
      {
        project,
        sources,
        of: (kind) => sources.filter((source) => source.kind === kind),
        carried: change.how === 'append' ? change.carry : null,
      },
      writer,
    );
  } catch (error) {
    // A fault of the reader must not take the other sources with it; what was read up to there is kept.
    log.warn(`${unit.key}: ${error instanceof Error ? error.message : String(error)}`);
    sources[0]?.issue(
      'adapter_failed',
      'error',
      null,
      'Reading stopped because of a fault in the reader of this format.',
    );
    writer.resume = null;
  }
  if (writer.name !== null) batch.add('meta', [`name.${unit.key}`, writer.name]);
  for (const source of sources) {
    if (resume === null) sayNothing(source, writer.told.has(source.id));
    const { found, counts, issues } = source;
    const point = unit.adapter.appendable && found.at.type === 'file' ? writer.resume : null;
    const tail = point && found.at.type === 'file' ? await tailSha(found.at.file, point.offset) : null;
    batch.add(
      'sources',
      cellsOf('sources', {
        source_id: found.id,
        project_id: project.id,
        kind: found.kind,
        label: found.label,
        path: found.path,
        content_sha: source.sha,
        bytes: source.bytesRead,
        lines_ok: counts && counts.ok + before.ok,
        lines_bad: counts && counts.bad + before.bad,
        parser: unit.adapter.id,
        parser_version: unit.adapter.version,
        unit: unit.key,
        state: states.get(found.id) ?? '',
        offset_bytes: point?.offset ?? null,
        next_line: point?.no ?? null,
        tail_sha: tail,
        carry: point?.carry ?? null,
      }),
    );
    const from = resume?.no ?? 0;
    issues.forEach((issue, i) => {
      batch.add('ingest_issues', [
        `${found.id}.i${from > 0 ? `${from}.` : ''}${i + 1}`,
        found.id,
        issue.line,
        issue.code,
        issue.severity,
        issue.detail,
      ]);
      if (issue.severity !== 'info') log.warn(`${found.path}: ${issue.detail}`);
    });
  }
  await batch.flush();
}
