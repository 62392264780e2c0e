import { isInfra } from '../infra.ts';
import type { TextLine } from './markdown.ts';

/** What the output of a test command says about itself, in the forms of vitest, jest, pytest and plain exit codes. */
export interface CheckOutput {
  passed: number | null;
  failed: number | null;
  exitCode: number | null;
  line: number | null;
  /** A line that shows that the check could not run, and not that a case failed. */
  infra: { text: string; line: number } | null;
}

/** Lines that count files or suites and not cases. */
const SUITES = /^\W{0,6}test (?:files|suites)\b/i;
const EXIT = /\bexit(?:ed)?(?: with)?(?: code| status)?[ :=]{1,3}(\d{1,3})\b/i;
const countOf = (text: string, word: string): number | null => {
  const found = new RegExp(`\\b(\\d{1,9}) ${word}\\b`, 'i').exec(text)?.[1];
  return found === undefined ? null : Number(found);
};

/**
 * The last count of cases counts: a report may show several runs, and the last one decides. Where there is a fenced block,
 * only what stands in one is output.
 */
export function outputOf(all: readonly TextLine[]): CheckOutput {
  const fenced = all.filter(({ fence }) => fence !== null);
  const lines = fenced.length > 0 ? fenced : all;
  const output: CheckOutput = { passed: null, failed: null, exitCode: null, line: null, infra: null };
  for (const { text: raw, no } of lines) {
    const text = raw.slice(0, 1_000);
    if (SUITES.test(text)) continue;
    const passed = countOf(text, 'pass(?:ed|ing)');
    const failed = countOf(text, 'fail(?:ed|ing|ures?)');
    if (passed !== null || failed !== null) {
      output.passed = passed ?? 0;
      output.failed = failed ?? 0;
      output.line = no;
    }
    const exit = EXIT.exec(text)?.[1];
    if (exit !== undefined) {
      output.exitCode = Number(exit);
      output.line ??= no;
    }
    if (isInfra(text) || output.exitCode === 126 || output.exitCode === 127)
      output.infra ??= { text: text.trim(), line: no };
  }
  return output;
}
