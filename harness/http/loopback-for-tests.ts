import { createServer as createHttpServer, type RequestListener } from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A server on loopback that counts its connections. */
export interface Loopback {
  readonly port: number;
  /** Of a server that speaks plain HTTP. */
  readonly origin: string;
  /** Connections that were accepted so far. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Serves HTTP on a free port. */
export function serveHttp(listener: RequestListener): Promise<Loopback> {
  return listen(createHttpServer({ keepAliveTimeout: 60_000 }, listener));
}

/** Has `answer` called once for each request head that is read, with all bytes of it, to write whatever it likes. */
export function serveBytes(answer: (socket: Socket, head: string) => void): Promise<Loopback> {
  return listen(
    createServer((socket) => {
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
        for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
          const head = received.slice(0, end);
          received = received.slice(end + 4);
          answer(socket, head);
        }
      });
    }),
  );
}

/** Has a server listen on a free port, or at the path of a Unix socket. */
export async function listen(server: Server | Http2SecureServer, path?: string): Promise<Loopback> {
  const open = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
  });
  const where = path === undefined ? { port: 0, host: '127.0.0.1' } : { path };
  await new Promise<void>((resolve) => server.listen(where, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    connections: () => accepted,
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
