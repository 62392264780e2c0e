import { strToU8, zipSync } from 'fflate';

/** An evidence pack of the given texts, for tests. */
export const packOf = (files: Readonly<Record<string, string>>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])), {
    mtime: '2026-05-04T00:00:00',
  });

/** The run of a pack. */
export const runYaml = (started: string, ended: string, status = 'finalized'): string =>
  `evidence: 1\nrun_id: r-1\nstatus: ${status}\ntitle: Lend\nstarted: '${started}'\nended: '${ended}'\nrun_kind: replay\n`;
