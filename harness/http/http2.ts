import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import type { Socket } from 'node:net';
import { Duplex, PassThrough, Transform } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { type buildConnector, type Dispatcher, errors } from 'undici';
import { ConnectionFailure, ProtocolRefused } from './connection-failure.ts';

/** A connection, which carries one request at a time. */
interface Connection {
  readonly session: ClientHttp2Session;
  /** Bytes that it had read when its last exchange ended. */
  bytesRead: number;
  cause?: Error;
}

/** Bytes that may come over a connection without a request under way; more are a flood. */
const mostIdleBytes = 64 * 1024;

/**
 * Sends over HTTP/2 as undici's dispatchers do over HTTP/1.1, one request at a time on each connection: a target that
 * ends a connection over one request says nothing of others.
 */
export class Http2Carrier {
  readonly #origin: URL;
  readonly #connector: buildConnector.connector;
  readonly #open = new Set<Connection>();
  readonly #idle = new Set<Connection>();
  /** Connections so far. */
  made = 0;
  #destroyed = false;

  constructor(origin: string, connector: buildConnector.connector) {
    this.#origin = new URL(origin);
    this.#connector = connector;
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
    this.#connection().then(
      (connection) => {
        const { session } = connection;
        exchange.send(connection, head, bytes, () => {
          if (session.closed || session.destroyed) return;
          connection.bytesRead = session.socket.bytesRead;
          this.#idle.add(connection);
        });
      },
      (error: Error) => exchange.fail(error),
    );
    return true;
  }

  async destroy(): Promise<void> {
    this.#destroyed = true;
    for (const { session } of this.#open) session.destroy();
  }

  async #connection(): Promise<Connection> {
    for (const idle of this.#idle) {
      this.#idle.delete(idle);
      if (idle.session.socket.bytesRead - idle.bytesRead <= mostIdleBytes) return idle;
      idle.session.destroy();
    }
    const session = connect(this.#origin, {
      createConnection: await this.#connect(),
      settings: { enablePush: false },
    });
    if (this.#destroyed) {
      session.destroy();
      throw new ConnectionFailure('interrupted', 'the client is closed');
    }
    this.made += 1;
    const connection: Connection = { session, bytesRead: 0 };
    this.#open.add(connection);
    session.on('error', (error) => {
      connection.cause = error;
    });
    session.on('goaway', () => this.#idle.delete(connection));
    session.on('close', () => {
      this.#idle.delete(connection);
      this.#open.delete(connection);
    });
    return connection;
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

/** Milliseconds in which a server that goes on in HTTP/2 must begin to. */
const firstFrameMs = 3_000;

/** The answer to a request over HTTP/1.1 whose offer of HTTP/2 the server took (RFC 7540, 3.2): it comes on the first stream. */
export function answerOfUpgraded(
  socket: Duplex,
  { origin, method, path }: Pick<Dispatcher.DispatchOptions, 'method' | 'path'> & { readonly origin: string },
  handler: Dispatcher.DispatchHandler,
): Dispatcher.DispatchController {
  const session = connect(origin, {
    createConnection: () => withoutFirstRequest(socket),
    settings: { enablePush: false },
  });
  const connection: Connection = { session, bytesRead: 0 };
  session.on('error', (error) => {
    connection.cause = error;
  });
  const exchange = new Http2Exchange(handler);
  const silent = new ConnectionFailure('timeout', 'nothing follows the 101 that takes the offer of HTTP/2');
  const wait = setTimeout(() => exchange.abort(silent), firstFrameMs);
  session.once('remoteSettings', () => clearTimeout(wait)).once('close', () => clearTimeout(wait));
  exchange.send(connection, requestHead(method, path, [], undefined, new URL(origin)), undefined, () =>
    session.destroy(),
  );
  return exchange;
}

/** The connection preface, and the frames of which the first stream consists: a head, its continuation, a body. */
const prefaceBytes = 24;
const framesOfRequest = [1, 9, 0];

/** A connection that does not send the request on the first stream, which went over HTTP/1.1, and brings no answer before it. */
function withoutFirstRequest(socket: Duplex): Duplex {
  const answers = new PassThrough();
  let waiting = Buffer.alloc(0);
  let isBegun = false;
  const others = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      waiting = Buffer.concat([waiting, chunk]);
      const take = (bytes: number): Buffer => {
        const taken = waiting.subarray(0, bytes);
        waiting = waiting.subarray(bytes);
        return taken;
      };
      if (!isBegun && waiting.length >= prefaceBytes) {
        isBegun = true;
        this.push(take(prefaceBytes));
      }
      while (isBegun && waiting.length >= 9 && waiting.length >= 9 + waiting.readUIntBE(0, 3)) {
        const frame = take(9 + waiting.readUIntBE(0, 3));
        const isOfRequest = frame.readUInt32BE(5) === 1 && framesOfRequest.includes(frame[3] ?? -1);
        if (isOfRequest) socket.pipe(answers);
        else this.push(frame);
      }
      done();
    },
  });
  others.pipe(socket);
  const whole = Duplex.from({ writable: others, readable: answers });
  socket.on('error', (error) => answers.destroy(error));
  whole.once('close', () => socket.destroy());
  return whole;
}

/** One request over HTTP/2 and what comes back, told to a handler as undici tells it. */
class Http2Exchange implements Dispatcher.DispatchController {
  readonly #handler: Dispatcher.DispatchHandler;
  #stream: ClientHttp2Stream | undefined;
  #isOver = false;
  /** Names and values as they came, one after the other. */
  rawHeaders: string[] = [];
  reason: Error | null = null;

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler;
  }

  get aborted(): boolean {
    return this.reason !== null;
  }

  get paused(): boolean {
    return this.#stream?.isPaused() ?? false;
  }

  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  abort(reason: Error): void {
    if (this.aborted) return;
    this.reason = reason;
    this.fail(reason);
    // A connection on which something was given up may be dead, or full of what nobody reads.
    this.#stream?.session?.destroy();
  }

  fail(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#handler.onResponseError?.(this, error);
  }

  /** Calls `release` once the connection may carry another request. */
  send(
    connection: Connection,
    head: OutgoingHttpHeaders,
    body: Buffer | undefined,
    release: () => void,
  ): void {
    const { session } = connection;
    if (this.aborted) {
      release();
      return;
    }
    let stream: ClientHttp2Stream;
    try {
      stream = session.request(head, { endStream: body === undefined || body.length === 0 });
    } catch (error) {
      release();
      const { message } = error as Error;
      this.fail(isUnsendable(error as Error) ? unsendable(message) : new ConnectionFailure('reset', message));
      return;
    }
    this.#stream = stream;
    let isAnswered = false;
    const fail = (error?: Error): void => {
      if (this.#isOver) return;
      this.fail(failureOf(stream, isAnswered, connection.cause ?? error));
      // The target may go on sending over a connection that carries no further request.
      session.destroy();
    };
    stream.on('error', fail);
    stream.on('close', () => fail());
    stream.on('response', (headers: IncomingHttpHeaders, _flags: number, raw: readonly string[]) => {
      isAnswered = true;
      // Without the pseudo-headers.
      this.rawHeaders = raw.filter((_, at) => raw[at - (at % 2)]?.startsWith(':') === false);
      this.#handler.onResponseStart?.(this, Number(headers[constants.HTTP2_HEADER_STATUS]), {});
    });
    stream.on('data', (chunk: Buffer) => {
      if (!this.#isOver) this.#handler.onResponseData?.(this, chunk);
    });
    stream.on('end', () => {
      // A stream that is cut short ends as well, and only its code tells it.
      if (!isAnswered || (stream.rstCode ?? 0) !== constants.NGHTTP2_NO_ERROR) return fail();
      if (this.#isOver) return;
      this.#isOver = true;
      // The answer may be whole before the request is.
      if (!stream.writableFinished) stream.close(constants.NGHTTP2_NO_ERROR);
      release();
      this.#handler.onResponseEnd?.(this, {});
    });
    if (body !== undefined && body.length > 0) stream.end(body);
  }
}

/** What nghttp2 finds wrong in an answer and what the target takes back end in the same codes; a head tells them apart. */
function failureOf(stream: ClientHttp2Stream, isAnswered: boolean, cause: Error | undefined): Error {
  const code = stream.rstCode ?? 0;
  const name = codeNames[code] ?? `code ${code}`;
  if (code === constants.NGHTTP2_HTTP_1_1_REQUIRED) return new ProtocolRefused('HTTP/2');
  const isProtocolError = (cause as NodeJS.ErrnoException | undefined)?.code === 'ERR_HTTP2_ERROR';
  const isMalformed = isProtocolError || (isAnswered && malformed.has(name));
  const detail = isProtocolError ? cause?.message : `with ${name}`;
  return new ConnectionFailure(
    isMalformed ? 'malformed-response' : 'reset',
    `the HTTP/2 stream ended before the answer was whole, ${detail}`,
  );
}

const malformed = new Set(['PROTOCOL_ERROR', 'FLOW_CONTROL_ERROR', 'FRAME_SIZE_ERROR', 'COMPRESSION_ERROR']);

/** The error codes of RFC 9113, 7, in their order. */
const codeNames: readonly string[] = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
];

function isUnsendable(error: Error): boolean {
  return /^ERR_(?:HTTP2_(?:HEADER|INVALID_(?:HEADER|CONNECTION|PSEUDO))|INVALID_(?:ARG|CHAR|HTTP))/.test(
    (error as NodeJS.ErrnoException).code ?? '',
  );
}

/** The head of a request as HTTP/2 writes it; throws for what undici would not send over HTTP/1.1 either. */
function requestHead(
  method: string,
  path: string,
  headers: readonly string[],
  body: Buffer | undefined,
  origin: URL,
): OutgoingHttpHeaders {
  // The bounds that undici sets for HTTP/1.1.
  if (/[^\u0021-\u00ff]/.test(path)) throw unsendable('the path cannot be sent');
  const head: Record<string, string | string[]> = {
    [constants.HTTP2_HEADER_METHOD]: method,
    [constants.HTTP2_HEADER_SCHEME]: origin.protocol.slice(0, -1),
    [constants.HTTP2_HEADER_AUTHORITY]: origin.host,
    [constants.HTTP2_HEADER_PATH]: path,
  };
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index]?.toLowerCase() ?? '';
    const value = headers[index + 1] ?? '';
    if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value)) throw unsendable(`the header ${name} cannot be sent`);
    if (name === 'host') {
      head[constants.HTTP2_HEADER_AUTHORITY] = value;
      continue;
    }
    const before = head[name];
    head[name] = before === undefined ? value : [before, value].flat();
  }
  if (body !== undefined || method === 'POST') head['content-length'] = String(body?.length ?? 0);
  return head;
}

/** An error that says that a request cannot be sent at all. */
function unsendable(message: string): Error {
  return new errors.InvalidArgumentError(message);
}
