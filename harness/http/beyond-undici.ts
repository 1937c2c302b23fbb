import { request as begin } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import type { buildConnector, Dispatcher } from 'undici';
import { headerLimit, type OutgoingRequest } from './exchange.ts';

/** The settings of HTTP/2 in which a client changes nothing. */
const noSettings = 'AAMAAABkAAQAoAAAAAIAAAAA';
const offer = ['Upgrade', 'h2c', 'HTTP2-Settings', noSettings];

/** Whether a request offers to go on in HTTP/2. */
export function isOffer({ wire = [] }: OutgoingRequest): boolean {
  return wire.includes('offer of HTTP/2');
}

/** Whether a body comes in chunks of which there are none: undici gives it a length of nought. */
export function hasNoChunks({ headers, body }: OutgoingRequest): boolean {
  return body?.length === 0 && headers.some(([name]) => name === 'transfer-encoding');
}

/**
 * Sends what undici does not write, and tells a handler what comes back, as undici does: a body of no chunks, and an offer to
 * go on in HTTP/2, as Java's client makes with its first request to a plain `http` origin. Where the server takes the offer,
 * the answer would come in frames: the request is then sent by `instead`.
 */
export function dispatchBeyondUndici(
  origin: string,
  connect: buildConnector.connector,
  request: OutgoingRequest,
  parts: Dispatcher.DispatchOptions['body'],
  handler: Dispatcher.DispatchHandler,
  instead: () => void,
): void {
  const { method, path, headers, body } = request;
  const isChunked = headers.some(([name]) => name === 'transfer-encoding');
  const length = body === undefined || isChunked ? [] : ['Content-Length', String(body.length)];
  const own = headers.filter(([name]) => name !== 'connection');
  const given = headers.flatMap(([name, value]) => (name === 'connection' ? value : []));
  const options = isOffer(request) ? [...given, 'Upgrade', 'HTTP2-Settings'] : given;
  const connection = ['Connection', options.join(', ') || 'keep-alive', ...(isOffer(request) ? offer : [])];
  const { host, port, protocol, hostname: bracketed } = new URL(origin);
  const hostname = bracketed.replace(/^\[|\]$/g, '');
  const sent = begin({
    ...{ host: hostname, method, path, maxHeaderSize: headerLimit },
    createConnection: (_options, done) => {
      connect({ host, hostname, protocol, port }, (...[error, socket]) => done(error, socket as Duplex));
      return undefined;
    },
    // Some clients write the length before the type.
    headers: ['Host', host, ...length, ...own.flat(), ...connection],
  });
  // Any number.
  sent.maxHeadersCount = 0;
  const steering = { abort: (reason: Error) => sent.destroy(reason), pause: () => {}, resume: () => {} };
  const controller = steering as unknown as Dispatcher.DispatchController;
  const fail = (error: Error): void => handler.onResponseError?.(controller, error);
  handler.onRequestStart?.(controller, undefined);
  sent.on('response', (response) => {
    const { statusCode = 0, rawHeaders } = response;
    Object.assign(steering, { rawHeaders, pause: () => response.pause(), resume: () => response.resume() });
    handler.onResponseStart?.(controller, statusCode, {});
    response.on('data', (chunk: Buffer) => handler.onResponseData?.(controller, chunk));
    response.on('end', () => {
      handler.onResponseEnd?.(controller, {});
      sent.destroy();
    });
    response.on('error', fail);
  });
  sent.on('upgrade', (_response, socket) => {
    sent.off('error', fail).on('error', () => undefined);
    socket.destroy();
    instead();
  });
  sent.on('error', fail);
  if (parts instanceof Readable) parts.pipe(sent);
  else sent.end(body);
}
