import type { Protocol } from '../../harness/http/connections.ts';
import { proxyName } from '../../harness/http/proxy-name.ts';
import type { TargetConnection } from '../../harness/model/report.ts';
import type { Settings } from './target-flags.ts';

/** By which way the target is reached, as the report says it; undefined for a plain connection. */
export function connectionOf(
  { proxy, options: { unixSocket } }: Pick<Settings, 'proxy' | 'options'>,
  protocol: Protocol | undefined,
): TargetConnection | undefined {
  if (proxy === undefined && unixSocket === undefined && protocol !== 'HTTP/2') return undefined;
  return {
    ...(proxy && { proxy: { host: proxyName(proxy.url), variable: proxy.variable } }),
    ...(unixSocket === undefined ? {} : { unixSocket }),
    ...(protocol === 'HTTP/2' ? { protocol } : {}),
  };
}

/** The target and the way to it, for a line in the terminal. */
export function describeTarget({ target, embedded, proxy, options: { unixSocket } }: Settings): string {
  return [
    target.baseUrl,
    embedded ? ' (embedded reference service)' : '',
    unixSocket === undefined ? '' : ` on the socket ${unixSocket}`,
    proxy === undefined ? '' : ` through the proxy ${proxyName(proxy.url)} (${proxy.variable})`,
  ].join('');
}
