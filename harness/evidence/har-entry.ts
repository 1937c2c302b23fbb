import { defined } from '../defined.ts';
import type { Exchange, Failure, HeaderList, RecordedBody, RecordedRequest } from '../model/exchange.ts';
import type { Count, Instant, Integer, Milliseconds, Text } from '../model/formats.ts';

/** A name and a value as HAR writes headers and queries. */
interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** An exchange in a HAR 1.2 log; members that HAR does not define begin with an underscore. */
export interface HarEntry {
  /** When the request was sent. */
  readonly startedDateTime: Instant;
  /** Milliseconds to the end of the answer, a year at the most. @minimum 0 @maximum 31536000000 */
  readonly time: number;
  readonly _exchange: Omit<Exchange, 'request' | 'response' | 'failure' | 'startedAt' | 'durationMs'>;
  readonly request: {
    readonly method: Text;
    /** Origin and path, as a valid URL. */
    readonly url: Text;
    /** The path as sent, if a URL may not contain it. */
    readonly _path?: string;
    readonly httpVersion: HttpVersion;
    readonly cookies: Nothing;
    readonly headers: readonly NamedValue[];
    readonly queryString: readonly NamedValue[];
    readonly postData?: {
      readonly mimeType: string;
      readonly text: string;
      readonly _encoding: RecordedBody['encoding'];
      readonly _truncated: boolean;
      readonly _json: RecordedBody['json'];
    };
    readonly headersSize: -1;
    /** Size of the whole body in bytes. */
    readonly bodySize: Count;
    readonly _credential: RecordedRequest['credential'];
    readonly _values: RecordedRequest['values'];
    readonly _connection: RecordedRequest['connection'];
  };
  readonly response: {
    /** 0 where no answer came. @minimum 0 @maximum 999 */
    readonly status: Integer;
    readonly statusText: string;
    readonly httpVersion: HttpVersion;
    readonly cookies: Nothing;
    readonly headers: readonly NamedValue[];
    readonly content: {
      /** Size of the whole body in bytes, decoded. */
      readonly size: Count;
      readonly mimeType: string;
      readonly text?: string;
      readonly encoding?: 'base64';
      readonly _truncated?: boolean;
      /** Absent where no answer came. */
      readonly _json?: RecordedBody['json'];
    };
    /** The Location header, if any. */
    readonly redirectURL: string;
    readonly headersSize: -1;
    readonly bodySize: -1;
  };
  readonly _failure?: Failure;
  /** Nothing is cached. @maxProperties 0 */
  readonly cache: Readonly<Record<string, unknown>>;
  readonly timings: { readonly send: 0; readonly wait: Milliseconds; readonly receive: 0 };
}

type HttpVersion = 'HTTP/1.1' | 'HTTP/2';

/** Always empty: cookies are among the headers. @maxItems 0 */
type Nothing = readonly unknown[];

/** The entry of an exchange with a service at `origin`: nothing of the exchange is lost. */
export function entryOf(exchange: Exchange, origin: string): HarEntry {
  const { request, response, failure, startedAt, durationMs, ...about } = exchange;
  const { id, operation, role, label, step, row, neutral, attempt, blockedInFront } = about;
  const { method, path, headers, credential, values, connection, protocol, body } = request;
  const shown = asUriPath(path);
  const httpVersion = protocol ?? 'HTTP/1.1';
  const answered = response?.headers ?? [];
  return {
    startedDateTime: startedAt,
    time: durationMs,
    _exchange: {
      ...{ id, operation, case: about.case, role, label },
      ...defined({ step, row, neutral }),
      attempt,
      ...defined({ blockedInFront }),
    },
    request: {
      method,
      url: origin + shown,
      // The path as sent, if a URL may not contain it.
      ...(shown === path ? {} : { _path: path }),
      httpVersion,
      cookies: [],
      headers: named(headers),
      queryString: queryOf(shown),
      ...(body && {
        postData: {
          mimeType: mediaTypeOf(headers),
          text: body.text,
          _encoding: body.encoding,
          _truncated: body.truncated,
          _json: body.json,
        },
      }),
      headersSize: -1,
      bodySize: body?.bytes ?? 0,
      _credential: credential,
      _values: values,
      _connection: connection,
    },
    response: {
      // As browsers write it without a response.
      status: response?.status ?? 0,
      statusText: '',
      httpVersion,
      cookies: [],
      headers: named(answered),
      content: contentOf(response),
      redirectURL: answered.find(([name]) => name === 'location')?.[1] ?? '',
      headersSize: -1,
      bodySize: -1,
    },
    ...defined({ _failure: failure }),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  };
}

function contentOf(response: Exchange['response']): HarEntry['response']['content'] {
  if (response === undefined) return { size: 0, mimeType: '' };
  const { bytes, text, encoding, truncated, json } = response.body;
  return {
    size: bytes,
    mimeType: mediaTypeOf(response.headers),
    text,
    ...(encoding === 'base64' ? { encoding } : {}),
    _truncated: truncated,
    _json: json,
  };
}

/** The exchange that an entry was made of; the entry must be of the right form, and its URL begin with `origin`. */
export function exchangeOf(entry: unknown, origin: string): Exchange {
  const { _exchange: about, request, response, _failure: failure, startedDateTime, time } = entry as HarEntry;
  const { postData, _path: path = request.url.slice(origin.length) } = request;
  const { content } = response;
  return {
    ...about,
    request: {
      method: request.method,
      path,
      headers: listed(request.headers),
      credential: request._credential,
      values: request._values,
      ...(postData && {
        body: {
          text: postData.text,
          encoding: postData._encoding,
          bytes: request.bodySize,
          truncated: postData._truncated,
          json: postData._json,
        },
      }),
      connection: request._connection,
      ...(request.httpVersion === 'HTTP/2' ? { protocol: 'HTTP/2' as const } : {}),
    },
    ...(content._json && {
      response: {
        status: response.status,
        headers: listed(response.headers),
        body: {
          text: content.text ?? '',
          encoding: content.encoding ?? ('utf-8' as const),
          bytes: content.size,
          truncated: content._truncated ?? false,
          json: content._json,
        },
      },
    }),
    ...defined({ failure }),
    startedAt: startedDateTime,
    durationMs: time,
  };
}

function named(headers: HeaderList): readonly NamedValue[] {
  return headers.map(([name, value]) => ({ name, value }));
}

function listed(headers: readonly NamedValue[]): HeaderList {
  return headers.map(({ name, value }) => [name, value] as const);
}

function mediaTypeOf(headers: HeaderList): string {
  return headers.find(([name]) => name === 'content-type')?.[1] ?? '';
}

/** HAR requires a valid URL; a request as sent need not have one. */
function asUriPath(path: string): string {
  return path
    .replace(/%(?![0-9a-f]{2})/gi, '%25')
    .replace(/[^\w.~!$&'()*+,;=:@/?%-]/gu, (character) =>
      encodeURIComponent(Buffer.from(character).toString()),
    );
}

function queryOf(path: string): readonly NamedValue[] {
  const start = path.indexOf('?');
  if (start < 0) return [];
  return path
    .slice(start + 1)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return { name, value: value.join('=') };
    });
}
