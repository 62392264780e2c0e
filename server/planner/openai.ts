import OpenAI, { type ClientOptions } from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { z } from 'zod/v4';
import { LIMITS } from '../../shared/limits.ts';
import {
  type FaultyPlan,
  type NamedPlanner,
  PlannerError,
  type PlannerRequest,
  type Tokens,
} from '../answer/types.ts';
import { createRedactor } from '../redact.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { jsonText } from './json-text.ts';
import { failureOf } from './openai-errors.ts';
import { messages, type PlanFormat, repairMessages } from './prompt.ts';
import { planSchema, SCHEMA_NAME } from './schema.ts';
import { type TimeLimits, timeLimits } from './time-limits.ts';

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
type Effort = (typeof EFFORTS)[number];
/** Where the API is when no other address is set. */
const API = 'https://api.openai.com/v1';
/** Servers on the own machine need no key, but the SDK sends one. */
const NO_KEY = 'none';
/** One request, one less for each of: effort, json_schema, json_object, usage; and one more for a dropped connection. */
const MAX_REQUESTS = 6;
/** More tokens than this no model reads or writes for one plan. */
const MOST_TOKENS = 1e9;

export interface OpenAiOptions {
  apiKey: string | null;
  /** Null for the API itself. */
  baseURL: string | null;
  model: string;
  /** Reasoning effort; null is `low`, what the API does not know (`off`) is not sent. */
  effort?: string | null;
  /** What to begin with; a server that refuses it is asked in the next simpler way from then on. */
  format?: PlanFormat;
  limits?: { firstMs: number; totalMs: number };
  client?: Omit<ClientOptions, 'apiKey' | 'baseURL' | 'maxRetries' | 'logLevel'>;
}

/** What this server has been found to take; kept as long as the planner, that is, the process. */
interface Ability {
  effort: Effort | null;
  format: PlanFormat;
  /** It says at the end what the answer took. */
  usage: boolean;
}

const tokens = z.int().nonnegative().max(MOST_TOKENS);
const Usage = z.object({ prompt_tokens: tokens, completion_tokens: tokens });

const SIMPLER: Record<PlanFormat, PlanFormat | null> = {
  json_schema: 'json_object',
  json_object: 'text',
  text: null,
};

function responseFormat(
  request: PlannerRequest,
  format: PlanFormat,
): Pick<ChatCompletionCreateParamsStreaming, 'response_format'> {
  if (format === 'text') return {};
  if (format === 'json_object') return { response_format: { type: 'json_object' } };
  const schema = { ...planSchema(request.profile) };
  return {
    response_format: { type: 'json_schema', json_schema: { name: SCHEMA_NAME, strict: true, schema } },
  };
}

/** Makes the ability simpler by what the server refused; false when there is nothing left to leave out. */
function simplify(ability: Ability, sent: Ability, refuses: 'effort' | 'format' | 'usage'): boolean {
  if (refuses === 'usage') {
    if (!sent.usage) return false;
    ability.usage = false;
    return true;
  }
  if (refuses === 'effort') {
    if (sent.effort === null) return false;
    ability.effort = null;
    return true;
  }
  const next = SIMPLER[sent.format];
  if (next === null) return false;
  // Another answer may have found the same out meanwhile.
  if (ability.format === sent.format) ability.format = next;
  return true;
}

/** What a server says an answer took, however it says it; null when it does not, or not in whole numbers. */
function tokensOf(usage: unknown): Tokens | null {
  const read = Usage.safeParse(usage);
  return read.success ? { in: read.data.prompt_tokens, out: read.data.completion_tokens } : null;
}

/** One request. Yields the text of the plan; every failure is thrown as it comes. */
async function* attempt(
  client: OpenAI,
  model: string,
  request: PlannerRequest,
  faulty: FaultyPlan | null,
  ability: Ability,
  limits: TimeLimits,
  began: () => void,
): AsyncGenerator<string> {
  const body: ChatCompletionCreateParamsStreaming = {
    model,
    messages: [...messages(request, ability.format), ...(faulty === null ? [] : repairMessages(faulty))],
    stream: true,
    ...responseFormat(request, ability.format),
    ...(ability.effort === null ? {} : { reasoning_effort: ability.effort }),
    ...(ability.usage ? { stream_options: { include_usage: true } } : {}),
  };
  const { data: stream, response } = await client.chat.completions
    .create(body, { signal: limits.signal })
    .withResponse();
  began();
  const filter = jsonText();
  let size = 0;
  let chunks = 0;
  let finish: string | null = null;
  try {
    for await (const chunk of stream) {
      chunks++;
      const tokens = tokensOf(chunk.usage);
      if (tokens !== null) request.onTokens?.(tokens);
      const choice = chunk.choices?.[0];
      if (choice === undefined || finish !== null) continue;
      if (typeof choice.delta?.refusal === 'string' && choice.delta.refusal !== '') {
        throw new PlannerError('model_refused', 'the model sent a refusal');
      }
      const piece = typeof choice.delta?.content === 'string' ? filter.push(choice.delta.content) : '';
      if (piece !== '') {
        limits.begun();
        size += piece.length;
        yield piece;
        if (size > LIMITS.planBytes)
          throw new PlannerError('plan_too_large', `more than ${LIMITS.planBytes} characters`);
      }
      finish = choice.finish_reason ?? null;
      if (finish !== null) limits.closing(LIMITS.plannerCloseMs);
    }
  } catch (error) {
    // The text is complete; how its stream ends does not matter any more.
    if (finish === null || error instanceof PlannerError) throw error;
  }
  if (finish === 'length') throw new PlannerError('cut_short', 'finish_reason length');
  if (finish === 'content_filter') throw new PlannerError('model_refused', 'finish_reason content_filter');
  if (finish === 'tool_calls' || finish === 'function_call') {
    throw new PlannerError('model_failed', `finish_reason ${finish}`);
  }
  if (finish !== null || limits.ended() !== null) return;
  const streamed = /event-stream/i.test(response.headers.get('content-type') ?? '');
  if (chunks === 0 && !streamed)
    throw new PlannerError('model_failed', 'the response is not an event stream');
  throw new PlannerError('connection_lost', 'the stream ended without a finish reason');
}

/**
 * A planner that asks an OpenAI-compatible server over Chat Completions, streaming.
 *
 * Yields the text of one JSON object as it arrives. Parameters the server refuses (reasoning effort, response format) are
 * left out and not sent again. A connection that breaks before any text is tried once more. Ends within the time limits and
 * at once when the request's signal is aborted. `repair` asks once more, with the faulty plan and what is wrong with it. Every failure is a PlannerError; its message carries no credential.
 */
export function openaiPlanner(options: OpenAiOptions): NamedPlanner {
  const { model, apiKey } = options;
  const { firstMs, totalMs } = options.limits ?? {
    firstMs: LIMITS.plannerFirstMs,
    totalMs: LIMITS.plannerMs,
  };
  const clean = createRedactor(apiKey === null ? [] : [apiKey]);
  const client = new OpenAI({
    fetch: boundedFetch,
    ...options.client,
    apiKey: apiKey ?? NO_KEY,
    adminAPIKey: null,
    baseURL: options.baseURL ?? API,
    maxRetries: 0,
    // The limits below are what ends a call; the SDK's own timer only must not come before them.
    timeout: totalMs + LIMITS.plannerFirstMs,
    // The SDK would write headers and lines of the stream to the console.
    logLevel: 'off',
  });
  const ability: Ability = {
    effort: EFFORTS.find((effort) => effort === (options.effort ?? 'low')) ?? null,
    format: options.format ?? 'json_schema',
    usage: true,
  };

  async function* plan(request: PlannerRequest, faulty: FaultyPlan | null): AsyncGenerator<string> {
    const limits = timeLimits(request.signal, firstMs, totalMs);
    let again = true;
    try {
      for (let turn = 1; ; turn++) {
        let began = false;
        let spoke = false;
        const sent = { ...ability };
        try {
          const text = attempt(client, model, request, faulty, sent, limits, () => {
            began = true;
          });
          for await (const piece of text) {
            spoke = true;
            yield piece;
          }
          if (limits.ended() === null) return;
          throw new PlannerError('connection_lost', 'ended from this side');
        } catch (error) {
          const ended = limits.ended();
          if (ended === 'stopped') throw new PlannerError('stopped', 'the answer was stopped');
          if (ended === 'too_slow')
            throw new PlannerError('model_timeout', spoke ? 'time is up' : 'no text in time');
          const failure = failureOf(error, began, clean);
          if (spoke || turn >= MAX_REQUESTS) throw failure.error;
          if (failure.refuses !== null && simplify(ability, sent, failure.refuses)) continue;
          if (failure.dropped && again) {
            again = false;
            continue;
          }
          throw failure.error;
        }
      }
    } finally {
      limits.dispose();
    }
  }
  return {
    kind: 'model',
    name: model,
    model,
    plan: (request) => plan(request, null),
    repair: plan,
  };
}
