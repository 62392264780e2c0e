import { LIMITS } from '../../../../shared/limits.ts';
import { GIT_TIME, gitText, runGit } from './command.ts';
import { type Flip, flipsOf, type LedgerState, ledgerState } from './ledger-state.ts';
import { checkRepository } from './repository.ts';
import { tokensOf } from './tokens.ts';

/** One change of an entry as a line of a ledger's history. */
export interface FlipLine extends Flip {
  sha: string;
  at: string;
  path: string;
}
/** A state of the ledger that could not be read, or was too large; what it changed is told with the next one that can be. */
export interface UnreadLine {
  note: 'state_not_read';
  sha: string;
  path: string;
}

/** One commit that changes the ledger: its content before and after, null where there is none. */
interface Change {
  sha: string;
  at: string;
  before: string | null;
  after: string | null;
}

const MARK = 'commit';
const LOG = [
  'log',
  '-z',
  '--reverse',
  '--raw',
  '--no-abbrev',
  '--no-renames',
  '--no-ext-diff',
  '--no-color',
  '--no-notes',
  '--no-mailmap',
  '--no-relative',
  '-O/dev/null',
  `--format=tformat:%x00${MARK}%x00%H%x00%cI`,
  `--max-count=${LIMITS.ledgerStates}`,
];
const RAW = /^\n?:\d{6} \d{6} ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [A-Z]\d{0,3}$/;

/** Commits that change a ledger, out of what `git log --raw -z` prints: the word `commit`, name, time, then change and path. */
async function changesOf(tokens: AsyncIterable<string>, ledger: string): Promise<Change[]> {
  const changes: Change[] = [];
  let head: string[] = [];
  let raw: RegExpExecArray | null = null;
  const blob = (name: string | undefined): string | null =>
    name === undefined || /^0+$/.test(name) ? null : name;
  for await (const token of tokens) {
    if (raw) {
      if (token === ledger)
        changes.push({ sha: head[1] ?? '', at: head[2] ?? '', before: blob(raw[1]), after: blob(raw[2]) });
      raw = null;
    } else if (head.length > 0 && head.length < 3) head.push(token);
    else if (token === MARK) head = [MARK];
    else if (token !== '') {
      raw = RAW.exec(token);
      if (!raw) throw new Error('git printed something else than changes');
    }
  }
  return changes;
}

/** Blobs out of what `git cat-file --batch` prints; null for one that is missing or larger than the limit, whose bytes are not kept. */
export async function* blobsOf(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<string | null> {
  let header = '';
  /** Bytes of the blob that are still to come, with the line break after it; null while a header is read. */
  let left: number | null = null;
  let kept: Buffer[] | null = null;
  for await (const chunk of chunks) {
    let at = 0;
    while (at < chunk.length) {
      if (left === null) {
        const end = chunk.indexOf(10, at);
        header += chunk.toString('latin1', at, end === -1 ? chunk.length : end);
        if (header.length > LIMITS.cellText) throw new Error('git printed something else than a blob');
        if (end === -1) break;
        at = end + 1;
        const size = /^[0-9a-f]{40,64} (\w{1,10}) (\d{1,12})$/.exec(header);
        header = '';
        if (size?.[2] === undefined) yield null;
        else {
          left = Number(size[2]) + 1;
          kept = size[1] === 'blob' && left - 1 <= limit ? [] : null;
        }
        continue;
      }
      const piece = chunk.subarray(at, at + left);
      kept?.push(Buffer.from(piece));
      left -= piece.length;
      at += piece.length;
      if (left > 0) continue;
      yield kept === null ? null : Buffer.concat(kept).subarray(0, -1).toString('utf8');
      left = null;
      kept = null;
    }
  }
}

/**
 * The history of a ledger: one JSON object (FlipLine) for each field of an entry that a commit changed, oldest first, at most
 * over the newest LIMITS.ledgerStates commits. Each commit is compared with the one it was made on, so branches do not mix.
 * @param dir the repository (`.git`), a path without links in it
 * @param ledger path of the ledger inside the repository
 * @throws RepositoryRefused when the repository leads out of its folder; an error when git fails or takes too long
 */
export async function* ledgerLines(dir: string, ledger: string): AsyncGenerator<string> {
  await checkRepository(dir);
  if ((await gitText(dir, ['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], [0, 1])).trim() === '')
    return;
  const changes = await changesOf(
    tokensOf(runGit(dir, [...LOG, 'HEAD', '--', ledger]), LIMITS.commitText),
    ledger,
  );
  const names = [
    ...new Set(changes.flatMap(({ before, after }) => [before, after]).filter((name) => name !== null)),
  ];
  if (names.length === 0) return;
  /** How often each state is still needed. */
  const uses = new Map<string, number>();
  for (const { before, after } of changes)
    for (const name of [before, after]) if (name !== null) uses.set(name, (uses.get(name) ?? 0) + 1);
  const asked = names[Symbol.iterator]();
  const blobs = blobsOf(
    runGit(dir, ['cat-file', '--batch'], { input: `${names.join('\n')}\n`, time: GIT_TIME }),
    LIMITS.ledgerBytes,
  );
  const states = new Map<string, LedgerState | null>();
  const stateOf = async (name: string | null): Promise<LedgerState | null> => {
    if (name === null) return new Map();
    // Bounded: each step takes one of the blobs that were asked for.
    while (!states.has(name)) {
      const [next, blob] = [asked.next(), await blobs.next()];
      if (next.done || blob.done)
        throw new Error('git gave fewer states of the ledger than it was asked for');
      states.set(next.value, blob.value === null ? null : ledgerState(ledger, blob.value));
    }
    return states.get(name) ?? null;
  };
  try {
    for (const { sha, at, before, after } of changes) {
      const old = await stateOf(before);
      const now = await stateOf(after);
      if (now === null) {
        yield JSON.stringify({ note: 'state_not_read', sha, path: ledger } satisfies UnreadLine);
        // What comes after is compared with the last state that could be read.
        if (after !== null) states.set(after, old);
      } else
        for (const flip of flipsOf(old ?? now, now))
          yield JSON.stringify({ sha, at, path: ledger, ...flip } satisfies FlipLine);
      for (const name of [before, after]) {
        const still = name === null ? 0 : (uses.get(name) ?? 0) - 1;
        if (name === null) continue;
        uses.set(name, still);
        if (still === 0) states.delete(name);
      }
    }
  } finally {
    await blobs.return(undefined);
  }
  await checkRepository(dir);
}
