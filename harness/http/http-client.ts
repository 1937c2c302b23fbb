import type { TLSSocket } from 'node:tls';
import type { Dispatcher } from 'undici';
import type { FailureKind, HeaderList, WireForm } from '../model/exchange.ts';
import type { Peers } from '../model/report.ts';
import { Semaphore } from '../semaphore.ts';
import { type ConnectionOptions, connectorOf, dropContinues, PeerLedger } from './connect.ts';
import { describeFailure, isUnsendable, refusesProtocol } from './connection-failure.ts';
import { type ConnectionPlan, Connections, type Protocol } from './connections.ts';
import {
  bodyLimit,
  Chunks,
  declaredLength,
  decoded,
  framed,
  headerLimit,
  headerList,
  tooLarge,
} from './framing.ts';
import { sendWithOffer } from './http2-offer.ts';

/** A request as it goes out: nothing is added to it, nothing normalised. */
export interface OutgoingRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: HeaderList;
  readonly body?: Buffer;
  readonly wire?: readonly WireForm[];
}

/** What came back, with the bytes of the body decoded from their content coding. */
export interface RawAnswer {
  readonly status?: number;
  readonly headers: HeaderList;
  readonly body: Buffer;
  readonly failure?: { readonly kind: FailureKind; readonly message: string };
  readonly durationMs: number;
  readonly protocol: Protocol;
  /** Nothing was sent, because the target does not speak the protocol of the connection. */
  readonly refusesProtocol?: true;
}

/** Bytes from which on a body is large, and how many large ones are read at once: eight of 16 MB are much to hold. */
const large = 1024 * 1024;
const largeAtOnce = 1;
/** Milliseconds by which a timer of a process that is not held up is late at the most. */
const lateMs = 200;
/** Milliseconds after which a client leaves that does, when the first of two packets of its body has been sent. */
const leavesAfterMs = 2;

/** Sends requests to one origin; follows no redirect, so a key never goes elsewhere. */
export class HttpClient {
  readonly #options: ConnectionOptions;
  readonly #plan: ConnectionPlan;
  readonly #shared: Connections;
  readonly #peers = new PeerLedger();
  #protocol: Protocol;
  /** Whether the target answered, so that it is known which protocol it speaks. */
  #isSettled = false;
  /** Some connection over TLS came about without a protocol being agreed on. */
  #isUnnegotiated = false;
  readonly #largeBodies = new Semaphore(largeAtOnce);

  constructor(origin: string, concurrency: number, options: ConnectionOptions) {
    this.#options = options;
    this.#protocol = options.http2 === true ? 'HTTP/2' : 'HTTP/1.1';
    const { timeoutMs } = options;
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

  /** The protocol that requests go over; may change until the first answer. */
  get protocol(): Protocol {
    return this.#protocol;
  }

  /** Whom the connections reached so far. */
  get peers(): Peers {
    return this.#peers.peers;
  }

  /** Sends over the shared pool of connections. */
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

  /** Ends all connections at once. */
  async close(): Promise<void> {
    await this.#shared.destroy();
  }

  async #send(connections: Connections, request: OutgoingRequest): Promise<RawAnswer> {
    const protocol = this.#protocol;
    if (protocol === 'HTTP/1.1' && request.wire?.includes('offer of HTTP/2') === true) {
      const offered = await sendWithOffer(this.#plan.origin, this.#options, request);
      if (offered !== undefined) return offered;
    }
    const answer = await this.#exchange(connections, protocol, request);
    if (answer.status !== undefined) this.#isSettled = true;
    if (this.#isSettled || !this.#mayMeanOther(protocol, answer)) return answer;
    // Nothing was answered yet: the target may speak the other protocol alone.
    const other = protocol === 'HTTP/2' ? 'HTTP/1.1' : 'HTTP/2';
    const second = await this.#exchange(connections, other, request);
    if (second.refusesProtocol === true) return answer;
    this.#protocol = other;
    if (second.status !== undefined) this.#isSettled = true;
    return second;
  }

  /** Not every server that speaks HTTP/2 alone says so in the handshake. */
  #mayMeanOther(protocol: Protocol, { refusesProtocol, failure }: RawAnswer): boolean {
    if (refusesProtocol === true) return true;
    const isStrange = failure?.kind === 'malformed-response' || failure?.kind === 'reset';
    return protocol === 'HTTP/1.1' && this.#isUnnegotiated && isStrange;
  }

  #exchange(connections: Connections, protocol: Protocol, request: OutgoingRequest): Promise<RawAnswer> {
    const started = performance.now();
    let since = started;
    return new Promise((resolve, reject) => {
      let controller: Dispatcher.DispatchController | undefined;
      let status: number | undefined;
      let headers: HeaderList = [];
      const chunks = new Chunks();
      let size = 0;
      let settled = false;
      let endLarge: (() => void) | undefined;

      const settle = (failure?: RawAnswer['failure'], refused = false): void => {
        if (settled) return;
        settled = true;
        clearTimeout(deadline);
        endLarge?.();
        const body = chunks.take();
        const received = { headers, protocol, durationMs: performance.now() - started, body };
        const answer: RawAnswer = status === undefined ? received : { status, ...received };
        if (failure !== undefined) {
          resolve({ ...answer, failure, ...(refused ? { refusesProtocol: true } : {}) });
          return;
        }
        resolve(decoded(answer));
      };
      const refuse = (error: Error): void => {
        settled = true;
        clearTimeout(deadline);
        reject(error);
      };
      const giveUp = (kind: FailureKind, message: string): void => {
        settle({ kind, message });
        controller?.abort(new Error(message));
      };
      const { timeoutMs } = this.#options;
      const expire = (): void => {
        // A process that was held up may find the deadline passed before it has read what came in time.
        const isLate = performance.now() - since > timeoutMs + lateMs;
        deadline = setTimeout(
          () => giveUp('timeout', `no complete answer within ${timeoutMs} ms`),
          isLate ? timeoutMs / 2 : 0,
        );
      };
      let deadline = setTimeout(expire, timeoutMs);
      const takeTurn = (): void => {
        const pausedAt = performance.now();
        clearTimeout(deadline);
        controller?.pause();
        const over = new Promise<void>((resolve) => {
          endLarge = resolve;
        });
        void this.#largeBodies.run(() => {
          if (settled) return over;
          // The target is not to blame for the wait.
          const now = performance.now();
          since += now - pausedAt;
          deadline = setTimeout(expire, since + timeoutMs - now);
          // undici's one parser may be at work, which must not be entered twice.
          setImmediate(() => controller?.resume());
          return over;
        });
      };

      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: (started) => {
          controller = started;
          if (settled) started.abort(new Error('given up before it was sent'));
          else if (request.wire?.includes('client leaves')) {
            const leave = (): void => giveUp('abandoned', 'the client left before the answer');
            if (request.body === undefined) setImmediate(leave);
            else setTimeout(leave, leavesAfterMs);
          }
        },
        onResponseStart: (started, statusCode) => {
          if (statusCode < 200) return;
          status = statusCode;
          headers = headerList((started as unknown as { rawHeaders: Array<Buffer | string> }).rawHeaders);
          if ((declaredLength(headers) ?? 0) > bodyLimit) giveUp('too-large', tooLarge);
        },
        onResponseData: (_controller, chunk) => {
          if (settled) return;
          const before = size;
          size += chunk.length;
          if (before <= large && size > large) takeTurn();
          if (size > bodyLimit) giveUp('too-large', tooLarge);
          else chunks.add(chunk);
        },
        onResponseEnd: () => settle(),
        onResponseError: (_controller, error) => {
          if (isUnsendable(error)) refuse(error);
          else settle(describeFailure(error), refusesProtocol(error));
        },
      };
      try {
        connections.dispatcher(protocol).dispatch(
          {
            origin: this.#plan.origin,
            method: request.method as Dispatcher.HttpMethod,
            path: request.path,
            ...framed(request, protocol),
          },
          handler,
        );
      } catch (error) {
        if (isUnsendable(error as Error)) refuse(error as Error);
        else settle(describeFailure(error as Error));
      }
    });
  }
}

/** One connection on which requests follow each other. */
export interface DedicatedConnection {
  /** Connections made so far: still 1 after the second request where the first one's was kept. */
  readonly connections: number;
  send(request: OutgoingRequest): Promise<RawAnswer>;
  close(): Promise<void>;
}
