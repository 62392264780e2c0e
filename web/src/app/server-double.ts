import { CATALOG_ID } from '../../../shared/catalog.ts';
import { ANSWER_HEADER } from '../../../shared/wire.ts';
import { fields, parseJson } from '../lib/unknown.ts';

const v = { version: 'v0.9' } as const;

/** One call of the page, and the way to answer it event by event. */
export interface Call {
  url: string;
  body: unknown;
  /** `Last-Event-ID` of the request. */
  after: string | null;
  write(name: string, data: unknown): void;
  end(): void;
}

/** A server inside a test: it takes the page's calls, and the test writes their event streams. */
export interface ServerDouble {
  readonly calls: Call[];
  /** Connections to the change feed, in the order they were made. */
  readonly feeds: Call[];
  /** The nth call whose address contains a text; throws when there is none. */
  call(match: string, nth?: number): Call;
  /** JSON that a path answers with instead of an event stream. */
  json: Map<string, unknown>;
  /** Paths that are not found. */
  gone: Set<string>;
  /** Paths that refuse to go on in the middle. */
  anew: Set<string>;
  /** How many of the next calls no server takes. */
  unreachable: number;
  /** Answer the next streams name in their headers; null for none. */
  names: string | null;
  /** Paths that were deleted. */
  deleted: string[];
  fetch(url: string, init?: RequestInit): Promise<Response>;
}

export function createServerDouble(): ServerDouble {
  const calls: Call[] = [];
  const feeds: Call[] = [];
  const json = new Map<string, unknown>([
    ['/api/answers', { kept: false, answers: [] }],
    ['/api/projects', { projects: [] }],
    ['/api/health', { ok: true, planner: { kind: 'builtin', model: null }, record: null }],
  ]);
  const gone = new Set<string>();
  const anew = new Set<string>();
  const deleted: string[] = [];
  const double: ServerDouble = {
    calls,
    feeds,
    json,
    gone,
    anew,
    unreachable: 0,
    names: null,
    deleted,
    call(match, nth = 0) {
      const found = calls.filter((item) => item.url.includes(match))[nth];
      if (found === undefined) throw new Error(`no call of ${match}`);
      return found;
    },
    async fetch(url, init) {
      if (init?.method === 'DELETE') {
        deleted.push(url);
        return Response.json({ ok: true });
      }
      if (anew.has(url) && new Headers(init?.headers).has('last-event-id'))
        return Response.json({ code: 'not_found' }, { status: 410 });
      if (gone.has(url)) return Response.json({ code: 'not_found' }, { status: 404 });
      if (json.has(url)) return Response.json(json.get(url));
      if (!url.startsWith('/api/live') && double.unreachable > 0) {
        double.unreachable -= 1;
        throw new TypeError('no server');
      }
      return streamed(url, init, url.startsWith('/api/live') ? feeds : calls, double.names);
    },
  };
  return double;
}

function streamed(url: string, init: RequestInit | undefined, calls: Call[], name: string | null): Response {
  const after = new Headers(init?.headers).get('last-event-id');
  const encoder = new TextEncoder();
  let id = Number(after ?? 0);
  let control: ReadableStreamDefaultController<Uint8Array> | null = null;
  let open = true;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      control = controller;
    },
  });
  init?.signal?.addEventListener('abort', () => {
    if (open) control?.error(new DOMException('aborted', 'AbortError'));
    open = false;
  });
  calls.push({
    url,
    body: typeof init?.body === 'string' ? parseJson(init.body) : null,
    after,
    write(name, data) {
      id += 1;
      const filled =
        name === 'done' ? { cards: 1, ok: true, code: null, ms: 5, ...fields(data), events: id } : data;
      if (open)
        control?.enqueue(encoder.encode(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(filled)}\n\n`));
    },
    end() {
      if (open) control?.close();
      open = false;
    },
  });
  const headers = {
    'content-type': 'text/event-stream',
    ...(name === null ? {} : { [ANSWER_HEADER]: name }),
  };
  return new Response(body, { headers });
}

/** Writes the events of an answer with one note card, without its end. */
export function writeOneCard(
  to: Call,
  answerId: string,
  question: string | null,
  title = 'One',
  projects: { id: string; name: string }[] = [],
): void {
  const surfaceId = `s-${answerId}`;
  to.write('open', {
    answerId,
    surfaceId,
    question,
    planner: 'builtin',
    title: question === null ? 'All is well' : null,
    projects,
  });
  to.write('a2ui', { ...v, createSurface: { surfaceId, catalogId: CATALOG_ID } });
  to.write('a2ui', {
    ...v,
    updateDataModel: { surfaceId, path: '/cards/c1', value: { title, evidence: ['q1', 'q2'] } },
  });
  to.write('a2ui', {
    ...v,
    updateDataModel: { surfaceId, path: '/layout', value: { spans: { c1: 12 }, slot: 0 } },
  });
  to.write('a2ui', {
    ...v,
    updateComponents: {
      surfaceId,
      components: [
        { id: 'c1', component: 'NoteCard', spec: { path: '/cards/c1' } },
        { id: 'root', component: 'Dashboard', children: ['c1'], layout: { path: '/layout' } },
      ],
    },
  });
}
