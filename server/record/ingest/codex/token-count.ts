import type { JsonObject } from '../json-fields.ts';
import { numberIn, objectIn } from '../json-quiet.ts';

/** One vector of a token count. `input` holds what came from the cache, `output` what was reasoning. */
export interface Usage {
  input: number | null;
  cached: number | null;
  cacheWrite: number | null;
  output: number | null;
  reasoning: number | null;
  total: number | null;
}

const KEYS = {
  input: 'input_tokens',
  cached: 'cached_input_tokens',
  cacheWrite: 'cache_write_input_tokens',
  output: 'output_tokens',
  reasoning: 'reasoning_output_tokens',
  total: 'total_tokens',
} as const;

/** More than any session has used. */
const MOST = 1e12;

const count = (value: number | null): number | null =>
  value !== null && Number.isSafeInteger(value) && value >= 0 && value <= MOST ? value : null;

/** A vector as it is written; null when there is none. A figure that is no count of tokens is not there. */
export function usageOf(node: JsonObject | null): Usage | null {
  if (node === null) return null;
  const usage: Usage = {
    input: count(numberIn(node, KEYS.input)),
    cached: count(numberIn(node, KEYS.cached)),
    cacheWrite: count(numberIn(node, KEYS.cacheWrite)),
    output: count(numberIn(node, KEYS.output)),
    reasoning: count(numberIn(node, KEYS.reasoning)),
    total: count(numberIn(node, KEYS.total)),
  };
  return Object.values(usage).every((value) => value === null) ? null : usage;
}

/** A vector as one text, for telling equal ones. */
export const vectorText = ({ input, cached, cacheWrite, output, reasoning, total }: Usage): string =>
  [input, cached, cacheWrite, output, reasoning, total].map((value) => value ?? '').join(',');

/** Token classes of one call, disjoint but for reasoning, which is part of the output. */
export interface Tokens {
  uncached: number | null;
  cached: number | null;
  cacheWrite: number | null;
  output: number | null;
  reasoning: number | null;
}

/** What one token count adds to the session. */
export type Counted =
  /** The same as before, written again. */
  | { is: 'repeat' }
  /** No figures, only limits of the account. */
  | { is: 'empty' }
  /** A total the session began with: paid for elsewhere. */
  | { is: 'inherited'; total: Usage | null }
  /** The total set to the size of the window, after the provider said the input was too long. */
  | { is: 'filled' }
  | {
      is: 'call';
      tokens: Tokens;
      last: Usage;
      total: Usage | null;
      /** `estimated`: the cached part is larger than the whole, or there is no vector of its own but a difference of totals. */
      quality: 'exact' | 'estimated';
    };

const zero = (value: number | null): boolean => value === null || value === 0;
const nothing = ({ input, cached, output, reasoning }: Usage): boolean =>
  zero(input) && zero(cached) && zero(output) && zero(reasoning);

/** What was added between two totals; after totals went down, the new ones are what was added. */
function difference(now: Usage, before: Usage | null): Usage {
  const fell =
    before !== null && ((now.input ?? 0) < (before.input ?? 0) || (now.output ?? 0) < (before.output ?? 0));
  if (before === null || fell) return now;
  const minus = (a: number | null, b: number | null): number | null =>
    a === null ? null : Math.max(0, a - (b ?? 0));
  return {
    input: minus(now.input, before.input),
    cached: minus(now.cached, before.cached),
    cacheWrite: minus(now.cacheWrite, before.cacheWrite),
    output: minus(now.output, before.output),
    reasoning: minus(now.reasoning, before.reasoning),
    total: minus(now.total, before.total),
  };
}

function tokensOf({ input, cached, cacheWrite, output, reasoning }: Usage): Tokens {
  const uncached = input === null ? null : Math.max(0, input - (cached ?? 0) - (cacheWrite ?? 0));
  return { uncached, cached: input === null ? cached : (cached ?? 0), cacheWrite, output, reasoning };
}

/**
 * Reads one token count of a session.
 * @param info the object with the vectors, null where a row carries limits only
 * @param before the total of the row before, as it was written
 */
export function countTokens(info: JsonObject | null, before: Usage | null): Counted {
  const total = usageOf(objectIn(info, 'total_token_usage'));
  const written = usageOf(objectIn(info, 'last_token_usage'));
  if (total === null && written === null) return { is: 'empty' };
  if (total !== null && before !== null && vectorText(total) === vectorText(before)) return { is: 'repeat' };
  const last = written ?? (total === null ? null : difference(total, before));
  if (last === null) return { is: 'empty' };
  if (nothing(last)) return zero(last.total) ? { is: 'inherited', total } : { is: 'filled' };
  const { input, cached, cacheWrite } = last;
  const odd = input !== null && (cached ?? 0) + (cacheWrite ?? 0) > input;
  return {
    is: 'call',
    tokens: tokensOf(last),
    last,
    total,
    quality: odd || written === null ? 'estimated' : 'exact',
  };
}
