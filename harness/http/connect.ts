import { isIP, type Socket } from 'node:net';
import tls, { createSecureContext, rootCertificates, type SecureContext, type TLSSocket } from 'node:tls';
import { buildConnector, Client } from 'undici';
import { defined } from '../defined.ts';
import { keptAt } from '../kept-at.ts';
import type { Peers, ServerCertificate } from '../model/report.ts';
import type { RunOptions } from '../model/run-options.ts';
import { ConnectionFailure } from './connection-failure.ts';

/** How connections to the target are made. */
export type ConnectionOptions = Pick<RunOptions, 'timeoutMs'> &
  Partial<
    Pick<RunOptions, 'ca' | 'clientCert' | 'clientKey' | 'insecure' | 'proxy' | 'unixSocket' | 'http2'>
  >;

/**
 * Makes connections to the target, TLS included, by the way that the options name, and passes each to `onConnected`;
 * `allowHttp2` offers both protocols.
 */
export function connectorOf(
  options: ConnectionOptions,
  allowHttp2: boolean,
  onConnected: (socket: Socket) => void,
): buildConnector.connector {
  const connect = plainConnectorOf(options, allowHttp2);
  return (target, callback) =>
    connect(target, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      onConnected(socket);
      callback(null, socket);
    });
}

function plainConnectorOf(options: ConnectionOptions, allowHttp2: boolean): buildConnector.connector {
  const { timeoutMs, proxy, unixSocket, insecure, ca, clientCert, clientKey } = options;
  const security = {
    ...(insecure === true ? { rejectUnauthorized: false } : {}),
    ...secureContextOf({ ca, clientCert, clientKey }),
  };
  const connect = buildConnector({
    timeout: timeoutMs,
    // A fresh connection shares nothing with an earlier one.
    maxCachedSessions: 0,
    ...(unixSocket === undefined ? {} : { socketPath: unixSocket }),
    ...security,
  });
  const secure: buildConnector.connector = allowHttp2
    ? preferringHttp2(connect, timeoutMs, security)
    : connect;
  if (proxy === undefined || unixSocket !== undefined) return secure;
  // The proxy is not under test: it gets neither the client certificate nor leave to show any certificate.
  const open = tunnelThrough(proxy, { timeoutMs, ...secureContextOf({ ca }) });
  return (target, callback) => {
    const port = target.port || (target.protocol === 'https:' ? '443' : '80');
    open(target.port === '' ? `${target.host}:${port}` : (target.host ?? `${target.hostname}:${port}`)).then(
      (socket) => {
        if (target.protocol !== 'https:') callback(null, socket);
        else secure({ ...target, httpSocket: socket }, callback);
      },
      (error: Error) => callback(error, null),
    );
  };
}

/** Makes connections over TLS that name HTTP/2 first: undici names it last, and some servers follow the order of the client. */
function preferringHttp2(
  connect: buildConnector.connector,
  timeoutMs: number,
  security: tls.ConnectionOptions,
): buildConnector.connector {
  return (target, callback) => {
    if (target.protocol !== 'https:') return connect(target, callback);
    const { hostname, httpSocket } = target;
    const begin = (socket: Socket): void => {
      const secured = tls.connect({
        ...security,
        ...{ socket, host: hostname, servername: isIP(hostname) === 0 ? hostname : '' },
        ALPNProtocols: ['h2', 'http/1.1'],
      });
      const fail = (error: Error): void => callback(error, null);
      const deadline = setTimeout(
        () => secured.destroy(new ConnectionFailure('timeout', `no TLS handshake within ${timeoutMs} ms`)),
        timeoutMs,
      );
      secured
        .once('error', fail)
        .once('close', () => clearTimeout(deadline))
        .once('secureConnect', () => {
          clearTimeout(deadline);
          secured.off('error', fail);
          callback(null, secured);
        });
    };
    if (httpSocket != null) return begin(httpSocket as Socket);
    connect({ ...target, protocol: 'http:', port: target.port || '443' }, (...[error, socket]) =>
      error === null ? begin(socket) : callback(error, null),
    );
  };
}

const contexts = new Map<string, SecureContext>();

/** One context for all connections with the same certificates, because reading the authorities takes a while. */
function secureContextOf({
  ca,
  clientCert,
  clientKey,
}: Pick<ConnectionOptions, 'ca' | 'clientCert' | 'clientKey'>): { readonly secureContext?: SecureContext } {
  if (ca === undefined && clientCert === undefined && clientKey === undefined) return {};
  const name = JSON.stringify([ca, clientCert, clientKey]);
  const make = (): SecureContext =>
    createSecureContext({
      ...(ca === undefined ? {} : { ca: [...usualAuthorities(), ca] }),
      ...defined({ cert: clientCert, key: clientKey }),
    });
  return { secureContext: keptAt(contexts, name, make) };
}

/** Since node 22.15 those of NODE_EXTRA_CA_CERTS are among them. */
function usualAuthorities(): readonly string[] {
  const { getCACertificates } = tls as { readonly getCACertificates?: () => readonly string[] };
  return getCACertificates?.() ?? rootCertificates;
}

/**
 * Opens connections to `host:port` through one HTTP proxy, by CONNECT for http: targets too: a proxy that forwards requests may rewrite paths and headers, and answer in
 * the target's place.
 */
function tunnelThrough(
  proxy: string,
  { timeoutMs, secureContext }: { readonly timeoutMs: number; readonly secureContext?: SecureContext },
): (authority: string) => Promise<Socket> {
  const { origin, username, password } = new URL(proxy);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization =
    credentials === ':'
      ? {}
      : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
  return async (authority) => {
    // One client for each tunnel: its only connection becomes the tunnel.
    const client = new Client(origin, {
      headersTimeout: timeoutMs * 2,
      connect: { timeout: timeoutMs, ...(secureContext === undefined ? {} : { secureContext }) },
    });
    const opened = await client
      .connect({
        path: authority,
        headers: { host: authority, ...authorization },
        signal: AbortSignal.timeout(timeoutMs),
      })
      .catch(async (error: Error) => {
        await client.destroy();
        throw new ConnectionFailure('proxy', `the proxy ${origin} does not answer: ${reasonOf(error)}`);
      });
    const { statusCode } = opened;
    const socket = opened.socket as Socket;
    if (statusCode >= 200 && statusCode < 300) return socket;
    socket.on('error', () => undefined).destroy();
    throw new ConnectionFailure('proxy', `the proxy ${origin} ${refusal(statusCode, authority)}`);
  };
}

function refusal(status: number, authority: string): string {
  if (status === 407) return 'refuses the credentials in its URL, or asks for some (407)';
  if (status === 502 || status === 503 || status === 504)
    return `cannot reach ${authority} (it answers ${status})`;
  return `opens no tunnel to ${authority} (it answers ${status})`;
}

function reasonOf(error: Error): string {
  const cause = (error as AggregateError).errors?.[0] ?? error;
  return cause.name === 'TimeoutError' ? 'no response in time' : String((cause as Error).message);
}

const mostPeers = 20;
const longestNames = 20_000;

/** Notes whom the connections of a run reached. */
export class PeerLedger {
  readonly #addresses = new Set<string>();
  readonly #certificates = new Map<string, ServerCertificate>();

  get peers(): Peers {
    return { addresses: [...this.#addresses].sort(), certificates: [...this.#certificates.values()] };
  }

  note(socket: Socket | TLSSocket): void {
    const { remoteAddress, remotePort } = socket;
    if (remoteAddress !== undefined && this.#addresses.size < mostPeers)
      this.#addresses.add(
        `${remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`,
      );
    if (!('getPeerCertificate' in socket) || this.#certificates.size >= mostPeers) return;
    const shown = socket.getPeerCertificate();
    const { fingerprint256, subject, subjectaltname, issuer } = shown;
    if (fingerprint256 === undefined) return;
    this.#certificates.set(fingerprint256, {
      sha256: fingerprint256.replaceAll(':', '').toLowerCase(),
      names: (subjectaltname ?? `CN:${String(subject?.CN)}`).slice(0, longestNames),
      issuer: String(issuer?.O ?? issuer?.CN ?? '').slice(0, longestNames),
      validUntil: new Date(shown.valid_to).toISOString(),
    });
  }
}
