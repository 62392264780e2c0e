/**
 * What a scripted model server does, step by step, after it has accepted a request.
 * Event format: server-sent events with one `chat.completion.chunk` a `data:` line, as the Chat Completions API streams them.
 */

/** A door the test opens: the server waits at it in the middle of a stream. */
export interface Gate {
  /** Lets the server go on. Opening twice does nothing. */
  open(): void;
  readonly opened: Promise<void>;
  /** Fulfilled when the server has reached the door, all earlier bytes handed to the socket. */
  readonly reached: Promise<void>;
  /** Called by the server. */
  arrive(): void;
}

export function gate(): Gate {
  let open = (): void => undefined;
  let arrive = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return { open: () => open(), opened, reached, arrive: () => arrive() };
}

export type FinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls';

export type Step =
  /** A piece of the answer. */
  | { do: 'text'; text: string }
  | { do: 'refusal'; text: string }
  /** Thinking aloud, as some compatible servers stream it. */
  | { do: 'reasoning'; text: string }
  | { do: 'finish'; reason: FinishReason }
  /** The closing chunk without choices. */
  | { do: 'usage' }
  /** `data: [DONE]` */
  | { do: 'done' }
  /** Any value as the data of one event. */
  | { do: 'event'; data: unknown }
  /** A comment line, as proxies send to keep a connection open. */
  | { do: 'comment'; text: string }
  /** Bytes as they are, outside any event. */
  | { do: 'raw'; text: string }
  | { do: 'gate'; gate: Gate }
  | { do: 'wait'; ms: number }
  /** Silence until the client goes or the server closes. */
  | { do: 'hang' }
  /** The connection breaks here: `close` ends it in the middle of the body, `reset` with a TCP reset. */
  | { do: 'break'; how: 'close' | 'reset' };

export interface StreamReply {
  kind: 'stream';
  steps: readonly Step[];
  /** Bytes written at a time, cutting through characters and lines; default one write an event. */
  tcpBytes?: number;
  /** End of line; default `\n`. */
  newline?: '\n' | '\r\n';
  /** The connection is closed after this many bytes of body. */
  closeAfterBytes?: number;
}
export interface BodyReply {
  kind: 'body';
  status: number;
  contentType: string;
  body: string;
  headers?: Readonly<Record<string, string>>;
}
/** The connection is reset before a single byte of the response. */
export interface ResetReply {
  kind: 'reset';
}
/** The request is read and nothing ever answers. */
export interface SilentReply {
  kind: 'silent';
}
export type Reply = StreamReply | BodyReply | ResetReply | SilentReply;

/** Text in pieces of `size` characters (code points stay whole, as in the real API). */
export function pieces(text: string, size: number): string[] {
  const points = [...text];
  const out: string[] = [];
  for (let at = 0; at < points.length; at += Math.max(1, size)) {
    out.push(points.slice(at, at + Math.max(1, size)).join(''));
  }
  return out;
}

const CLOSING: readonly Step[] = [{ do: 'finish', reason: 'stop' }, { do: 'usage' }, { do: 'done' }];

type Wire = Pick<StreamReply, 'tcpBytes' | 'newline' | 'closeAfterBytes'>;

/** A complete answer in pieces of `size` characters (default 20). */
export function answer(text: string, options: Wire & { size?: number } = {}): StreamReply {
  const { size = 20, ...wire } = options;
  const steps = pieces(text, size).map((piece): Step => ({ do: 'text', text: piece }));
  return { kind: 'stream', steps: [...steps, ...CLOSING], ...wire };
}

/** A complete answer given as parts; a gate between two parts holds the stream open until the test opens it. */
export function gated(
  parts: readonly (string | Gate)[],
  options: Wire & { size?: number } = {},
): StreamReply {
  const { size = 20, ...wire } = options;
  const steps = parts.flatMap((part): Step[] =>
    typeof part === 'string'
      ? pieces(part, size).map((text): Step => ({ do: 'text', text }))
      : [{ do: 'gate', gate: part }],
  );
  return { kind: 'stream', steps: [...steps, ...CLOSING], ...wire };
}

/** Steps as given, nothing added. */
export const stream = (steps: readonly Step[], wire: Wire = {}): StreamReply => ({
  kind: 'stream',
  steps,
  ...wire,
});

/** Text that ends with another finish reason than `stop`. */
export const finishing = (text: string, reason: FinishReason): StreamReply =>
  stream([
    ...pieces(text, 20).map((piece): Step => ({ do: 'text', text: piece })),
    { do: 'finish', reason },
    { do: 'usage' },
    { do: 'done' },
  ]);

/** The model declines, in the API's own field. */
export const refusal = (text: string): StreamReply =>
  stream([...pieces(text, 8).map((piece): Step => ({ do: 'refusal', text: piece })), ...CLOSING]);

/** Ends without a finish reason and without `[DONE]`, the connection closed in good order. */
export const unfinished = (text: string): StreamReply =>
  stream(pieces(text, 20).map((piece): Step => ({ do: 'text', text: piece })));

/** An error of the API: status and the usual JSON body. */
export function apiError(
  status: number,
  error: { message: string; code?: string | null; param?: string | null; type?: string },
): BodyReply {
  const body = { error: { type: 'invalid_request_error', code: null, param: null, ...error } };
  return { kind: 'body', status, contentType: 'application/json', body: JSON.stringify(body) };
}

/** Something else than the API answers, as a misrouted proxy does. */
export const page = (status: number, html: string): BodyReply => ({
  kind: 'body',
  status,
  contentType: 'text/html; charset=utf-8',
  body: html,
});

export const reset = (): ResetReply => ({ kind: 'reset' });
export const silent = (): SilentReply => ({ kind: 'silent' });
