import { promisify } from 'node:util';
import { gunzip, inflate, inflateRaw } from 'node:zlib';
import { LIMITS } from '../../shared/limits.ts';
import { plainOf } from '../record/ingest/json-plain.ts';
import { readJson } from '../record/ingest/json-tree.ts';
import { readProtobuf, type Signal, TooMuch } from './wire.ts';

/** How a request is written, which is how it is answered. */
export type Format = 'json' | 'protobuf';

/** Why a request is not taken: an HTTP status, and words for whoever runs the exporter. */
export class Refused extends Error {
  constructor(
    readonly status: 400 | 413 | 415,
    message: string,
  ) {
    super(message);
    this.name = 'Refused';
  }
}

/** The format a content type names, or null. */
export function formatOf(contentType: string | undefined): Format | null {
  const name = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (name === 'application/json') return 'json';
  return name === 'application/x-protobuf' ? 'protobuf' : null;
}

const unzip = promisify(gunzip);
const unwrap = promisify(inflate);
const unwrapRaw = promisify(inflateRaw);
const BOUND = { maxOutputLength: LIMITS.otlpUnpackedBytes } as const;

/** `deflate` means a zlib stream; some senders leave its two bytes of head away. */
const hasHead = (bytes: Buffer): boolean => {
  const [first = 0, second = 0] = bytes;
  return (first & 15) === 8 && ((first << 8) | second) % 31 === 0;
};

/** The bytes as they were before packing, never more than LIMITS.otlpUnpackedBytes. Throws Refused. */
export async function unpacked(body: Buffer, encoding: string | undefined): Promise<Buffer> {
  const name = (encoding ?? 'identity').trim().toLowerCase();
  try {
    if (name === '' || name === 'identity') return body;
    if (name === 'gzip' || name === 'x-gzip') return await unzip(body, BOUND);
    if (name === 'deflate') return await (hasHead(body) ? unwrap : unwrapRaw)(body, BOUND);
  } catch (error) {
    if (
      error instanceof RangeError ||
      (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
    )
      throw new Refused(413, `The body is larger than ${LIMITS.otlpUnpackedBytes} bytes when unpacked.`);
    throw new Refused(400, 'The body cannot be unpacked.');
  }
  throw new Refused(415, 'This content encoding is not read; use gzip, deflate or none.');
}

const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Some serialisers write NaN and Infinity bare; what is no number is given as its text.
    const { root, broken } = readJson(text);
    if (root === null || broken !== null) throw new Refused(400, 'The body is no JSON.');
    return plainOf(root);
  }
}

/** What a body holds, in the shape of OTLP's JSON. Throws Refused. */
export function readBody(bytes: Buffer, format: Format, signal: Signal): { [name: string]: unknown } {
  if (format === 'json') {
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
    const value = text.trim() === '' ? {} : json(text);
    if (!isObject(value)) throw new Refused(400, 'The body is no JSON object.');
    return value;
  }
  try {
    return readProtobuf(bytes, signal);
  } catch (error) {
    if (error instanceof TooMuch) throw new Refused(413, 'The body holds more values than are read.');
    throw new Refused(400, `The body is no ${signal} request in protobuf.`);
  }
}
