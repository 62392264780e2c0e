import { LIMITS } from '../../shared/limits.ts';

/** The server sent more than is read for one answer. */
export class ResponseTooLarge extends Error {
  constructor() {
    super('the response is larger than LIMITS.modelBytes');
    this.name = 'ResponseTooLarge';
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The start of a body as text; the rest is not read. */
async function head(body: ReadableStream<Uint8Array>, most: number): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  let size = 0;
  try {
    while (size < most) {
      const { value, done } = await reader.read();
      if (done) break;
      size += value.length;
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return text.slice(0, most);
}

/** Compatible servers put an error's words at the top level; the API has them under `error`, where the SDK looks. */
function asApiError(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) && body.error === undefined ? JSON.stringify({ error: body }) : text;
  } catch {
    return text;
  }
}

const LINE_FEED = 10;

/** A line without an end costs its reader more with every piece, so it is bounded by itself. */
function limited(body: ReadableStream<Uint8Array>, most: number): ReadableStream<Uint8Array> {
  let left = most;
  let line = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        left -= bytes.length;
        const end = bytes.lastIndexOf(LINE_FEED);
        line = end === -1 ? line + bytes.length : bytes.length - end - 1;
        if (left < 0 || line > LIMITS.modelLineBytes) controller.error(new ResponseTooLarge());
        else controller.enqueue(bytes);
      },
    }),
  );
}

/**
 * `fetch` with a bound on what is read: an answer up to LIMITS.modelBytes, an error up to LIMITS.modelErrorBytes and in
 * the form of the API. Redirects are refused, since they would carry the question to a server nobody configured.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' });
  const { status, statusText, headers, body } = response;
  if (body === null) return response;
  if (response.ok) return new Response(limited(body, LIMITS.modelBytes), { status, statusText, headers });
  const text = asApiError(await head(body, LIMITS.modelErrorBytes));
  return new Response(text, { status, statusText, headers: { 'content-type': 'application/json' } });
};
