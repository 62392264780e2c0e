import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Proxy {
  url: string;
  /** Where new connections go from now on. */
  to(url: string): void;
  /** Breaks every connection that is open, as a lost network does. */
  cut(): void;
  close(): Promise<void>;
}

/** A plain TCP line to a server, so that a test can break it in the middle of a stream. */
export async function startProxy(target: string): Promise<Proxy> {
  let port = Number(new URL(target).port);
  const open = new Set<Socket>();
  const track = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
  };
  const server = createServer((incoming) => {
    const outgoing = connect(port, '127.0.0.1');
    track(incoming);
    track(outgoing);
    incoming.pipe(outgoing).pipe(incoming);
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
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
