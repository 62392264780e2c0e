import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { LIMITS } from '../../../shared/limits.ts';
import { decode } from './decode.ts';
import type { FoundSource } from './discover.ts';
import { gitState, readGitFolder } from './git-folder.ts';
import { type Issue, Issues } from './issue.ts';
import { readPlainFile } from './read-file.ts';

export interface SourceText {
  /** Null when there is nothing that could be read. */
  text: string | null;
  sha: string | null;
  bytes: number | null;
  issues: Issue[];
}

export const sha256 = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex');

/** Reads one source as it is now. What goes wrong is an issue, never an error. */
export async function readSource(source: FoundSource): Promise<SourceText> {
  const nothing = { text: null, sha: null, bytes: null };
  const { at } = source;
  if (at.type === 'refused') return { ...nothing, issues: [at.issue] };
  const issues = new Issues();
  if (at.type === 'git') {
    try {
      const text = await readGitFolder(at.dir);
      return { text, sha: sha256(text), bytes: Buffer.byteLength(text), issues: [] };
    } catch {
      issues.add(
        'git_failed',
        'error',
        null,
        'git did not give a log of this folder in time, or is not installed.',
      );
      return { ...nothing, issues: issues.list() };
    }
  }
  try {
    const bytes = await readPlainFile(at.file, LIMITS.fileBytes);
    if (bytes === null) {
      const limit = Math.round(LIMITS.fileBytes / 1024 / 1024);
      issues.add('file_too_large', 'error', null, `The file is larger than ${limit} MB, so it was not read.`);
      return { ...nothing, issues: issues.list() };
    }
    return { text: decode(bytes, issues), sha: sha256(bytes), bytes: bytes.length, issues: issues.list() };
  } catch {
    issues.add('not_readable', 'error', null, 'The file is there but cannot be read.');
    return { ...nothing, issues: issues.list() };
  }
}

/**
 * A text that changes when the source on disk does, without reading it: size, times and place of the file. Writing to a file
 * changes its change time, whatever a program sets the modification time to.
 */
export async function sourceState(source: FoundSource): Promise<string> {
  if (source.at.type === 'refused') return 'refused';
  if (source.at.type === 'git') return gitState(source.at.dir);
  try {
    const { size, mtimeMs, ctimeMs, ino } = await lstat(source.at.file);
    return `${size}:${mtimeMs}:${ctimeMs}:${ino}`;
  } catch {
    return 'gone';
  }
}
