/** Where the record reports what a person running the server should know. A Fastify or pino logger fits. */
export interface RecordLog {
  info(message: string): void;
  warn(message: string): void;
}

/** A log that keeps nothing, for callers that do not want one. */
export const SILENT: RecordLog = { info: () => {}, warn: () => {} };
