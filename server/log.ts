import { createRedactor, REDACTED, type Redact, redact, redactValue } from './redact.ts';

export { createRedactor, REDACTED, type Redact, redact, redactValue };

/** Where finished lines go. */
export interface LogStream {
  write(line: string): void;
}

export interface LogConfig {
  /** pino level: `fatal` `error` `warn` `info` `debug` `trace` or `silent`. */
  level: string;
  /** Configured keys and tokens that must never be written. */
  secrets: readonly (string | null | undefined)[];
  /** Standard output when not given. */
  stream?: LogStream;
}

/**
 * Cleans finished log lines: every string of the JSON, at any depth, whatever put it there. This is the last step before
 * the line leaves, so bindings, serializers and plugins cannot go around it.
 */
function cleanLine(line: string, clean: Redact): string {
  try {
    return `${JSON.stringify(redactValue(JSON.parse(line), clean))}\n`;
  } catch {
    return `${clean(line).replace(/[\r\n]+/g, ' ')}\n`;
  }
}

/**
 * Logger options for Fastify: `Fastify({ logger: createLog(…) })`.
 * Errors are written with their causes, without response headers.
 */
export function createLog(config: LogConfig) {
  const clean = createRedactor(config.secrets.filter((secret) => typeof secret === 'string'));
  const target: LogStream = config.stream ?? { write: (line) => void process.stdout.write(line) };
  return {
    level: config.level,
    stream: { write: (line: string): void => target.write(cleanLine(line, clean)) },
    serializers: {
      err: (error: Error): { type: string; message: string; stack: string; [key: string]: unknown } => {
        const shown = redactValue(error, clean);
        const rest = typeof shown === 'object' && shown !== null ? shown : {};
        return {
          ...rest,
          type: clean(String(error.name)),
          message: clean(String(error.message)),
          stack: clean(String(error.stack ?? '')),
        };
      },
    },
  };
}
