import tls, { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import type { ConnectionOptions } from './connection-options.ts';
import { tunnelThrough } from './proxy-tunnel.ts';

/** Makes connections to the target, TLS included, by the way that the options name; `allowHttp2` offers both protocols. */
export function connectorOf(
  options: ConnectionOptions,
  { allowHttp2 }: { readonly allowHttp2: boolean },
): buildConnector.connector {
  const { timeoutMs, proxy, unixSocket, insecure, ca, clientCert, clientKey } = options;
  const connect = buildConnector({
    timeout: timeoutMs,
    allowH2: allowHttp2,
    // A fresh connection shares nothing with an earlier one.
    maxCachedSessions: 0,
    ...(unixSocket === undefined ? {} : { socketPath: unixSocket }),
    ...(insecure === true ? { rejectUnauthorized: false } : {}),
    ...secureContextOf({ ca, clientCert, clientKey }),
  });
  if (proxy === undefined || unixSocket !== undefined) return connect;
  // The proxy is no part of what is judged: it gets neither the client certificate nor leave to show any certificate.
  const open = tunnelThrough(proxy, { timeoutMs, ...secureContextOf({ ca }) });
  return (target, callback) => {
    const port = target.port || (target.protocol === 'https:' ? '443' : '80');
    open(target.port === '' ? `${target.host}:${port}` : (target.host ?? `${target.hostname}:${port}`)).then(
      (socket) => {
        if (target.protocol !== 'https:') callback(null, socket);
        else connect({ ...target, httpSocket: socket }, callback);
      },
      (error: Error) => callback(error, null),
    );
  };
}

interface Certificates {
  readonly ca?: string | undefined;
  readonly clientCert?: string | undefined;
  readonly clientKey?: string | undefined;
}

const contexts = new Map<string, SecureContext>();

/** One context for all connections with the same certificates, because reading the authorities takes a while. */
function secureContextOf({ ca, clientCert, clientKey }: Certificates): {
  readonly secureContext?: SecureContext;
} {
  if (ca === undefined && clientCert === undefined && clientKey === undefined) return {};
  const name = JSON.stringify([ca, clientCert, clientKey]);
  const secureContext =
    contexts.get(name) ??
    createSecureContext({
      ...(ca === undefined ? {} : { ca: [...usualAuthorities(), ca] }),
      ...(clientCert === undefined ? {} : { cert: clientCert }),
      ...(clientKey === undefined ? {} : { key: clientKey }),
    });
  contexts.set(name, secureContext);
  return { secureContext };
}

/** Since node 22.15 those of NODE_EXTRA_CA_CERTS are among them. */
function usualAuthorities(): readonly string[] {
  const { getCACertificates } = tls as { readonly getCACertificates?: () => readonly string[] };
  return getCACertificates?.() ?? rootCertificates;
}
