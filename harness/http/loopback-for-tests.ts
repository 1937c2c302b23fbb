import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A server on loopback that counts its connections. */
export interface Loopback {
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
      socket.on('error', () => undefined);
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

async function listen(server: Server): Promise<Loopback> {
  const open = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    connections: () => accepted,
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
