import { baseUrlParts } from '../base-url-parts.ts';

/** Whether a base URL names the machine itself, so that nobody else can reach the same service. */
export function isLoopbackUrl(baseUrl: string): boolean {
  const { hostname } = baseUrlParts(baseUrl);
  return (
    /^(?:.+\.)?localhost\.?$/.test(hostname) ||
    /^127(?:\.\d+){3}$|^0\.0\.0\.0$/.test(hostname) ||
    /^\[(?:::1?|::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}|::ffff:0:0)\]$/.test(hostname)
  );
}
