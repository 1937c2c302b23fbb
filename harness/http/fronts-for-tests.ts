import { Agent, createServer as createHttpServer, request as httpRequest } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type SecureServerOptions,
} from 'node:http2';
import { connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { type Loopback, listen } from './loopback-for-tests.ts';

/** TLS in front of a service that speaks plain HTTP. */
export function frontByTls(origin: string, options: TlsOptions): Promise<Loopback> {
  const server = createTlsServer(options, (socket) => relay(socket, origin));
  server.on('tlsClientError', () => undefined);
  return listen(server);
}

/** A Unix socket in front of a service on a port. */
export function frontBySocket(origin: string, path: string): Promise<Loopback> {
  return listen(
    createServer((socket) => relay(socket, origin)),
    path,
  );
}

/** HTTP/2 in front of a service that speaks HTTP/1.1, which has a connection for each of the front's. */
export function frontByHttp2(origin: string, options: SecureServerOptions): Promise<Loopback> {
  const { hostname, port } = new URL(origin);
  const agents = new WeakMap<object, Agent>();
  return serveHttp2(options, (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !name.startsWith(':')),
    );
    const { method, url: path } = request;
    const session = request.stream.session ?? {};
    const agent = agents.get(session) ?? new Agent({ keepAlive: true, maxSockets: 1 });
    agents.set(session, agent);
    request.stream.session?.once('close', () => agent.destroy());
    const inner = httpRequest({ host: hostname, port, method, path, headers, agent }, (answer) => {
      const { connection: _c, 'keep-alive': _k, 'transfer-encoding': _t, ...others } = answer.headers;
      response.writeHead(answer.statusCode ?? 500, others);
      answer.pipe(response);
    });
    inner.on('error', () => response.stream?.destroy());
    request.pipe(inner);
  });
}

/** Speaks HTTP/2 over TLS, and nothing else unless the options allow it. */
export function serveHttp2(
  options: SecureServerOptions,
  answer: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
): Promise<Loopback> {
  const server: Http2SecureServer = createSecureServer(options, answer);
  server.on('sessionError', () => undefined);
  server.on('secureConnection', (socket) => socket.setNoDelay(true));
  return listen(server);
}

/** An HTTP proxy, with what it was asked to tunnel to and what it was asked to forward. */
export interface TestProxy extends Loopback {
  readonly tunnels: string[];
  readonly forwarded: string[];
}

/** A proxy that opens tunnels to those who bring the credentials, or answers every CONNECT with the status. */
export async function startProxy(
  options: { readonly credentials?: string; readonly status?: number } = {},
): Promise<TestProxy> {
  const tunnels: string[] = [];
  const forwarded: string[] = [];
  const wanted = `Basic ${Buffer.from(options.credentials ?? '').toString('base64')}`;
  const server = createHttpServer((request, response) => {
    forwarded.push(request.url ?? '');
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>a page of the proxy</h1>');
  });
  server.on('connect', (request, socket: Socket) => {
    const isKnown = options.credentials === undefined || request.headers['proxy-authorization'] === wanted;
    const status = isKnown ? (options.status ?? 200) : 407;
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    tunnels.push(request.url ?? '');
    relay(socket, `http://${request.url}`, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
  });
  return { ...(await listen(server)), tunnels, forwarded };
}

function relay(socket: Socket, origin: string, onConnected?: () => void): void {
  const { hostname, port } = new URL(origin);
  const inner = connect(Number(port), hostname, () => {
    onConnected?.();
    socket.pipe(inner).pipe(socket);
  });
  inner.setNoDelay(true);
  socket.setNoDelay(true);
  inner.on('error', () => socket.destroy());
  socket.on('error', () => inner.destroy());
  socket.on('close', () => inner.destroy());
  inner.on('close', () => socket.destroy());
}
