import { isIP, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { buildConnector, Dispatcher } from 'undici';
import type { FailureKind, HeaderList, WireForm } from '../model/exchange.ts';
import type { Semaphore } from '../semaphore.ts';
import { dispatchBeyondUndici, hasNoChunks, isBeyondUndici, isOffer } from './beyond-undici.ts';
import { describeFailure, isUnsendable, refusesProtocol } from './connection-failure.ts';
import { bodyLimit, decoded } from './record-answer.ts';

/** A protocol that requests go over. */
export type Protocol = 'HTTP/1.1' | 'HTTP/2';

/** A request as it goes out: nothing is added to it, nothing normalised. */
export interface OutgoingRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: HeaderList;
  readonly body?: Buffer;
  readonly wire?: readonly WireForm[];
  /** Milliseconds to wait for the answer, where that is less than usual. */
  readonly patienceMs?: number;
}

/** What came back, with the bytes of the body decoded from their content coding. */
export interface RawAnswer {
  readonly status?: number;
  readonly headers: HeaderList;
  readonly body: Buffer;
  readonly failure?: { readonly kind: FailureKind; readonly message: string };
  /** When it was sent as told here, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly protocol: Protocol;
  /** Nothing was sent, because the target does not speak the protocol of the connection. */
  readonly refusesProtocol?: true;
}

/** Bytes of headers that are read at the most. */
export const headerLimit: number = 64 * 1024;
/** Why a larger one is not read. */
const tooLarge = `the body is larger than ${bodyLimit} bytes`;

/** Bytes from which on a body is large. */
const large = 1024 * 1024;
/** Milliseconds by which a timer of a process that is not held up is late at the most. */
const lateMs = 200;
/** Milliseconds after which a client leaves that does, when the first of two packets of its body has been sent. */
const leavesAfterMs = 2;

/** What the exchanges of one client share. */
export interface ExchangeContext {
  readonly origin: string;
  /** Milliseconds in which an answer must be whole. */
  readonly timeoutMs: number;
  /** Large bodies are read in turn. */
  readonly largeBodies: Semaphore;
  /** Whether a connection may be made that offers HTTP/2 in a header. */
  readonly mayOffer: boolean;
  /** Whether other requests may be under way on the connection. */
  readonly isPiped?: boolean;
  /** Makes a connection for a request that undici does not write. */
  readonly connect: buildConnector.connector;
}

/** Sends a request over a connection, and gives what came back; throws where the request cannot be written as HTTP. */
export function exchangeOver(
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  protocol: Protocol,
  request: OutgoingRequest,
  { origin, timeoutMs: usualMs, largeBodies, mayOffer, connect, isPiped = false }: ExchangeContext,
): Promise<RawAnswer> {
  const startedAt = Date.now();
  const started = performance.now();
  const timeoutMs = Math.min(request.patienceMs ?? usualMs, usualMs);
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
      const received = { headers, protocol, startedAt, durationMs: performance.now() - started, body };
      const answer: RawAnswer = status === undefined ? received : { status, ...received };
      if (failure === undefined) resolve(decoded(answer));
      else resolve({ ...answer, failure, ...(refused ? { refusesProtocol: true } : {}) });
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
      void largeBodies.run(() => {
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
    const dispatch = (): void => {
      const method = request.method as Dispatcher.HttpMethod;
      const path = targetOf(request, protocol, origin);
      const framing = framed(request, protocol, origin);
      // undici would close the connection after a HEAD, and after a GET with a body.
      const keeps = isPiped || (method === 'GET' && request.body !== undefined);
      const options = { ...(isPiped && { blocking: false }), ...(keeps && { reset: false }) };
      dispatcher.dispatch({ origin, method, path, ...options, ...framing }, handler);
    };
    const isBeyond = (mayOffer && isOffer(request)) || hasNoChunks(request) || isBeyondUndici(request);
    try {
      if (isBeyond && protocol === 'HTTP/1.1')
        dispatchBeyondUndici({ origin, connect, mayOffer }, request, handler, dispatch);
      else dispatch();
    } catch (error) {
      if (isUnsendable(error as Error)) refuse(error as Error);
      else settle(describeFailure(error as Error));
    }
  });
}

/** undici takes an unasked-for `100 Continue` for an error, though RFC 9110, 15.2 has every client pass over it. */
export function dropContinues(socket: Socket): void {
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

/**
 * The headers and the body as undici takes them: it writes a body without a length in chunks, and does not accept the
 * header that says so. HTTP/2 has frames of its own, and no headers of a connection.
 */
function framed(
  request: OutgoingRequest,
  protocol: Protocol,
  origin: string,
): Pick<Dispatcher.DispatchOptions, 'headers' | 'body'> {
  const { headers, body, wire = [] } = request;
  const isHttp1 = protocol === 'HTTP/1.1';
  const isChunked = isHttp1 && headers.some(([name]) => name === 'transfer-encoding');
  const isInTwo = isHttp1 && wire.includes('body in two packets');
  const dropped = protocol === 'HTTP/2' ? ['transfer-encoding', 'connection'] : ['transfer-encoding'];
  const sent = (isHttp1 ? asOnTheWire(request, origin) : headers).filter(
    ([name]) => !dropped.includes(name.toLowerCase()),
  );
  const length = body !== undefined && isInTwo && !isChunked ? [['content-length', String(body.length)]] : [];
  return { headers: [...sent, ...length].flat(), body: bodyInParts(request, isHttp1) ?? body ?? null };
}

/** A body that goes out in chunks or packets; undefined where it goes out at once. */
export function bodyInParts(
  { headers, body, wire = [] }: OutgoingRequest,
  isHttp1 = true,
): Readable | undefined {
  const isChunked = headers.some(([name]) => name === 'transfer-encoding');
  const isInTwo = wire.includes('body in two packets');
  if (body === undefined || !isHttp1 || !(isInTwo || isChunked)) return undefined;
  return Readable.from(isInTwo ? inTwoPackets(body) : [body]);
}

/** The headers as HTTP/1.1 has them. */
export function asOnTheWire({ headers, wire = [] }: OutgoingRequest, origin: string): HeaderList {
  const host = wire.includes('host in capitals') ? [['host', hostOf(origin, wire)] as const] : [];
  return [...host, ...headers].map(([name, value]) => [
    spelledName(name, wire),
    wire.includes('blanks behind values') && name !== 'connection' ? `${value}  ` : value,
  ]);
}

/** The name of a header in the spelling that a form of the request calls for. */
export function spelledName(name: string, wire: readonly WireForm[]): string {
  if (wire.includes('names in capitals')) return name.toUpperCase();
  return wire.includes('names as usual')
    ? name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
    : name;
}

/** The host with its port, in capitals if that is the form of the request and it is a name. */
export function hostOf(origin: string, wire: readonly WireForm[] = []): string {
  const { host, hostname } = new URL(origin);
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  return isName && wire.includes('host in capitals') ? host.toUpperCase() : host;
}

/** What stands in the request line. */
export function targetOf({ path, wire = [] }: OutgoingRequest, protocol: Protocol, origin: string): string {
  const isWhole = protocol === 'HTTP/1.1' && wire.includes('whole address');
  return isWhole ? `${new URL(origin).protocol}//${hostOf(origin, wire)}${path}` : path;
}

/** Milliseconds between two packets: a server reads the first one alone, and one that is impatient gives up. */
const packetsApartMs = 700;

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

/** The length of a body that headers declare; undefined where they declare none. */
function declaredLength(headers: HeaderList): number | undefined {
  const length = Number(headers.find(([name]) => name === 'content-length')?.[1]);
  return Number.isSafeInteger(length) ? length : undefined;
}

/** Headers of an answer from the names and values that came. */
function headerList(raw: ReadonlyArray<Buffer | string>): HeaderList {
  const texts = raw.map((part) => part.toString('latin1'));
  return texts.flatMap((name, at) =>
    at % 2 === 0 ? [[name.toLowerCase(), texts[at + 1] ?? ''] as const] : [],
  );
}

/** The chunks of a body, copied as they come: whoever reads from the socket uses its memory again. */
export class Chunks {
  #bytes = Buffer.alloc(0);
  #used = 0;

  /** Makes more room than the chunk needs, so that a body in chunks of one byte is not copied for each. */
  add(chunk: Buffer): void {
    const needed = this.#used + chunk.length;
    if (needed > this.#bytes.length) {
      // A body that comes in one piece, as most do, needs no more room than it takes.
      const grown = Buffer.allocUnsafe(this.#used === 0 ? needed : Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(grown, 0, 0, this.#used);
      this.#bytes = grown;
    }
    chunk.copy(this.#bytes, this.#used);
    this.#used = needed;
  }

  /** All bytes so far; none are held on to. */
  take(): Buffer {
    const body = this.#bytes.subarray(0, this.#used);
    this.#bytes = Buffer.alloc(0);
    this.#used = 0;
    return body;
  }
}
