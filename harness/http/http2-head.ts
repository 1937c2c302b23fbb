import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import { errors } from 'undici';

/** The head of a request as HTTP/2 writes it; throws for what undici would not send over HTTP/1.1 either. */
export function requestHead(
  method: string,
  path: string,
  headers: readonly string[],
  body: Buffer | undefined,
  origin: URL,
): OutgoingHttpHeaders {
  // The bounds that undici sets for HTTP/1.1.
  if (/[^\u0021-\u00ff]/.test(path)) throw unsendable('the path cannot be sent');
  const head: Record<string, string | string[]> = {
    [constants.HTTP2_HEADER_METHOD]: method,
    [constants.HTTP2_HEADER_SCHEME]: origin.protocol.slice(0, -1),
    [constants.HTTP2_HEADER_AUTHORITY]: origin.host,
    [constants.HTTP2_HEADER_PATH]: path,
  };
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index]?.toLowerCase() ?? '';
    const value = headers[index + 1] ?? '';
    if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value)) throw unsendable(`the header ${name} cannot be sent`);
    if (name === 'host') {
      head[constants.HTTP2_HEADER_AUTHORITY] = value;
      continue;
    }
    const before = head[name];
    head[name] = before === undefined ? value : [before, value].flat();
  }
  if (body !== undefined || method === 'POST') head['content-length'] = String(body?.length ?? 0);
  return head;
}

/** Names and values of an answer as they came, without the pseudo-headers. */
export function answerHeaders(headers: IncomingHttpHeaders, raw: readonly string[] | undefined): Buffer[] {
  const list =
    raw ??
    Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().flatMap((one) => [name, one]));
  const buffers: Buffer[] = [];
  for (let index = 0; index + 1 < list.length; index += 2) {
    const [name = '', value = ''] = list.slice(index, index + 2);
    if (!name.startsWith(':')) buffers.push(Buffer.from(name, 'latin1'), Buffer.from(value, 'latin1'));
  }
  return buffers;
}

/** An error that says that a request cannot be sent at all. */
export function unsendable(message: string): Error {
  return new errors.InvalidArgumentError(message);
}
