import { z } from 'zod/v4';
import { numberAt, textAt } from '../cells.ts';
import type { Rule } from './rule.ts';

const ARCHIVED = `
 SELECT event_id, run_id, source_id, source_line, message AS branch, data FROM log_events
 WHERE kind = 'ledger_branch' AND data IS NOT NULL ORDER BY run_id, event_id`;

const archived = z.object({ archive: z.string() });
const archiveOf = (data: string | null): string | null => {
  try {
    const value: unknown = JSON.parse(data ?? '');
    return archived.safeParse(value).data?.archive ?? null;
  } catch {
    return null;
  }
};

/** Names compared without day, prefix, spelling: "ralph/Wallet_commands" is what "2026-03-05-wallet-commands" keeps. */
const nameOf = (text: string): string =>
  text
    .replace(/^\d{4}-\d\d-\d\d[-_]?/, '')
    .replace(/^ralph\//i, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');

/** An archive that holds the ledger of another branch: the earlier run's own ledger was overwritten before it was filed. */
export const archiveOfAnotherBranch: Rule = {
  id: 'archive_of_another_branch',
  sentence: 'An archive of a run holds the ledger of another branch.',
  find: async (query) =>
    (await query(ARCHIVED)).flatMap((row) => {
      const archive = archiveOf(textAt(row, 'data'));
      const branch = textAt(row, 'branch') ?? '';
      if (archive === null || nameOf(archive) === nameOf(branch)) return [];
      const event = textAt(row, 'event_id');
      return [
        {
          id: `archive_of_another_branch.${event}`,
          runId: textAt(row, 'run_id'),
          featureId: null,
          severity: 'warning' as const,
          fact: 'status',
          says: `The archive ${archive} holds the ledger of ${branch}, so the states of its own stories are lost`,
          rows: [
            { sourceId: textAt(row, 'source_id') ?? '', line: numberAt(row, 'source_line'), ref: event },
          ],
        },
      ];
    }),
};
