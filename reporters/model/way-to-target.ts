import type { Report } from '../../harness/model/report.ts';

/** By which way a target was reached, to be put behind its base URL; empty for a plain connection. */
export function wayToTarget({ embedded, connection }: Report['target']): string {
  const { proxy, unixSocket, protocol } = connection ?? {};
  return [
    embedded ? ' (the embedded reference service)' : '',
    unixSocket === undefined ? '' : ` on the socket ${unixSocket}`,
    proxy === undefined ? '' : ` through the proxy ${proxy.host} (${proxy.variable})`,
    protocol === undefined ? '' : ` over ${protocol}`,
  ].join('');
}
