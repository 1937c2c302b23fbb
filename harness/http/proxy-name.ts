/** What of a proxy's URL may be shown: scheme, host and port. */
export function proxyName(proxy: string): string {
  return new URL(proxy).origin;
}
