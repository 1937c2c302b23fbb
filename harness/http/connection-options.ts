/** How connections to the target are made. */
export interface ConnectionOptions {
  readonly timeoutMs: number;
  /** PEM text of additional certificate authorities. */
  readonly ca?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
  /** Accepts any certificate. */
  readonly insecure?: boolean;
  /** URL of the HTTP proxy that all connections go through, its credentials included. */
  readonly proxy?: string;
  /** Path of the socket that is connected to, whatever host the base URL names. */
  readonly unixSocket?: string;
  /** Asks for HTTP/2 first; else it is spoken only with a target that refuses HTTP/1.1. */
  readonly http2?: boolean;
}
