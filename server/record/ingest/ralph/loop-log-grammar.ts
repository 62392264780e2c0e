/**
 * Lines of a loop's own log, `[2026-03-27 07:42:26] [INFO] message`, as frankbria's Ralph and its descendants write them.
 * The time is the machine's own.
 */
const HEAD = /^\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\] \[(DEBUG|INFO|LOOP|SUCCESS|WARN|ERROR)\] ([\s\S]*)$/;

export interface LogHead {
  at: string;
  level: 'info' | 'warning' | 'error';
  message: string;
}

export function headOf(line: string): LogHead | null {
  const match = HEAD.exec(line);
  const [, at, word, message] = match ?? [];
  if (at === undefined || message === undefined) return null;
  return { at, message, level: word === 'ERROR' ? 'error' : word === 'WARN' ? 'warning' : 'info' };
}

const STORY = String.raw`Story (?<story>[\w.-]{1,40})`;
const SHAPES = {
  iteration_start: /^=== (?:Iteration|Starting Loop|Loop) #(?<n>\d{1,9}) ===$/,
  iteration_end: /^=== Completed Loop #(?<n>\d{1,9}) ===$/,
  timeout_retry: new RegExp(`^${STORY} [—–-] timeout retry (?<k>\\d{1,6})/(?<of>\\d{1,6})`),
  retry: new RegExp(`^${STORY} [—–-] retry (?<k>\\d{1,6})/(?<of>\\d{1,6})`),
  story_done: new RegExp(`^${STORY}: DONE\\b(?<rest>[\\s\\S]*)$`),
  loop_progress: /^Progress: (?<done>\d{1,9})\/(?<all>\d{1,9}) done\b/,
  iteration_timeout: /^Iteration timed out after \S{1,20}/,
  usage_limit: /^Claude (?:API|Code) usage limit reached/i,
  execution_failed: /^Claude Code execution failed(?: \(exit code: (?<exit>\d{1,6})\))?/,
  halt: /^\d{1,6} consecutive failures [—–-] halting/,
  loop_end: /^Ralph loop (?:finished|complete)/i,
} as const satisfies Record<string, RegExp>;
export type LogShape = keyof typeof SHAPES;

const NAMES: readonly LogShape[] = Object.keys(SHAPES).filter((name): name is LogShape => name in SHAPES);

/** The shape of a message with its parts; null for a message that only tells something to people. */
export function shapeOf(
  message: string,
): { shape: LogShape; parts: Readonly<Record<string, string | undefined>> } | null {
  for (const shape of NAMES) {
    const match = SHAPES[shape].exec(message);
    if (match) return { shape, parts: { ...match.groups } };
  }
  return null;
}
