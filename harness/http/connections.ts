import { type ClientHttp2Session, connect } from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Agent, type buildConnector, Client, type Dispatcher } from 'undici';
import { ConnectionFailure, ProtocolRefused } from './connection-failure.ts';
import { Http2Exchange, requestHead } from './http2-exchange.ts';

/** A protocol that requests go over. */
export type Protocol = 'HTTP/1.1' | 'HTTP/2';

/** How connections are made, and what undici is told of them. */
export interface ConnectionPlan {
  readonly origin: string;
  readonly http1: Client.Options;
  readonly connectHttp2: buildConnector.connector;
}

/** Connections to one origin over either protocol, made when they are first needed. */
export class Connections {
  readonly #plan: ConnectionPlan;
  readonly #most: number;
  #http1: Agent | Client | undefined;
  #http2: Http2Carrier | undefined;
  #madeOverHttp1 = 0;

  /** At most so many at once over HTTP/1.1; over HTTP/2 one for each request under way. */
  constructor(plan: ConnectionPlan, most: number) {
    this.#plan = plan;
    this.#most = most;
  }

  /** Connections made so far. */
  get made(): number {
    return this.#madeOverHttp1 + (this.#http2?.made ?? 0);
  }

  dispatcher(protocol: Protocol): Pick<Dispatcher, 'dispatch'> {
    return protocol === 'HTTP/2' ? this.#overHttp2() : this.#overHttp1();
  }

  /** Ends all of them at once. */
  async destroy(): Promise<void> {
    await Promise.all([this.#http1?.destroy(), this.#http2?.destroy()]);
  }

  #overHttp1(): Agent | Client {
    if (this.#http1 !== undefined) return this.#http1;
    const { origin, http1 } = this.#plan;
    this.#http1 =
      this.#most === 1 ? new Client(origin, http1) : new Agent({ ...http1, connections: this.#most });
    this.#http1.on('connect', () => {
      this.#madeOverHttp1 += 1;
    });
    return this.#http1;
  }

  #overHttp2(): Http2Carrier {
    this.#http2 ??= new Http2Carrier(this.#plan.origin, this.#plan.connectHttp2);
    return this.#http2;
  }
}

/** Bytes that may come over a connection without a request under way; more are a flood. */
const mostIdleBytes = 64 * 1024;

/**
 * Sends over HTTP/2 as undici's dispatchers do over HTTP/1.1, one request at a time on each connection: a target that
 * ends a connection over one request says nothing of others.
 */
class Http2Carrier {
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
