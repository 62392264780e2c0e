import type { Adapter, RowSink, SourceInput, UnitInput } from '../adapter.ts';
import { addProgress } from './progress-rows.ts';
import { at, event, slug } from './rows.ts';
import { addStories, type LedgerHead, readLedger } from './stories.ts';

/** Folders a loop keeps its ledger in. */
const HOMES = ['', 'ralph/', '.ralph/', 'scripts/ralph/'];
const pathsOf = (name: string): string[] => [
  ...HOMES.map((home) => `${home}${name}`),
  ...HOMES.map((home) => `${home}archive/*/${name}`),
  ...HOMES.map((home) => `${home}archive-*-${name}`),
];

/** `archive/2026-03-05-wallet/prd.json` and `archive-2026-03-05-wallet-prd.json` are both of the archive `2026-03-05-wallet`. */
const ARCHIVED = /(?:^|\/)archive(?:\/([^/]{1,200})\/|-([^/]{1,200})-)(?:prd\.json|progress\.txt)$/;
const archiveOf = (path: string): string | null => {
  const match = ARCHIVED.exec(path);
  return match?.[1] ?? match?.[2] ?? null;
};
const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/') || '.';

/** The number 20260305 of an archive that starts with a day, so that archives stand in their order. */
function orderOf(archive: string | null): number | null {
  const match = archive === null ? null : /^(\d{4})-(\d\d)-(\d\d)/.exec(archive);
  return match ? Number(`${match[1]}${match[2]}${match[3]}`) : null;
}

interface Run {
  id: string;
  name: string;
  archive: string | null;
}

function runOf(path: string, head: LedgerHead | null): Run {
  const archive = archiveOf(path);
  if (archive !== null) return { id: `ralph.archive-${slug(archive)}`, name: archive, archive };
  const name = head?.branch ?? (folderOf(path) === '.' ? 'ralph' : folderOf(path));
  return { id: `ralph.${slug(name)}`, name, archive };
}

/** Tells the run, and the branch its ledger names: an archive may hold the ledger of another branch. */
function addRun(
  source: SourceInput,
  run: Run,
  head: LedgerHead | null,
  started: { ms: number; zone: string | null } | null,
  out: RowSink,
): void {
  out.add('runs_told', {
    run_id: run.id,
    harness: 'ralph',
    ord: orderOf(run.archive),
    name: run.name,
    started_at_ms: started !== null && started.zone !== null ? started.ms : null,
    zone: started?.zone ?? null,
    is_current: run.archive === null,
    rank: source.kind === 'prd' ? 0 : 1,
    ...at(source, head?.branchLine ?? null),
  });
  if (source.kind === 'prd' && head?.branch !== null && head?.branch !== undefined) {
    event(out, source, head.branchLine, {
      run_id: run.id,
      kind: 'ledger_branch',
      message: head.branch,
      data: run.archive === null ? null : JSON.stringify({ archive: run.archive }),
    });
  }
}

async function read(unit: UnitInput, out: RowSink): Promise<void> {
  const prd = unit.of('prd')[0];
  const ledger = prd ? await readLedger(prd) : null;
  const path = unit.sources[0]?.path;
  if (path === undefined) return;
  const run = runOf(path, ledger?.head ?? null);
  let known = new Set<string>();
  if (prd && ledger) {
    addRun(prd, run, ledger.head, null, out);
    known = addStories(prd, ledger, run.id, out);
    if (ledger.head.project !== null && run.archive === null)
      out.projectName(ledger.head.project.slice(0, 80));
  }
  for (const notes of unit.of('progress_notes')) {
    const { head, turns } = await addProgress(notes, run.id, known, out);
    // A file of nothing but patterns learned is no run of its own.
    if (ledger !== null || turns > 0 || head.started !== null) addRun(notes, run, null, head.started, out);
  }
}

/**
 * Loops after snarktank's Ralph: `prd.json`, whose `passes` the agent sets, and `progress.txt`, which it appends to. A run is a
 * branch; what the loop puts into its archive is a run of its own.
 */
export const snarktank: Adapter = {
  id: 'ralph/prd',
  version: 1,
  label: 'Ralph loop (prd.json)',
  sources: [
    {
      kind: 'prd',
      paths: pathsOf('prd.json'),
      sniff: (head) => /^\s*\{/.test(head) && /"(?:userStories|branchName)"\s*:/.test(head),
    },
    {
      kind: 'progress_notes',
      paths: pathsOf('progress.txt'),
      sniff: (head) => /^#+ .{0,40}Progress|^Started:|^## (?:Iteration \d|\[?\d{4}-\d\d-\d\d)/im.test(head),
    },
  ],
  unit: (path) => (archiveOf(path) === null ? folderOf(path) : `${folderOf(path)}:${archiveOf(path)}`),
  read,
};
