import { isLoopbackUrl } from './loopback-url.ts';

/** How a run reaches its target. */
export interface Reached {
  readonly baseUrl: string;
  readonly embedded: boolean;
  readonly insecure: boolean;
  readonly unixSocket: string | undefined;
  /** Origin of the proxy. */
  readonly proxy: string | undefined;
  /** Origin of the proxy that the user names. */
  readonly allowProxy: unknown;
  /** Whether a development certificate is requested. */
  readonly development: boolean;
}

/** Reasons why a target may be another service than its base URL says; a certificate needs none. */
export function targetObstacles(reached: Reached): readonly string[] {
  const { baseUrl, embedded, insecure, unixSocket, proxy, allowProxy, development } = reached;
  const isLocal = isLoopbackUrl(baseUrl);
  return [
    ...(embedded && !development ? ['the target is the embedded service'] : []),
    ...(isLocal && !embedded && !development
      ? ['the base URL is on loopback, where nobody else can reach it (a rehearsal: --development)']
      : []),
    ...(unixSocket === undefined
      ? []
      : isLocal
        ? development
          ? []
          : ['--unix-socket connects to this machine']
        : ['--unix-socket connects to this machine, and the base URL names another host']),
    ...(insecure ? ['--insecure accepts any server as the target'] : []),
    ...(proxy === undefined || proxy === allowProxy
      ? []
      : [`the proxy ${proxy} is between the harness and the target (name it: --allow-proxy ${proxy})`]),
  ];
}
