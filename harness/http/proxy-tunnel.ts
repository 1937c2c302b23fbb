import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { Client } from 'undici';
import { ConnectionFailure } from './connection-failure.ts';
import { proxyName } from './proxy-name.ts';

/** Opens connections to `host:port` through one HTTP proxy. */
export type Tunnel = (authority: string) => Promise<Socket>;

/**
 * Tunnels by CONNECT for http: targets too: a proxy that forwards requests may rewrite paths and headers, and answer in
 * the target's place.
 */
export function tunnelThrough(
  proxy: string,
  { timeoutMs, secureContext }: { readonly timeoutMs: number; readonly secureContext?: SecureContext },
): Tunnel {
  const { origin, username, password } = new URL(proxy);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization =
    credentials === ':'
      ? {}
      : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
  const name = proxyName(proxy);
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
        throw new ConnectionFailure('proxy', `the proxy ${name} does not answer: ${reasonOf(error)}`);
      });
    const { statusCode } = opened;
    const socket = opened.socket as Socket;
    if (statusCode >= 200 && statusCode < 300) return socket;
    socket.on('error', () => undefined).destroy();
    throw new ConnectionFailure('proxy', `the proxy ${name} ${refusal(statusCode, authority)}`);
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
  return cause.name === 'TimeoutError' ? 'nothing came back in time' : String((cause as Error).message);
}
