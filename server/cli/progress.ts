import cliProgress from 'cli-progress';
import type { ReadProgress } from '../record/store.ts';

/** Where progress is shown; a terminal is drawn on, anything else gets a line a project. */
export interface ProgressStream {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Tells how far reading is. */
export interface ProgressView {
  at(project: string, now: ReadProgress): void;
  /** Leaves the terminal as it was found. */
  end(): void;
}

/** Characters of a path that is being read; of a longer one its end is shown. */
const PATH = 40;

const shortened = (path: string): string => (path.length <= PATH ? path : `…${path.slice(1 - PATH)}`);

/** Control characters of a file's name never reach the terminal. */
export const printable = (text: string): string => text.replace(/\p{C}+/gu, '?');

/** A bar on a terminal, plain lines elsewhere. Both go to the error output, so that what is printed can be piped. */
export function createProgress(stream: NodeJS.WriteStream | ProgressStream): ProgressView {
  if (stream.isTTY !== true || !(stream instanceof Object) || !('cursorTo' in stream))
    return plainLines(stream);
  const bar = new cliProgress.SingleBar({
    stream,
    format: (options, params, payload: { project: string; path: string }) =>
      `Reading ${payload.project} ${cliProgress.Format.BarFormat(params.progress, options)} ${Math.round(params.progress * 100)} %  ${payload.path}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 24,
    hideCursor: true,
    clearOnComplete: true,
    linewrap: false,
  });
  let current: string | null = null;
  return {
    at(project, { bytes, totalBytes, path }) {
      const payload = { project: printable(project), path: printable(shortened(path)) };
      if (project !== current) {
        if (current !== null) bar.stop();
        current = project;
        bar.start(Math.max(1, totalBytes), 0, payload);
      }
      bar.setTotal(Math.max(1, totalBytes));
      bar.update(Math.min(bytes, Math.max(1, totalBytes)), payload);
    },
    end() {
      if (current !== null) bar.stop();
      current = null;
    },
  };
}

function plainLines(stream: ProgressStream): ProgressView {
  const told = new Set<string>();
  return {
    at(project) {
      if (told.has(project)) return;
      told.add(project);
      stream.write(`Reading ${printable(project)}\n`);
    },
    end: () => undefined,
  };
}
