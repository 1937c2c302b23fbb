import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { type Dispatcher, errors } from 'undici';
import type { FailureKind } from '../model/exchange.ts';
import { ConnectionFailure, ProtocolRefused } from './connection-failure.ts';

/** With what, and over what, a request is sent. */
interface Sending {
  readonly session: ClientHttp2Session;
  readonly head: OutgoingHttpHeaders;
  readonly body: Buffer | undefined;
  /** The error in which the session ended, if it did. */
  readonly causeOfEnd: () => Error | undefined;
  /** Called once the session may be used again. */
  readonly release: () => void;
}

/** One request over HTTP/2 and what comes back, told to a handler as undici tells it. */
export class Http2Exchange implements Dispatcher.DispatchController {
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

  send({ session, head, body, causeOfEnd, release }: Sending): void {
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
      this.fail(failureOf(stream, isAnswered, causeOfEnd() ?? error));
      // The target may go on sending over a connection that carries no further request.
      session.destroy();
    };
    stream.on('error', fail);
    stream.on('close', () => fail());
    stream.on('response', (headers: IncomingHttpHeaders, _flags: number, raw?: readonly string[]) => {
      isAnswered = true;
      this.rawHeaders = answerHeaders(headers, raw);
      this.#handler.onResponseStart?.(this, Number(headers[constants.HTTP2_HEADER_STATUS]), {});
    });
    stream.on('data', (chunk: Buffer) => {
      if (!this.#isOver) this.#handler.onResponseData?.(this, chunk);
    });
    stream.on('end', () => {
      // A stream that is cut short ends as well, and only its code tells it.
      if (!isAnswered || (stream.rstCode ?? 0) !== constants.NGHTTP2_NO_ERROR) {
        fail();
        return;
      }
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
  const kind: FailureKind =
    (isAnswered && malformed.has(code)) || isProtocolError(cause) ? 'malformed-response' : 'reset';
  const detail = isProtocolError(cause) ? cause?.message : `with ${name}`;
  return new ConnectionFailure(kind, `the HTTP/2 stream ended before the answer was whole, ${detail}`);
}

const malformed: ReadonlySet<number> = new Set([
  constants.NGHTTP2_PROTOCOL_ERROR,
  constants.NGHTTP2_FLOW_CONTROL_ERROR,
  constants.NGHTTP2_FRAME_SIZE_ERROR,
  constants.NGHTTP2_COMPRESSION_ERROR,
]);

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

function isProtocolError(error: Error | undefined): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_HTTP2_ERROR';
}

function isUnsendable(error: Error): boolean {
  return /^ERR_(?:HTTP2_(?:HEADER|INVALID_(?:HEADER|CONNECTION|PSEUDO))|INVALID_(?:ARG|CHAR|HTTP))/.test(
    (error as NodeJS.ErrnoException).code ?? '',
  );
}

/** The head of a request as HTTP/2 writes it; throws for what undici would not send over HTTP/1.1 either. */
export function requestHead(
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

/** Names and values of an answer as they came, without the pseudo-headers. */
function answerHeaders(headers: IncomingHttpHeaders, raw: readonly string[] | undefined): string[] {
  const list =
    raw ??
    Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().flatMap((one) => [name, one]));
  return list.filter((_, at) => list[at - (at % 2)]?.startsWith(':') === false);
}

/** An error that says that a request cannot be sent at all. */
function unsendable(message: string): Error {
  return new errors.InvalidArgumentError(message);
}
