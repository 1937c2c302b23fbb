import { request as begin, type IncomingMessage } from 'node:http';
import type { OutgoingRequest } from './http-client.ts';

/** The settings of HTTP/2 in which a client changes nothing. */
const noSettings = 'AAMAAABkAAQAoAAAAAIAAAAA';
const offer = ['Connection', 'Upgrade, HTTP2-Settings', 'Upgrade', 'h2c', 'HTTP2-Settings', noSettings];

/**
 * Sends a request with an offer to go on in HTTP/2, as Java's client does with its first one to a plain `http` origin. Gives
 * undefined where the server takes the offer: the answer then comes in frames.
 */
export function offerHttp2(
  origin: string,
  { method, path, headers, body }: OutgoingRequest,
  signal: AbortSignal,
): Promise<IncomingMessage | undefined> {
  const length = body === undefined ? [] : ['Content-Length', String(body.length)];
  const own = headers.filter(([name]) => name !== 'connection' && name !== 'transfer-encoding');
  const { host, hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = begin({
      ...{ host: hostname.replace(/^\[|\]$/g, ''), port: port || 80, method, path, signal, agent: false },
      headers: ['Host', host, ...own.flat(), ...length, ...offer],
    });
    sent.on('response', resolve);
    sent.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve(undefined);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
