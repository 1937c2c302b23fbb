import { stat } from 'node:fs/promises';
import { UsageError } from '../../harness/usage-error.ts';

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
      why: 'HTTP/2 is agreed on in the TLS handshake',
      remedy: 'leave it out, or name the https: address of the service',
    });
  }
  if (unixSocket === undefined) return;
  if (embedded) {
    throw new UsageError({
      where: '--unix-socket',
      what: 'no base URL is given',
      why: 'it says which host and path prefix the requests name',
      remedy: 'add --base-url http://localhost, or a target file with baseUrl',
    });
  }
  await refuseOtherThanSocket(unixSocket);
}

async function refuseOtherThanSocket(path: string): Promise<void> {
  let isSocket: boolean;
  try {
    isSocket = (await stat(path)).isSocket();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError({
      where: '--unix-socket',
      what: code === 'ENOENT' ? `there is no socket ${path}` : `${path} cannot be looked at`,
      ...(code === 'ENOENT' ? {} : { why: message }),
      remedy: 'start the service first, and name the socket that it listens on',
    });
  }
  if (!isSocket) {
    throw new UsageError({
      where: '--unix-socket',
      what: `${path} is not a socket`,
      remedy: 'name the socket that the service listens on',
    });
  }
}
