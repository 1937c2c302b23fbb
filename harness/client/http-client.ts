import type { Socket } from 'node:net';
import { Agent, buildConnector, Client, type Dispatcher } from 'undici';
import type { FailureKind, HeaderList } from '../recording/exchange.ts';
import { decodeContent, type UndecodableBody } from './record-body.ts';

/** How connections to the target are made. */
export interface ConnectionOptions {
  readonly timeoutMs: number;
  /** PEM text of additional certificate authorities. */
  readonly ca?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
  /** Accepts any certificate. */
  readonly insecure?: boolean;
}

/** A request as it goes out: nothing is added to it, nothing normalised. */
export interface OutgoingRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: HeaderList;
  readonly body?: Buffer;
}

/** What came back, with the bytes of the body decoded from their content coding. */
export interface RawAnswer {
  readonly status?: number;
  readonly headers: HeaderList;
  readonly body: Buffer;
  readonly failure?: { readonly kind: FailureKind; readonly message: string };
  readonly durationMs: number;
}

/** Bytes of a body that are read at the most. */
const bodyLimit = 16 * 1024 * 1024;

/** Milliseconds by which a timer of a process that is not held up is late at the most. */
const lateMs = 200;

/** Sends requests to one origin; follows no redirect, so a key never goes elsewhere. */
export class HttpClient {
  readonly #origin: string;
  readonly #options: ConnectionOptions;
  readonly #shared: Agent;

  constructor(origin: string, concurrency: number, options: ConnectionOptions) {
    this.#origin = origin;
    this.#options = options;
    this.#shared = new Agent({ ...this.#dispatcherOptions(), connections: concurrency });
  }

  /** Sends over the shared pool of connections. */
  send(request: OutgoingRequest): Promise<RawAnswer> {
    return this.#exchange(this.#shared, request);
  }

  /** One connection of its own, on which requests follow each other. */
  openLane(): Lane {
    const client = new Client(this.#origin, this.#dispatcherOptions());
    return new Lane(client, (request) => this.#exchange(client, request));
  }

  /** Ends all connections at once. */
  async close(): Promise<void> {
    await this.#shared.destroy();
  }

  #dispatcherOptions(): Client.Options {
    const { timeoutMs, ca, clientCert, clientKey, insecure } = this.#options;
    return {
      pipelining: 1,
      // The deadline below ends requests; these coarse timers must not come first.
      headersTimeout: timeoutMs * 2,
      bodyTimeout: timeoutMs * 2,
      maxHeaderSize: 64 * 1024,
      connect: patiently({
        timeout: timeoutMs,
        ...(ca === undefined ? {} : { ca }),
        ...(clientCert === undefined ? {} : { cert: clientCert }),
        ...(clientKey === undefined ? {} : { key: clientKey }),
        ...(insecure === true ? { rejectUnauthorized: false } : {}),
      }),
    };
  }

  #exchange(dispatcher: Dispatcher, request: OutgoingRequest): Promise<RawAnswer> {
    const started = performance.now();
    return new Promise((resolve, reject) => {
      let controller: Dispatcher.DispatchController | undefined;
      let status: number | undefined;
      let headers: HeaderList = [];
      let chunks: Buffer[] = [];
      let size = 0;
      let settled = false;

      const settle = (failure?: RawAnswer['failure']): void => {
        if (settled) return;
        settled = true;
        clearTimeout(deadline);
        const received = {
          ...(status === undefined ? {} : { status }),
          headers,
          durationMs: performance.now() - started,
        };
        const [first] = chunks;
        const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
        chunks = [];
        if (failure !== undefined) {
          resolve({ ...received, body, failure });
          return;
        }
        try {
          resolve({ ...received, body: decodeContent(body, codingOf(headers), bodyLimit) });
        } catch (error) {
          const { message, tooLarge } = error as UndecodableBody;
          resolve({
            ...received,
            body,
            failure: { kind: tooLarge ? 'too-large' : 'malformed-response', message },
          });
        }
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
        const isLate = performance.now() - started > timeoutMs + lateMs;
        deadline = setTimeout(
          () => giveUp('timeout', `no complete answer within ${timeoutMs} ms`),
          isLate ? timeoutMs / 2 : 0,
        );
      };
      let deadline = setTimeout(expire, timeoutMs);

      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: (started) => {
          controller = started;
          if (settled) started.abort(new Error('given up before it was sent'));
        },
        onResponseStart: (started, statusCode) => {
          if (statusCode < 200) return;
          status = statusCode;
          headers = headerList((started as unknown as { rawHeaders: Buffer[] }).rawHeaders);
        },
        onResponseData: (_controller, chunk) => {
          size += chunk.length;
          if (size > bodyLimit) giveUp('too-large', `the body is larger than ${bodyLimit} bytes`);
          else chunks.push(Buffer.from(chunk));
        },
        onResponseEnd: () => settle(),
        onResponseError: (_controller, error) => {
          if (isUnsendable(error)) refuse(error);
          else settle(describeFailure(error));
        },
      };
      try {
        dispatcher.dispatch(
          {
            origin: this.#origin,
            method: request.method as Dispatcher.HttpMethod,
            path: request.path,
            headers: request.headers.flat(),
            body: request.body ?? null,
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
export class Lane {
  readonly #client: Client;
  readonly #send: (request: OutgoingRequest) => Promise<RawAnswer>;
  #connections = 0;

  constructor(client: Client, send: (request: OutgoingRequest) => Promise<RawAnswer>) {
    this.#client = client;
    this.#send = send;
    client.on('connect', () => {
      this.#connections += 1;
    });
  }

  /** Connections made so far: still 1 after the second request where the first one's was kept. */
  get connections(): number {
    return this.#connections;
  }

  send(request: OutgoingRequest): Promise<RawAnswer> {
    return this.#send(request);
  }

  async close(): Promise<void> {
    await this.#client.destroy();
  }
}

/** undici takes an unasked-for `100 Continue` for an error, though RFC 9110, 15.2 has every client pass over it. */
function patiently(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) => {
    connect(target, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
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

function codingOf(headers: HeaderList): string | undefined {
  if (!headers.some(([name]) => name === 'content-encoding')) return undefined;
  return headers
    .filter(([name]) => name === 'content-encoding')
    .map(([, value]) => value)
    .join();
}

function headerList(raw: readonly Buffer[]): HeaderList {
  const list: Array<readonly [string, string]> = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    list.push([String(raw[index]).toLowerCase(), raw[index + 1]?.toString('latin1') ?? '']);
  }
  return list;
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
  const cause = (error as AggregateError).errors?.[0] ?? error;
  const code = String((cause as NodeJS.ErrnoException).code ?? '');
  return { kind: failureKinds[code] ?? (isTls(code) ? 'tls' : 'malformed-response'), message: cause.message };
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
