import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Proxy {
  url: string;
  /** Where new connections go from now on. */
  to(url: string): void;
  /** Breaks every connection that is open, as a lost network does. */
  cut(): void;
  /** Breaks the next answer to `POST /api/ask` right after so many of its events, once. */
  cutAfter(events: number): void;
  close(): Promise<void>;
}

/** From the last bytes to the break, in milliseconds. */
const SETTLE_MS = 60;

/** Bytes up to the end of the nth event of an event stream, counted over all parts of one response. */
function cutter(events: number): (part: Buffer) => { pass: Buffer; cut: boolean } {
  let left = events;
  let before = '';
  return (part) => {
    const text = part.toString('latin1');
    // The end of an event may lie between two parts.
    let at = 0;
    for (let from = before.length; left > 0; ) {
      const end = (before + text).indexOf('\n\n', Math.max(0, from - 1));
      if (end === -1) break;
      const name = (before + text).slice(0, end).lastIndexOf('\nevent: ');
      const start = (before + text).slice(0, end).lastIndexOf('\n\n');
      if (name > start) {
        left -= 1;
        at = end + 2 - before.length;
      }
      from = end + 3;
    }
    if (left === 0) return { pass: part.subarray(0, Math.max(0, at)), cut: true };
    before = (before + text).slice(-100_000);
    return { pass: part, cut: false };
  };
}

/** A plain TCP line to a server, so that a test can break it in the middle of a stream. */
export async function startProxy(target: string): Promise<Proxy> {
  let port = Number(new URL(target).port);
  const open = new Set<Socket>();
  let after: number | null = null;
  const track = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
  };
  const server = createServer((incoming) => {
    const outgoing = connect(port, '127.0.0.1');
    track(incoming);
    track(outgoing);
    let cutting: ReturnType<typeof cutter> | null = null;
    incoming.on('data', (part: Buffer) => {
      if (after !== null && part.toString('latin1').startsWith('POST /api/ask ')) {
        cutting = cutter(after);
        after = null;
      }
      outgoing.write(part);
    });
    let broken = false;
    outgoing.on('data', (part: Buffer) => {
      if (broken) return;
      const { pass, cut } = cutting?.(part) ?? { pass: part, cut: false };
      incoming.write(pass);
      broken = cut;
      // A browser lets go of what it has not handed on yet when a line breaks; it gets the time to.
      if (cut) setTimeout(() => incoming.destroy(), SETTLE_MS);
    });
    incoming.on('close', () => outgoing.destroy());
    outgoing.on('close', () => incoming.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    to(url) {
      port = Number(new URL(url).port);
    },
    cut,
    cutAfter(events) {
      after = events;
    },
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
