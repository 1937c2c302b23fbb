import { type ClientHttp2Session, connect } from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { buildConnector, Dispatcher } from 'undici';
import { ConnectionFailure, ProtocolRefused } from './connection-failure.ts';
import { Http2Exchange } from './http2-exchange.ts';
import { requestHead } from './http2-head.ts';

/** Bytes that may come over a connection without a request under way; more are a flood. */
const mostIdleBytes = 64 * 1024;

/**
 * Sends over HTTP/2 as undici's dispatchers do over HTTP/1.1, one request at a time on each connection: a target that
 * ends a connection over one request says nothing of others.
 */
export class Http2Carrier {
  readonly #origin: URL;
  readonly #connector: buildConnector.connector;
  readonly #sessions = new Set<ClientHttp2Session>();
  /** Each with the bytes that it had read when its last exchange ended. */
  readonly #idle = new Map<ClientHttp2Session, number>();
  /** What ended sessions that ended in an error. */
  readonly #causes = new WeakMap<ClientHttp2Session, Error>();
  #made = 0;
  #destroyed = false;

  constructor(origin: string, connector: buildConnector.connector) {
    this.#origin = new URL(origin);
    this.#connector = connector;
  }

  /** Connections made so far. */
  get made(): number {
    return this.#made;
  }

  /** Throws, before anything is sent, for what cannot be sent. */
  dispatch(
    { method, path, headers, body }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    const bytes = (body ?? undefined) as Buffer | undefined;
    const head = requestHead(method, path, (headers ?? []) as readonly string[], bytes, this.#origin);
    const exchange = new Http2Exchange(handler);
    handler.onRequestStart?.(exchange, undefined);
    if (exchange.aborted) return true;
    this.#session().then(
      (session) => {
        this.#idle.delete(session);
        exchange.send({
          session,
          head,
          body: bytes,
          causeOfEnd: () => this.#causes.get(session),
          release: () => {
            if (!session.closed && !session.destroyed) this.#idle.set(session, session.socket.bytesRead);
          },
        });
      },
      (error: Error) => exchange.fail(error),
    );
    return true;
  }

  /** Ends all connections at once. */
  async destroy(): Promise<void> {
    this.#destroyed = true;
    for (const session of this.#sessions) session.destroy();
  }

  async #session(): Promise<ClientHttp2Session> {
    for (const [idle, bytesBefore] of this.#idle) {
      this.#idle.delete(idle);
      if (idle.socket.bytesRead - bytesBefore <= mostIdleBytes) return idle;
      idle.destroy();
    }
    const session = connect(this.#origin, {
      createConnection: await this.#connect(),
      settings: { enablePush: false },
    });
    if (this.#destroyed) {
      session.destroy();
      throw new ConnectionFailure('interrupted', 'the client is closed');
    }
    this.#made += 1;
    this.#sessions.add(session);
    session.on('error', (error) => this.#causes.set(session, error));
    const forget = (): void => void this.#idle.delete(session);
    session.on('goaway', forget);
    session.on('close', () => {
      forget();
      this.#sessions.delete(session);
    });
    return session;
  }

  #connect(): Promise<() => Socket> {
    const { host, hostname, protocol, port } = this.#origin;
    return new Promise((resolve, reject) => {
      const target = { host, hostname: hostname.replace(/^\[|\]$/g, ''), protocol, port };
      this.#connector(target, (...[error, socket]) => {
        if (error !== null) return reject(error);
        if ((socket as TLSSocket).alpnProtocol === 'h2') return resolve(() => socket);
        socket.on('error', () => undefined).destroy();
        reject(new ProtocolRefused('HTTP/2'));
      });
    });
  }
}
