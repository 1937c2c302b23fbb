import { request as begin } from 'node:http';
import type { Dispatcher } from 'undici';
import { headerLimit, type OutgoingRequest } from './exchange.ts';

/** The settings of HTTP/2 in which a client changes nothing. */
const noSettings = 'AAMAAABkAAQAoAAAAAIAAAAA';
const offer = ['Upgrade', 'h2c', 'HTTP2-Settings', noSettings];

/**
 * Sends a request with an offer to go on in HTTP/2, as Java's client does with its first one to a plain `http` origin, and
 * tells a handler what comes back, as undici does. Where the server takes the offer, the answer would come in frames: the
 * request is then sent by `instead`.
 */
export function dispatchWithOffer(
  origin: string,
  { method, path, headers, body }: OutgoingRequest,
  handler: Dispatcher.DispatchHandler,
  instead: () => void,
): void {
  const isChunked = headers.some(([name]) => name === 'transfer-encoding');
  const length = body === undefined || isChunked ? [] : ['Content-Length', String(body.length)];
  const own = headers.filter(([name]) => name !== 'connection');
  const options = headers.flatMap(([name, value]) => (name === 'connection' ? value : []));
  const connection = ['Connection', [...options, 'Upgrade', 'HTTP2-Settings'].join(', ')];
  const { host, hostname, port } = new URL(origin);
  const sent = begin({
    ...{ host: hostname.replace(/^\[|\]$/g, ''), port: port || 80, method, path, agent: false },
    maxHeaderSize: headerLimit,
    headers: ['Host', host, ...own.flat(), ...length, ...connection, ...offer],
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
    response.on('end', () => handler.onResponseEnd?.(controller, {}));
    response.on('error', fail);
  });
  sent.on('upgrade', (_response, socket) => {
    sent.off('error', fail).on('error', () => undefined);
    socket.destroy();
    instead();
  });
  sent.on('error', fail);
  sent.end(body);
}
