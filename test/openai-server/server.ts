import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Reply, Step, StreamReply } from './steps.ts';

/** A request as it came in, for assertions. */
export interface RecordedRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  /** The parsed JSON body; null when it was not JSON. */
  body: unknown;
  /** Fulfilled when the connection of this request is over; true when the client left before the reply was complete. */
  closed: Promise<boolean>;
}

/** Replies in order (the last one repeats), or a reply chosen by the request. */
export type Script = Reply | readonly Reply[] | ((request: RecordedRequest, index: number) => Reply);

export interface OpenAiServer {
  /** For `OPENAI_BASE_URL`, with `/v1`. */
  baseURL: string;
  port: number;
  requests: readonly RecordedRequest[];
  /** Another script from the next request on; `index` counts from there. */
  use(script: Script): void;
  /** Ends all connections and stops listening. */
  close(): Promise<void>;
}

const BODY_LIMIT = 4 * 1024 * 1024;
const MODEL = 'scripted-model';

async function readBody(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of incoming) {
    const bytes = Buffer.isBuffer(part) ? part : Buffer.from(String(part));
    size += bytes.length;
    if (size > BODY_LIMIT) throw new Error('request body too large');
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const chunk = (choices: unknown[], extra: Record<string, unknown> = {}) => ({
  id: 'chatcmpl-scripted',
  object: 'chat.completion.chunk',
  created: 1_770_000_000,
  model: MODEL,
  system_fingerprint: null,
  choices,
  ...extra,
});
const delta = (content: Record<string, unknown>, finish: string | null = null) =>
  chunk([{ index: 0, delta: content, logprobs: null, finish_reason: finish }]);
const usage = () => chunk([], { usage: { prompt_tokens: 900, completion_tokens: 240, total_tokens: 1140 } });

/** The lines of one step; null for steps that are not lines. */
function lines(step: Step, newline: string): string | null {
  const event = (data: unknown) => `data: ${JSON.stringify(data)}${newline}${newline}`;
  switch (step.do) {
    case 'text':
      return event(delta({ content: step.text }));
    case 'refusal':
      return event(delta({ refusal: step.text }));
    case 'reasoning':
      return event(delta({ reasoning_content: step.text }));
    case 'finish':
      return event(delta({}, step.reason));
    case 'usage':
      return event(usage());
    case 'event':
      return event(step.data);
    case 'done':
      return `data: [DONE]${newline}${newline}`;
    case 'comment':
      return `: ${step.text}${newline}${newline}`;
    case 'raw':
      return step.text;
    default:
      return null;
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Until the socket takes more, or is gone. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });

/** Writes bytes in parts, each its own HTTP chunk; false when the connection is gone. */
async function write(response: ServerResponse, bytes: Buffer, size: number): Promise<boolean> {
  for (let at = 0; at < bytes.length; at += size) {
    if (response.destroyed) return false;
    if (!response.write(bytes.subarray(at, at + size))) {
      await drained(response);
    }
    if (size < bytes.length) await turn();
  }
  return !response.destroyed;
}

async function play(reply: StreamReply, response: ServerResponse, gone: Promise<unknown>): Promise<void> {
  const newline = reply.newline ?? '\n';
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  response.flushHeaders();
  let left = reply.closeAfterBytes ?? Number.POSITIVE_INFINITY;
  const send = async (text: string): Promise<boolean> => {
    const bytes = Buffer.from(text, 'utf8').subarray(0, left === Number.POSITIVE_INFINITY ? undefined : left);
    left -= bytes.length;
    if (!(await write(response, bytes, reply.tcpBytes ?? Math.max(1, bytes.length)))) return false;
    if (left > 0) return true;
    response.destroy();
    return false;
  };
  const role: Step = { do: 'event', data: delta({ role: 'assistant', content: '', refusal: null }) };
  for (const step of [role, ...reply.steps]) {
    const text = lines(step, newline);
    if (text !== null) {
      if (!(await send(text))) return;
    } else if (step.do === 'gate') {
      step.gate.arrive();
      await Promise.race([step.gate.opened, gone]);
    } else if (step.do === 'wait') {
      await Promise.race([new Promise((resolve) => setTimeout(resolve, step.ms)), gone]);
    } else if (step.do === 'hang') {
      await gone;
    } else if (step.do === 'break') {
      if (step.how === 'reset') response.socket?.resetAndDestroy();
      else response.destroy();
    }
    if (response.destroyed) return;
  }
  response.end();
}

async function respond(reply: Reply, response: ServerResponse, gone: Promise<unknown>): Promise<void> {
  switch (reply.kind) {
    case 'stream':
      return play(reply, response, gone);
    case 'body':
      response.writeHead(reply.status, { 'content-type': reply.contentType, ...reply.headers });
      response.end(reply.body);
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'silent':
      await gone;
  }
}

function choose(script: Script, request: RecordedRequest, index: number): Reply {
  if (typeof script === 'function') return script(request, index);
  if ('kind' in script) return script;
  const reply = script[Math.min(index, script.length - 1)];
  if (reply === undefined) throw new Error('the script has no reply');
  return reply;
}

/**
 * A model server on loopback that speaks enough of the OpenAI API for its SDK: `POST /v1/chat/completions` plays the
 * script, everything else is 404. Made for tests of the planner, of whole answers and of the page.
 * @param script what it answers; see steps.ts for ready-made replies
 * @param port 0 for any free one
 */
export async function startOpenAiServer(script: Script, port = 0): Promise<OpenAiServer> {
  const requests: RecordedRequest[] = [];
  let current = script;
  let index = 0;
  const server = createServer((incoming, response) => {
    response.socket?.setNoDelay(true);
    const closed = once(response, 'close').then(() => !response.writableFinished);
    response.on('error', () => undefined);
    void (async () => {
      const path = incoming.url ?? '/';
      const text = await readBody(incoming);
      const headers: Record<string, string> = {};
      for (const [name, value] of Object.entries(incoming.headers)) headers[name] = String(value);
      const request = { method: incoming.method ?? '', path, headers, body: parse(text), closed };
      requests.push(request);
      if (request.method !== 'POST' || path !== '/v1/chat/completions') {
        response.writeHead(404, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: 'unknown path', type: 'invalid_request_error' } }));
        return;
      }
      await respond(choose(current, request, index++), response, closed);
    })().catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const bound = isAddress(address) ? address.port : port;
  return {
    baseURL: `http://127.0.0.1:${bound}/v1`,
    port: bound,
    requests,
    use(next) {
      current = next;
      index = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const isAddress = (value: string | AddressInfo | null): value is AddressInfo =>
  typeof value === 'object' && value !== null;
