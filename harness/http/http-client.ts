import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import type { buildConnector, Dispatcher } from 'undici';
import type { FailureKind, HeaderList, WireForm } from '../model/exchange.ts';
import type { Peers } from '../model/report.ts';
import { Chunks } from './chunks.ts';
import { connectorOf } from './connect.ts';
import { ConnectionFailure, ProtocolRefused } from './connection-failure.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { type ConnectionPlan, Connections, type Protocol } from './connections.ts';
import { offerHttp2 } from './http2-offer.ts';
import { PeerLedger } from './peer-ledger.ts';
import { decodeContent, type UndecodableBody } from './record-body.ts';
import { Semaphore } from './semaphore.ts';

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

/** Bytes of a body that are read at the most. */
const bodyLimit = 16 * 1024 * 1024;
const tooLarge = `the body is larger than ${bodyLimit} bytes`;

/** Bytes from which on a body is large, and how many large ones are read at once: eight of 16 MB are much to hold. */
const large = 1024 * 1024;
const largeAtOnce = 1;
/** Milliseconds by which a timer of a process that is not held up is late at the most. */
const lateMs = 200;

/** Sends requests to one origin; follows no redirect, so a key never goes elsewhere. */
export class HttpClient {
  readonly #origin: string;
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
    this.#origin = origin;
    this.#options = options;
    this.#protocol = options.http2 === true ? 'HTTP/2' : 'HTTP/1.1';
    this.#plan = this.#connectionPlan();
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
    return new DedicatedConnection(connections, (request) => this.#send(connections, request));
  }

  /** Ends all connections at once. */
  async close(): Promise<void> {
    await this.#shared.destroy();
  }

  #connectionPlan(): ConnectionPlan {
    const { timeoutMs } = this.#options;
    return {
      origin: this.#origin,
      http1: {
        pipelining: 1,
        // The deadline below ends requests; these coarse timers must not come first.
        headersTimeout: timeoutMs * 2,
        bodyTimeout: timeoutMs * 2,
        maxHeaderSize: 64 * 1024,
        connect: patiently(this.#peers.watch(connectorOf(this.#options, { allowHttp2: false })), (socket) => {
          if ((socket as Partial<TLSSocket>).alpnProtocol === false) this.#isUnnegotiated = true;
        }),
      },
      connectHttp2: this.#peers.watch(connectorOf(this.#options, { allowHttp2: true })),
    };
  }

  async #send(connections: Connections, request: OutgoingRequest): Promise<RawAnswer> {
    const protocol = this.#protocol;
    const offered = request.wire?.includes('offer of HTTP/2') ? await this.#offer(request) : undefined;
    if (offered !== undefined) return offered;
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

  /** Sends a request with an offer of HTTP/2; undefined where that cannot be made, or the target takes it. */
  async #offer(request: OutgoingRequest): Promise<RawAnswer | undefined> {
    const { timeoutMs, proxy, unixSocket } = this.#options;
    const isDirect = proxy === undefined && unixSocket === undefined && this.#origin.startsWith('http:');
    if (!isDirect || this.#protocol === 'HTTP/2') return undefined;
    const started = performance.now();
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = { headers: [], body: Buffer.alloc(0), protocol: this.#protocol };
    try {
      const response = await offerHttp2(this.#origin, request, signal);
      if (response === undefined) return undefined;
      const { statusCode: status = 0, rawHeaders } = response;
      const chunks = new Chunks();
      let size = 0;
      for await (const chunk of response) {
        size += (chunk as Buffer).length;
        if (size > bodyLimit) throw new ConnectionFailure('too-large', tooLarge);
        chunks.add(chunk as Buffer);
      }
      const durationMs = performance.now() - started;
      return decoded({ ...answer, status, headers: headerList(rawHeaders), body: chunks.take(), durationMs });
    } catch (error) {
      const failure = signal.aborted
        ? { kind: 'timeout' as const, message: `no complete answer within ${timeoutMs} ms` }
        : describeFailure(error as Error);
      return { ...answer, failure, durationMs: performance.now() - started };
    }
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

      const settle = (failure?: RawAnswer['failure'], refused = false): void => {
        if (settled) return;
        settled = true;
        clearTimeout(deadline);
        if (size > large) this.#largeBodies.leave(goOn);
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
      const expectRest = (): void => chunks.expect(Math.min(declaredLength(headers) ?? bodyLimit, bodyLimit));
      const goOn = (): void => {
        // The target is not to blame for the wait.
        since = performance.now();
        clearTimeout(deadline);
        deadline = setTimeout(expire, timeoutMs);
        expectRest();
        // Whoever leaves does so while undici's one parser is at work, which must not be entered twice.
        setImmediate(() => controller?.resume());
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
          headers = headerList((started as unknown as { rawHeaders: Buffer[] }).rawHeaders);
          if ((declaredLength(headers) ?? 0) > bodyLimit) giveUp('too-large', tooLarge);
        },
        onResponseData: (_controller, chunk) => {
          if (settled) return;
          const before = size;
          size += chunk.length;
          if (before <= large && size > large) {
            if (this.#largeBodies.take(goOn)) expectRest();
            else {
              clearTimeout(deadline);
              controller?.pause();
            }
          }
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
            origin: this.#origin,
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
export class DedicatedConnection {
  readonly #connections: Connections;
  readonly #send: (request: OutgoingRequest) => Promise<RawAnswer>;

  constructor(connections: Connections, send: (request: OutgoingRequest) => Promise<RawAnswer>) {
    this.#connections = connections;
    this.#send = send;
  }

  /** Connections made so far: still 1 after the second request where the first one's was kept. */
  get connections(): number {
    return this.#connections.made;
  }

  send(request: OutgoingRequest): Promise<RawAnswer> {
    return this.#send(request);
  }

  async close(): Promise<void> {
    await this.#connections.destroy();
  }
}

/**
 * The headers and the body as undici takes them: it writes a body without a length in chunks, and does not accept the
 * header that says so. HTTP/2 has frames of its own, and no headers of a connection.
 */
function framed(
  { headers, body, wire = [] }: OutgoingRequest,
  protocol: Protocol,
): Pick<Dispatcher.DispatchOptions, 'headers' | 'body'> {
  const isHttp1 = protocol === 'HTTP/1.1';
  const isChunked = isHttp1 && headers.some(([name]) => name === 'transfer-encoding');
  const isInTwo = isHttp1 && wire.includes('body in two packets');
  const inCapitals = isHttp1 && wire.includes('names in capitals');
  const dropped = protocol === 'HTTP/2' ? ['transfer-encoding', 'connection'] : ['transfer-encoding'];
  const sent = headers.filter(([name]) => !dropped.includes(name));
  const length = body !== undefined && isInTwo && !isChunked ? [['content-length', String(body.length)]] : [];
  return {
    headers: [...sent, ...length].flatMap(([name = '', value = '']) => [
      inCapitals ? name.toUpperCase() : name,
      value,
    ]),
    body:
      body === undefined || !(isInTwo || isChunked)
        ? (body ?? null)
        : Readable.from(isInTwo ? inTwoPackets(body) : [body]),
  };
}

/** Milliseconds after which a client leaves that does, when the first of two packets of its body has been sent. */
const leavesAfterMs = 2;
/** Milliseconds between two packets: enough for a server to read the first one alone. */
const packetsApartMs = 30;

/**
 * The body in two parts, white space at its ends aside; where it holds a character of several bytes, the first part ends
 * within it.
 */
async function* inTwoPackets(body: Buffer): AsyncGenerator<Buffer> {
  const wide = body.findIndex((byte) => byte >= 0xc0);
  const [start, last] = [body.findIndex(isInk), body.findLastIndex(isInk)];
  const end = wide < 0 ? Math.ceil((start + last) / 2) : wide + 1;
  yield body.subarray(0, end);
  await pause(packetsApartMs);
  yield body.subarray(end);
}

function isInk(byte: number): boolean {
  return byte > 0x20;
}

/** undici takes an unasked-for `100 Continue` for an error, though RFC 9110, 15.2 has every client pass over it. */
function patiently(
  connect: buildConnector.connector,
  onConnected: (socket: Socket) => void,
): buildConnector.connector {
  return (target, callback) => {
    connect(target, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      onConnected(socket);
      dropContinues(socket);
      callback(null, socket);
    });
  };
}

function dropContinues(socket: Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (!Buffer.isBuffer(chunk) || !chunk.subarray(0, 13).toString('latin1').startsWith('HTTP/1.1 100 '))
      return chunk;
    const end = chunk.indexOf('\r\n\r\n');
    if (end < 0) return chunk;
    return end + 4 < chunk.length ? chunk.subarray(end + 4) : socket.read(size);
  };
}

function declaredLength(headers: HeaderList): number | undefined {
  const length = Number(headers.find(([name]) => name === 'content-length')?.[1]);
  return Number.isSafeInteger(length) ? length : undefined;
}

function codingOf(headers: HeaderList): string | undefined {
  if (!headers.some(([name]) => name === 'content-encoding')) return undefined;
  return headers
    .filter(([name]) => name === 'content-encoding')
    .map(([, value]) => value)
    .join();
}

/** The answer with its body decoded; a failure where that cannot be done. */
function decoded(answer: RawAnswer): RawAnswer {
  const coding = codingOf(answer.headers);
  if (coding === undefined) return answer;
  try {
    return { ...answer, body: decodeContent(answer.body, coding, bodyLimit) };
  } catch (error) {
    const { message, tooLarge } = error as UndecodableBody;
    return { ...answer, failure: { kind: tooLarge ? 'too-large' : 'malformed-response', message } };
  }
}

function headerList(raw: ReadonlyArray<Buffer | string>): HeaderList {
  const list: Array<readonly [string, string]> = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    list.push([String(raw[index]).toLowerCase(), latin1(raw[index + 1])]);
  }
  return list;
}

function latin1(value: Buffer | string = ''): string {
  return typeof value === 'string' ? value : value.toString('latin1');
}

const failureKinds: Readonly<Record<string, FailureKind>> = {
  ENOTFOUND: 'name-not-found',
  EAI_AGAIN: 'name-not-found',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EACCES: 'refused',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_ABORTED: 'interrupted',
  UND_ERR_DESTROYED: 'interrupted',
  UND_ERR_CLOSED: 'interrupted',
};

function describeFailure(error: Error): { readonly kind: FailureKind; readonly message: string } {
  if (error instanceof ConnectionFailure) return { kind: error.kind, message: error.message };
  const cause = (error as AggregateError).errors?.[0] ?? error;
  const code = String((cause as NodeJS.ErrnoException).code ?? '');
  // What OpenSSL says stands in a member of its own, without numbers and places in its source.
  const { reason } = cause as { readonly reason?: string };
  const isOpenssl = reason !== undefined && code.startsWith('ERR_SSL_');
  // undici asserts what it takes for granted, in words of its own.
  const said = cause.name === 'AssertionError' ? 'the answer is not one of HTTP' : cause.message;
  const message = isOpenssl ? `TLS: ${reason}` : said;
  return { kind: failureKinds[code] ?? (isTls(code) ? 'tls' : 'malformed-response'), message };
}

function refusesProtocol(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return error instanceof ProtocolRefused || code === 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL';
}

/** The request itself cannot be written as HTTP, which is nothing that the target did. */
function isUnsendable(error: Error): boolean {
  return ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  );
}

function isTls(code: string): boolean {
  return /^(?:ERR_(?:TLS|SSL)|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO|HOSTNAME_MISMATCH)/.test(code);
}
