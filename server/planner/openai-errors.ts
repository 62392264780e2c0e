import { APIConnectionError, APIError } from 'openai';
import type { Code } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import { PlannerError } from '../answer/types.ts';
import type { Redact } from '../redact.ts';
import { ResponseTooLarge } from './bounded-fetch.ts';

/** A failure of one request: what is thrown when nothing helps, and what might help. */
export interface Failure {
  error: PlannerError;
  /** The connection broke; asking again may work. */
  dropped: boolean;
  /** The server refused a parameter it was asked with. */
  refuses: 'effort' | 'format' | 'usage' | null;
}

const BROKEN = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'UND_ERR_SOCKET',
  'ERR_STREAM_PREMATURE_CLOSE',
]);
const MAX_CAUSES = 6;

/** System codes along the causes of an error ("ECONNRESET"). */
function causeCodes(error: unknown): string[] {
  const codes: string[] = [];
  let at: unknown = error;
  for (let i = 0; i < MAX_CAUSES && at instanceof Error; i++) {
    if ('code' in at && typeof at.code === 'string') codes.push(at.code);
    at = at.cause;
  }
  return codes;
}

const word = (value: unknown): string => (typeof value === 'string' ? value : '');

function statusCode(error: APIError, status: number): Code {
  const kind = `${word(error.code)} ${word(error.type)}`;
  if (/content_filter|content_policy|safety/.test(kind)) return 'model_refused';
  if (status === 401 || status === 403) return 'model_auth';
  if (status === 429) return 'model_rate_limited';
  if (status === 408 || status === 504) return 'model_timeout';
  return 'model_failed';
}

/** An error event inside a stream has no status, only words. */
function eventCode(error: APIError): Code {
  const kind = `${word(error.code)} ${word(error.type)}`.toLowerCase();
  if (/content_filter|content_policy|safety/.test(kind)) return 'model_refused';
  if (/rate_limit|quota|429/.test(kind)) return 'model_rate_limited';
  if (/auth|api_key|401|403/.test(kind)) return 'model_auth';
  return 'model_failed';
}

/** Which parameter a 400 or 422 is about, by the field that names it or else by its words. */
function refused(error: APIError): Failure['refuses'] {
  if (error.status !== 400 && error.status !== 422) return null;
  const about = word(error.param) === '' ? error.message.slice(0, LIMITS.logText) : word(error.param);
  if (/stream_options|include_usage/i.test(about)) return 'usage';
  if (/reasoning|effort|thinking/i.test(about)) return 'effort';
  if (/response_format|json_schema|json_object|schema|structured|guided|grammar/i.test(about))
    return 'format';
  return null;
}

/**
 * Reads an error of the SDK or of the connection.
 * @param began the response had begun, so the server was reached
 * @param clean takes credentials out of what goes into the log
 */
export function failureOf(error: unknown, began: boolean, clean: Redact): Failure {
  const made = (code: Code, dropped = false, refuses: Failure['refuses'] = null): Failure => {
    const words = error instanceof Error ? `${error.name}: ${error.message}` : 'not an error';
    const causes = causeCodes(error);
    const text = causes.length === 0 ? words : `${words} (${causes.join(', ')})`;
    return { error: new PlannerError(code, clean(text).slice(0, LIMITS.request)), dropped, refuses };
  };
  if (error instanceof PlannerError)
    return { error, dropped: error.code === 'connection_lost', refuses: null };
  if (causeChain(error).some((cause) => cause instanceof ResponseTooLarge)) return made('plan_too_large');
  if (error instanceof APIConnectionError) {
    return made(
      'model_unreachable',
      causeCodes(error).some((code) => BROKEN.has(code)),
    );
  }
  if (error instanceof APIError) {
    if (error.status === undefined) return made(eventCode(error));
    return made(statusCode(error, error.status), false, refused(error));
  }
  // A line of the stream that is not JSON.
  if (error instanceof SyntaxError) return made('model_failed');
  return began ? made('connection_lost', true) : made('model_failed');
}

function causeChain(error: unknown): unknown[] {
  const chain: unknown[] = [error];
  for (
    let at = error;
    chain.length < MAX_CAUSES && at instanceof Error && at.cause !== undefined;
    at = at.cause
  ) {
    chain.push(at.cause);
  }
  return chain;
}
