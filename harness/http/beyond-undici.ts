import { request as begin } from 'node:http';
import { Duplex, Transform } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { ConnectionFailure } from './connection-failure.ts';
import {
  asOnTheWire,
  bodyInParts,
  type ExchangeContext,
  headerLimit,
  hostOf,
  type OutgoingRequest,
  targetOf,
} from './exchange.ts';
import { answerOfUpgraded } from './http2.ts';

/** The settings of HTTP/2 in which a client only asks for no pushes. */
const noSettings = 'AAIAAAAA';
const offer = ['Upgrade', 'h2c', 'HTTP2-Settings', noSettings];

/** Whether a request offers to go on in HTTP/2. */
export function isOffer({ wire = [] }: OutgoingRequest): boolean {
  return wire.includes('offer of HTTP/2');
}

/** Whether a body comes in chunks of which there are none: undici gives it a length of nought. */
export function hasNoChunks({ headers, body }: OutgoingRequest): boolean {
  return body?.length === 0 && headers.some(([name]) => name === 'transfer-encoding');
}

/** Whether a request has a head, or a wait for leave to send its body, that undici does not write. */
export function isBeyondUndici({ wire = [] }: OutgoingRequest): boolean {
  return wire.some((form) => ['head in two packets', 'old HTTP', 'expectation'].includes(form));
}

/** Milliseconds between the packets of a head, and those for which a body waits for leave. */
const headApartMs = 200;
const leaveMs = 1_000;

/**
 * Sends what undici does not write, and tells a handler what comes back, as undici does: a body of no chunks, heads in packets
 * or in HTTP/1.0, and an offer to go on in HTTP/2, as Java's client makes with its first request to a plain `http` origin.
 * A server that takes the offer answers in frames. It may refuse HTTP/1.0: the request is then sent by `instead`.
 */
export function dispatchBeyondUndici(
  { origin, connect, mayOffer }: Pick<ExchangeContext, 'origin' | 'connect' | 'mayOffer'>,
  request: OutgoingRequest,
  handler: Dispatcher.DispatchHandler,
  instead: () => void,
): void {
  const { method, headers, body, wire = [] } = request;
  const isOffered = mayOffer && isOffer(request);
  const isOld = wire.includes('old HTTP');
  const waits = wire.includes('expectation') && body !== undefined;
  const isChunked = headers.some(([name]) => name === 'transfer-encoding');
  const length = body === undefined || isChunked ? [] : ['Content-Length', String(body.length)];
  const own = asOnTheWire(request, origin).filter(([name]) => !/^(?:connection|host)$/i.test(name));
  const given = headers.flatMap(([name, value]) => (name === 'connection' ? value : []));
  const options = isOffered ? [...given, 'Upgrade', 'HTTP2-Settings'] : given;
  const connection = isOld
    ? []
    : ['Connection', options.join(', ') || 'keep-alive', ...(isOffered ? offer : [])];
  const { host, port, protocol, hostname: bracketed } = new URL(origin);
  const hostname = bracketed.replace(/^\[|\]$/g, '');
  const expected = waits ? ['Expect', '100-continue'] : [];
  const sent = begin({
    ...{ host: hostname, method, path: targetOf(request, 'HTTP/1.1', origin), maxHeaderSize: headerLimit },
    // The strict parser takes a `Connection: close` that a gateway writes into its 100 for the end of the connection.
    ...(waits && { insecureHTTPParser: true }),
    createConnection: (_options, done) => {
      connect({ host, hostname, protocol, port }, (error, socket) => {
        const isPlain = socket === null || !(isOld || wire.includes('head in two packets'));
        done(error, (isPlain ? socket : headChanged(socket, wire)) as Duplex);
      });
      return undefined;
    },
    // Some clients write the length before the type.
    headers: ['Host', hostOf(origin, wire), ...length, ...own.flat(), ...expected, ...connection],
  });
  // Any number.
  sent.maxHeadersCount = 0;
  const steering = {
    abort: (reason: Error): void => void sent.destroy(reason),
    pause: () => {},
    resume: () => {},
  };
  const controller = steering as unknown as Dispatcher.DispatchController;
  const fail = (error: Error): void => handler.onResponseError?.(controller, error);
  const giveWay = (): void => {
    sent.off('error', refuse).on('error', () => undefined);
    sent.destroy();
    instead();
  };
  const refuse = isOld ? giveWay : fail;
  handler.onRequestStart?.(controller, undefined);
  sent.on('response', (response) => {
    const { statusCode = 0, rawHeaders } = response;
    if (isOld && statusCode !== 200) {
      giveWay();
      return;
    }
    sent.off('error', refuse).on('error', fail);
    Object.assign(steering, { rawHeaders, pause: () => response.pause(), resume: () => response.resume() });
    handler.onResponseStart?.(controller, statusCode, {});
    // Its client would find the sizes of the chunks in the body.
    if (isOld && response.headers['transfer-encoding'] !== undefined)
      return fail(new ConnectionFailure('malformed-response', 'the answer to HTTP/1.0 comes in chunks'));
    response.on('data', (chunk: Buffer) => handler.onResponseData?.(controller, chunk));
    response.on('end', () => {
      handler.onResponseEnd?.(controller, {});
      sent.destroy();
    });
    response.on('error', fail);
  });
  sent.on('upgrade', (_response, socket, first) => {
    socket.unshift(first);
    const path = targetOf(request, 'HTTP/1.1', origin);
    const upgraded = answerOfUpgraded(socket, { origin, method, path }, handler);
    steering.abort = (reason) => upgraded.abort(reason);
    steering.pause = () => upgraded.pause();
    steering.resume = () => upgraded.resume();
  });
  sent.on('error', refuse);
  const send = (): void => {
    if (sent.writableEnded || sent.destroyed) return;
    const parts = bodyInParts(request);
    if (parts === undefined) sent.end(body);
    else parts.pipe(sent);
  };
  if (!waits) {
    send();
    return;
  }
  sent.flushHeaders();
  const leave = setTimeout(send, leaveMs);
  sent.once('continue', () => {
    clearTimeout(leave);
    send();
  });
  sent.once('close', () => clearTimeout(leave));
}

/** A connection whose first head goes out in HTTP/1.0, or in two packets of which the second holds its last line break. */
function headChanged(socket: Duplex, wire: NonNullable<OutgoingRequest['wire']>): Duplex {
  let isFirst = true;
  const changed = new Transform({
    async transform(chunk: Buffer, _encoding, done) {
      if (!isFirst) return done(null, chunk);
      isFirst = false;
      const text = chunk.toString('latin1');
      const head = wire.includes('old HTTP') ? text.replace(' HTTP/1.1\r\n', ' HTTP/1.0\r\n') : text;
      const end = wire.includes('head in two packets') ? head.indexOf('\r\n\r\n') + 2 : 0;
      if (end > 0) {
        this.push(head.slice(0, end), 'latin1');
        await pause(headApartMs);
      }
      done(null, Buffer.from(head.slice(end), 'latin1'));
    },
  });
  changed.pipe(socket);
  const whole = Duplex.from({ writable: changed, readable: socket });
  whole.once('close', () => socket.destroy());
  return whole;
}
