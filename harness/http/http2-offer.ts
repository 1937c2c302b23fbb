import { request as begin, type IncomingMessage } from 'node:http';
import type { ConnectionOptions } from './connect.ts';
import { ConnectionFailure, describeFailure } from './connection-failure.ts';
import { bodyLimit, Chunks, decoded, headerLimit, headerList, tooLarge } from './framing.ts';
import type { OutgoingRequest, RawAnswer } from './http-client.ts';

/** The settings of HTTP/2 in which a client changes nothing. */
const noSettings = 'AAMAAABkAAQAoAAAAAIAAAAA';
const offer = ['Upgrade', 'h2c', 'HTTP2-Settings', noSettings];

/**
 * Sends a request with an offer to go on in HTTP/2, as Java's client does with its first one to a plain `http` origin. Gives
 * undefined where that cannot be made, or where the server takes it: the answer then comes in frames.
 */
export async function sendWithOffer(
  origin: string,
  { timeoutMs, proxy, unixSocket }: ConnectionOptions,
  request: OutgoingRequest,
): Promise<RawAnswer | undefined> {
  if (proxy !== undefined || unixSocket !== undefined || !origin.startsWith('http:')) return undefined;
  const started = performance.now();
  const signal = AbortSignal.timeout(timeoutMs);
  const answer = { headers: [], body: Buffer.alloc(0), protocol: 'HTTP/1.1' as const };
  try {
    const response = await offerHttp2(origin, request, signal);
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

function offerHttp2(
  origin: string,
  { method, path, headers, body }: OutgoingRequest,
  signal: AbortSignal,
): Promise<IncomingMessage | undefined> {
  const isChunked = headers.some(([name]) => name === 'transfer-encoding');
  const length = body === undefined || isChunked ? [] : ['Content-Length', String(body.length)];
  const own = headers.filter(([name]) => name !== 'connection');
  const options = headers.flatMap(([name, value]) => (name === 'connection' ? value : []));
  const connection = ['Connection', [...options, 'Upgrade', 'HTTP2-Settings'].join(', ')];
  const { host, hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = begin({
      ...{ host: hostname.replace(/^\[|\]$/g, ''), port: port || 80, method, path, signal, agent: false },
      maxHeaderSize: headerLimit,
      headers: ['Host', host, ...own.flat(), ...length, ...connection, ...offer],
    });
    // Any number.
    sent.maxHeadersCount = 0;
    sent.on('response', resolve);
    sent.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve(undefined);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
