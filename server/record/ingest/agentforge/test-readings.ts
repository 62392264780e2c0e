import type { Reading } from '../facts.ts';
import type { Issues } from '../issue.ts';
import { type Line, linesOf } from '../lines.ts';
import { GitLogReader } from './git-log.ts';
import { ProgressLogReader } from './progress-log.ts';

interface LineReader {
  issues: Issues;
  read(line: Line): void;
  end(): Reading;
}

function readText(reader: LineReader, text: string): Reading {
  for (const line of linesOf(text, reader.issues)) reader.read(line);
  return reader.end();
}

/** A whole log held in memory, for tests. */
export const readProgressLog = (text: string): Reading => readText(new ProgressLogReader(), text);
export const readGitLog = (text: string): Reading => readText(new GitLogReader(), text);
