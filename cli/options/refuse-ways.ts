import { stat } from 'node:fs/promises';
import { baseUrlParts } from '../../harness/base-url-parts.ts';
import { UsageError } from '../../harness/usage-error.ts';

/** Options with which a target file could lead requests past the host that it names. */
const detours = ['unixSocket', 'insecure', 'ca'] as const;

/**
 * Refuses a target at a host that `--allow-host` does not list, so that keys and headers go to no other. A target file
 * also may not redirect its connections, or name an OpenAPI document elsewhere.
 */
export function refuseOtherHosts(
  allowed: readonly string[] | undefined,
  baseUrl: string,
  fromFile: Readonly<Record<string, unknown>>,
): void {
  if (allowed === undefined) return;
  if (!allowed.some((host) => isAllowed(host, baseUrl)))
    throw new UsageError({
      where: '--allow-host',
      what: `${new URL(baseUrl).origin} is not among the allowed hosts`,
      why: `allowed: ${allowed.join(', ')}; without http:// in front, only https`,
      remedy: 'check who changed the base URL, or allow this host too',
    });
  for (const name of detours) {
    if (fromFile[name] === undefined || fromFile[name] === false) continue;
    throw new UsageError({
      where: '--allow-host',
      what: `the target file sets options.${name}`,
      why: 'it could send requests to a host that is not allowed',
      remedy: 'pass it as a flag, and remove it from the file',
    });
  }
  const { spec } = fromFile;
  if (typeof spec === 'string' && /^https?:/i.test(spec) && !allowed.some((host) => isAllowed(host, spec)))
    throw new UsageError({
      where: '--allow-host',
      what: 'the target file names an OpenAPI document at a host that is not allowed',
      remedy: 'pass it with --spec, or allow this host too',
    });
}

/** Whether a URL is at an allowed host: `example.com`, `example.com:8443`, `*.example.com` or `http://localhost:8080`. */
function isAllowed(host: string, url: string): boolean {
  const [, scheme = 'https', pattern = '', port] =
    /^(?:(https?):\/\/)?(.+?)(?::(\d+))?\/?$/i.exec(host.toLowerCase()) ?? [];
  const parts = baseUrlParts(url);
  const isNamed = pattern.startsWith('*.')
    ? parts.hostname.endsWith(pattern.slice(1))
    : parts.hostname === pattern;
  return parts.scheme === scheme && isNamed && parts.port === (port ?? (scheme === 'https' ? '443' : '80'));
}

/** Refuses ways to a target that cannot lead there, before anything is sent. */
export async function refuseUnconnectable(
  baseUrl: string,
  embedded: boolean,
  { unixSocket, http2 }: { readonly unixSocket?: string; readonly http2?: boolean },
): Promise<void> {
  if (http2 === true && !baseUrl.startsWith('https:')) {
    throw new UsageError({
      where: '--http2',
      what: `${baseUrl} is not an https: URL`,
      why: 'HTTP/2 is negotiated in the TLS handshake',
      remedy: 'leave it out, or name the https: address of the service',
    });
  }
  if (unixSocket === undefined) return;
  if (embedded) {
    throw new UsageError({
      where: '--unix-socket',
      what: 'no base URL is given',
      why: 'it sets the host and path prefix that the requests name',
      remedy: 'add --base-url http://localhost, or a target file with baseUrl',
    });
  }
  const found = await stat(unixSocket).catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new UsageError({
      where: '--unix-socket',
      what: code === 'ENOENT' ? `there is no socket ${unixSocket}` : `${unixSocket} cannot be accessed`,
      ...(code !== 'ENOENT' && { why: message }),
      remedy: 'start the service first, and name the socket that it listens on',
    });
  });
  if (found.isSocket()) return;
  throw new UsageError({
    where: '--unix-socket',
    what: `${unixSocket} is not a socket`,
    remedy: 'name the socket that the service listens on',
  });
}
