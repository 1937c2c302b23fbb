import type { TLSSocket } from 'node:tls';
import { Agent, type buildConnector, Client, type Dispatcher } from 'undici';
import type { Peers } from '../model/report.ts';
import { Semaphore } from '../semaphore.ts';
import { type ConnectionOptions, connectorOf, PeerLedger } from './connect.ts';
import {
  dropContinues,
  type ExchangeContext,
  exchangeOver,
  headerLimit,
  type OutgoingRequest,
  type Protocol,
  type RawAnswer,
} from './exchange.ts';
import { Http2Carrier } from './http2.ts';

/** Large bodies that are read at once: eight of 16 MB are much to hold. */
const largeAtOnce = 1;

/** Milliseconds that requests of a pipe wait for each other, and then for their answer. */
const gatheringMs = 3_000;
const unansweredMs = 5_000;

/** Sends requests to one origin; follows no redirect, so a key never goes elsewhere. */
export class HttpClient {
  readonly #plan: ConnectionPlan;
  readonly #exchanging: ExchangeContext;
  readonly #shared: Connections;
  readonly #peers = new PeerLedger();
  /** May change until the first answer. */
  protocol: Protocol;
  /** Whether the target answered, so that it is known which protocol it speaks. */
  #isSettled = false;
  /** Some connection over TLS came about without a protocol being agreed on. */
  #isUnnegotiated = false;

  constructor(origin: string, concurrency: number, options: ConnectionOptions) {
    const { timeoutMs, proxy, unixSocket, http2 } = options;
    this.protocol = http2 === true ? 'HTTP/2' : 'HTTP/1.1';
    const mayOffer = proxy === undefined && unixSocket === undefined && origin.startsWith('http:');
    this.#exchanging = {
      ...{ origin, timeoutMs, mayOffer, largeBodies: new Semaphore(largeAtOnce) },
      connect: connectorOf(options, false, (socket) => this.#peers.note(socket)),
    };
    this.#plan = {
      origin,
      http1: {
        pipelining: 1,
        // The deadline of an exchange ends requests; these coarse timers must not come first.
        headersTimeout: timeoutMs * 2,
        bodyTimeout: timeoutMs * 2,
        maxHeaderSize: headerLimit,
        connect: connectorOf(options, false, (socket) => {
          this.#peers.note(socket);
          if ((socket as Partial<TLSSocket>).alpnProtocol === false) this.#isUnnegotiated = true;
          dropContinues(socket);
        }),
      },
      connectHttp2: connectorOf(options, true, (socket) => this.#peers.note(socket)),
    };
    this.#shared = new Connections(this.#plan, concurrency);
  }

  get peers(): Peers {
    return this.#peers.peers;
  }

  send(request: OutgoingRequest): Promise<RawAnswer> {
    return this.#send(this.#shared, request);
  }

  /** One connection of its own, on which requests follow each other. */
  openConnection(): DedicatedConnection {
    const connections = new Connections(this.#plan, 1);
    return {
      get connections() {
        return connections.made;
      },
      send: (request) => this.#send(connections, request),
      close: () => connections.destroy(),
    };
  }

  /**
   * One connection for so many requests, which go out together in this order, each before the answer to the one before it. A
   * server need not answer more than the first: the others then go out once more.
   */
  openPipe(requests: number): readonly DedicatedConnection[] {
    const http1 = { ...this.#plan.http1, pipelining: requests };
    const connections = new Connections({ ...this.#plan, http1 }, 1);
    const awaitOthers = gatheringOf(requests);
    const timeoutMs = Math.min(this.#exchanging.timeoutMs, unansweredMs);
    return Array.from({ length: requests }, (_, place) => ({
      get connections() {
        return connections.made;
      },
      send: async (request: OutgoingRequest) => {
        await awaitOthers(place);
        const answer = await this.#send(connections, request, { isPiped: true, timeoutMs });
        const { status, failure } = answer;
        const isUnanswered = status === undefined && ['reset', 'timeout'].includes(failure?.kind ?? '');
        return isUnanswered ? this.#send(this.#shared, request) : answer;
      },
      close: () => connections.destroy(),
    }));
  }

  async close(): Promise<void> {
    await this.#shared.destroy();
  }

  async #send(
    connections: Connections,
    request: OutgoingRequest,
    special: Partial<ExchangeContext> = {},
  ): Promise<RawAnswer> {
    const { protocol } = this;
    const exchange = (over: Protocol): Promise<RawAnswer> =>
      exchangeOver(connections.dispatcher(over), over, request, { ...this.#exchanging, ...special });
    const answer = await exchange(protocol);
    if (answer.status !== undefined) this.#isSettled = true;
    const mayMeanOther = answer.status === undefined && this.#mayMeanOther(protocol, answer);
    // Another request may have found out meanwhile.
    if (mayMeanOther && this.protocol !== protocol) return exchange(this.protocol);
    if (this.#isSettled || !mayMeanOther) return answer;
    // Nothing was answered yet: the target may speak the other protocol alone.
    const other = protocol === 'HTTP/2' ? 'HTTP/1.1' : 'HTTP/2';
    const second = await exchange(other);
    if (second.refusesProtocol === true) return answer;
    this.protocol = other;
    if (second.status !== undefined) this.#isSettled = true;
    return second;
  }

  /** Not every server that speaks HTTP/2 alone says so in the handshake. */
  #mayMeanOther(protocol: Protocol, { refusesProtocol, failure }: RawAnswer): boolean {
    if (refusesProtocol === true) return true;
    const isStrange = failure?.kind === 'malformed-response' || failure?.kind === 'reset';
    return protocol === 'HTTP/1.1' && this.#isUnnegotiated && isStrange;
  }
}

/** Lets those that gather go on in the order of their places: once all are there, or the last ones take too long. */
function gatheringOf(members: number): (place: number) => Promise<void> {
  const waiting = new Map<number, () => void>();
  const goOn = (): void => {
    for (const [, next] of [...waiting].sort(([one], [other]) => one - other)) next();
  };
  return (place) =>
    new Promise((resolve) => {
      waiting.set(place, resolve);
      // The last one must have begun to wait.
      if (waiting.size === members) queueMicrotask(goOn);
      else setTimeout(goOn, gatheringMs).unref();
    });
}

/** One connection on which requests follow each other. */
export interface DedicatedConnection {
  /** Connections made so far: still 1 after the second request where the first one's was kept. */
  readonly connections: number;
  send(request: OutgoingRequest): Promise<RawAnswer>;
  close(): Promise<void>;
}

/** How connections are made, and what undici is told of them. */
interface ConnectionPlan {
  readonly origin: string;
  readonly http1: Client.Options;
  readonly connectHttp2: buildConnector.connector;
}

/** Connections to one origin over either protocol, made when they are first needed. */
class Connections {
  readonly #http1: Agent | Client;
  readonly #http2: Http2Carrier;
  #madeOverHttp1 = 0;

  /** At most so many at once over HTTP/1.1; over HTTP/2 one for each request under way. */
  constructor({ origin, http1, connectHttp2 }: ConnectionPlan, most: number) {
    this.#http1 = most === 1 ? new Client(origin, http1) : new Agent({ ...http1, connections: most });
    this.#http1.on('connect', () => {
      this.#madeOverHttp1 += 1;
    });
    this.#http2 = new Http2Carrier(origin, connectHttp2);
  }

  get made(): number {
    return this.#madeOverHttp1 + this.#http2.made;
  }

  dispatcher(protocol: Protocol): Pick<Dispatcher, 'dispatch'> {
    return protocol === 'HTTP/2' ? this.#http2 : this.#http1;
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#http1.destroy(), this.#http2.destroy()]);
  }
}
