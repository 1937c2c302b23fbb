import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on loopback that counts what it is asked. */
export interface CountingServer {
  readonly baseUrl: string;
  readonly requests: number;
  readonly methods: ReadonlySet<string>;
  /** Resolves with the first request. */
  readonly asked: Promise<void>;
  /** Cuts all connections. */
  close(): void;
}

/** How a counting server answers; with 200 and an empty object unless told. */
export interface Behaviour {
  /** Whether it answers at all. */
  readonly answers?: boolean;
  readonly delayMs?: number;
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Starts a server on loopback that counts what it is asked. */
export async function countingServer(behaviour: Behaviour = {}): Promise<CountingServer> {
  const methods = new Set<string>();
  let requests = 0;
  let ask: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const answer =
    behaviour.answer ??
    ((_request: IncomingMessage, response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  const server = createServer((request, response) => {
    requests += 1;
    methods.add(request.method ?? '');
    ask();
    if (behaviour.answers !== false) setTimeout(() => answer(request, response), behaviour.delayMs ?? 0);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    methods,
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
