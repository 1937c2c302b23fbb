/** The parts of a base URL that has been checked. */
export interface BaseUrlParts {
  readonly origin: string;
  readonly scheme: 'http' | 'https';
  readonly hostname: string;
  /** The explicit port, or that of the scheme. */
  readonly port: string;
  /** The path prefix without a slash at its end; empty for none. */
  readonly basePath: string;
}

export function baseUrlParts(baseUrl: string): BaseUrlParts {
  const { origin, protocol, hostname, port, pathname } = new URL(baseUrl);
  const scheme = protocol === 'https:' ? 'https' : 'http';
  return {
    origin,
    scheme,
    hostname,
    port: port || (scheme === 'https' ? '443' : '80'),
    basePath: pathname.replace(/\/$/, ''),
  };
}
