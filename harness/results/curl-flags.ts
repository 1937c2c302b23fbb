import { quote } from './curl-line.ts';

/** How connections to a target are made, as far as a command line may say it: files, but never what is in them. */
export interface ConnectionFlags {
  readonly ca?: string | undefined;
  readonly clientCert?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly insecure?: boolean | undefined;
  readonly unixSocket?: string | undefined;
  readonly http2?: boolean | undefined;
  /** The environment variable that names the proxy. */
  readonly proxyVariable?: string | undefined;
}

/** Flags with which curl makes the same connections; a proxy stands as its variable, which may hold credentials. */
export function curlFlags(flags: ConnectionFlags): readonly string[] {
  const { ca, clientCert, clientKey, insecure, unixSocket, http2, proxyVariable } = flags;
  return [
    ...(unixSocket === undefined ? [] : ['--unix-socket', quote(unixSocket)]),
    // Without a tunnel the proxy would see the requests to http: targets, and might rewrite them.
    ...(proxyVariable === undefined ? [] : ['--proxytunnel', '--proxy', `"$${proxyVariable}"`]),
    ...(ca === undefined ? [] : ['--cacert', quote(ca)]),
    ...(clientCert === undefined ? [] : ['--cert', quote(clientCert)]),
    ...(clientKey === undefined ? [] : ['--key', quote(clientKey)]),
    ...(insecure === true ? ['--insecure'] : []),
    ...(http2 === true ? ['--http2'] : []),
  ];
}
