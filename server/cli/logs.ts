import type { RecordLog } from '../record/log.ts';

/** Lines kept while the server's own log is not there yet. */
const LINES = 200;

/** A log that holds its lines until it is told where they go. */
export interface EarlyLog extends RecordLog {
  goTo(log: RecordLog): void;
}

/** What is said before there is a log is said again once there is one; of very much the first lines. */
export function earlyLog(): EarlyLog {
  const lines: ['info' | 'warn', string][] = [];
  let target: RecordLog | null = null;
  const write = (level: 'info' | 'warn', message: string): void => {
    if (target !== null) target[level](message);
    else if (lines.length < LINES) lines.push([level, message]);
  };
  return {
    info: (message) => write('info', message),
    warn: (message) => write('warn', message),
    goTo(log) {
      target = log;
      for (const [level, message] of lines.splice(0)) log[level](message);
    },
  };
}

/**
 * A log for reading: until `loud` is called its warnings are notes, since the table of what was found says the same to the
 * person at the terminal.
 */
export function quietAtFirst(log: RecordLog): { log: RecordLog; loud(): void } {
  let quiet = true;
  return {
    log: {
      info: (message) => log.info(message),
      warn: (message) => (quiet ? log.info(message) : log.warn(message)),
    },
    loud() {
      quiet = false;
    },
  };
}
