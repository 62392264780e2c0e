import protobuf from 'protobufjs/minimal.js';
import type { Format } from './body.ts';
import type { Signal } from './wire.ts';

/** Answers of OTLP/HTTP, written as the request was. */

export const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json',
  protobuf: 'application/x-protobuf',
};

const REJECTED: Readonly<Record<Signal, string>> = {
  logs: 'rejectedLogRecords',
  traces: 'rejectedSpans',
  metrics: 'rejectedDataPoints',
};

/** A request that was taken: an empty message, or one that says how many records were not kept. */
export function taken(format: Format, signal: Signal, rejected: number, why: string | null): Buffer {
  if (format === 'json') {
    const partial = { [REJECTED[signal]]: String(rejected), errorMessage: why ?? '' };
    return Buffer.from(JSON.stringify(rejected === 0 ? {} : { partialSuccess: partial }));
  }
  const writer = protobuf.Writer.create();
  if (rejected > 0) {
    writer.uint32(10).fork().uint32(8).int64(rejected);
    if (why !== null) writer.uint32(18).string(why);
    writer.ldelim();
  }
  return Buffer.from(writer.finish());
}

/** Codes of google.rpc.Status for what HTTP says. */
const codeOf = (status: number): number => {
  if (status === 401) return 16;
  if (status === 403) return 7;
  if (status === 429) return 8;
  if (status === 503) return 14;
  return status >= 500 ? 13 : 3;
};

/** A request that was not taken, as a google.rpc.Status. */
export function refused(format: Format, status: number, message: string): Buffer {
  const code = codeOf(status);
  if (format === 'json') return Buffer.from(JSON.stringify({ code, message }));
  return Buffer.from(protobuf.Writer.create().uint32(8).int32(code).uint32(18).string(message).finish());
}
