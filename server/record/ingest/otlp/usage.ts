import type { Attributes } from './attributes.ts';

/**
 * What a span says its input is: all of it with what came from the cache (`total`, as the semantic conventions for GenAI have it),
 * or only what did not (`exclusive`, as Anthropic's own figures are).
 */
export type Convention = 'total' | 'exclusive';

export interface Usage {
  in_uncached: number | null;
  in_cache_read: number | null;
  /** Telemetry does not tell how long a cache entry lives. */
  in_cache_write: number | null;
  out_total: number | null;
  out_reasoning: number | null;
}

export interface SpanUsage extends Usage {
  /** What this span shows by itself; null where both would do. */
  shows: Convention | null;
  /** False where nothing but the conventions' own word tells how the input is meant, and it matters. */
  sure: boolean;
}

const INPUT = [
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.prompt_tokens',
  'llm.usage.prompt_tokens',
  'llm.token_count.prompt',
  'input_tokens',
];
const OUTPUT = [
  'gen_ai.usage.output_tokens',
  'gen_ai.usage.completion_tokens',
  'llm.usage.completion_tokens',
  'llm.token_count.completion',
  'output_tokens',
];
const READ = [
  'gen_ai.usage.cache_read.input_tokens',
  'gen_ai.usage.cache_read_input_tokens',
  'llm.token_count.prompt_details.cache_read',
  'cache_read_tokens',
  'cache_read_input_tokens',
];
const WRITE = [
  'gen_ai.usage.cache_creation.input_tokens',
  'gen_ai.usage.cache_write.input_tokens',
  'gen_ai.usage.cache_creation_input_tokens',
  'llm.token_count.prompt_details.cache_write',
  'cache_creation_tokens',
  'cache_creation_input_tokens',
];
const REASONING = [
  'gen_ai.usage.reasoning.output_tokens',
  'gen_ai.usage.reasoning_tokens',
  'llm.token_count.completion_details.reasoning',
  'reasoning_token_count',
];
const TOTAL = ['gen_ai.usage.total_tokens', 'llm.usage.total_tokens', 'llm.token_count.total'];

/** Emitters whose figures are known to leave the cache out. */
const EXCLUSIVE_SCOPES = /^com\.anthropic\./;

export const USAGE_KEYS: readonly string[] = [...INPUT, ...OUTPUT, ...READ, ...WRITE, ...REASONING, ...TOTAL];

/**
 * Tokens of one span, in classes that do not overlap.
 * @param scope the instrumentation that wrote it
 * @param known what earlier spans of that scope have shown
 * @returns null where it tells no tokens at all
 */
export function usageOf(attrs: Attributes, scope: string, known: Convention | null): SpanUsage | null {
  const input = attrs.count(...INPUT);
  const output = attrs.count(...OUTPUT);
  const read = attrs.count(...READ);
  const write = attrs.count(...WRITE);
  if (input === null && output === null && read === null && write === null) return null;
  const cached = (read ?? 0) + (write ?? 0);
  const total = attrs.count(...TOTAL);
  let shows: Convention | null = null;
  if (input !== null && cached > 0) {
    const sum = input + (output ?? 0);
    // More out of the cache than there is input: then the cache is not part of it.
    if (input < cached) shows = 'exclusive';
    else if (total === sum) shows = 'total';
    else if (total === sum + cached) shows = 'exclusive';
  }
  const told = shows ?? known ?? (EXCLUSIVE_SCOPES.test(scope) ? 'exclusive' : null);
  const uncached = input === null || (told ?? 'total') === 'exclusive' ? input : Math.max(0, input - cached);
  return {
    in_uncached: uncached,
    in_cache_read: read,
    in_cache_write: write,
    out_total: output,
    out_reasoning: attrs.count(...REASONING),
    shows,
    sure: told !== null || cached === 0,
  };
}

/** Input that includes what came from the cache, as Codex tells it, in classes that do not overlap. */
export const withoutCached = (input: number | null, read: number | null): number | null =>
  input === null ? null : Math.max(0, input - (read ?? 0));
