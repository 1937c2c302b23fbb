import { defined } from '../defined.ts';
import type { Exchange, HeaderList, RecordedBody, RecordedRequest } from '../model/exchange.ts';

/** A name and a value as HAR writes headers and queries. */
interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** One entry of a HAR 1.2 log; what HAR has no member for stands in members that begin with an underscore. */
export interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly _exchange: Pick<
    Exchange,
    'id' | 'operation' | 'case' | 'role' | 'label' | 'step' | 'row' | 'neutral' | 'attempt' | 'blockedInFront'
  >;
  readonly request: {
    readonly method: string;
    readonly url: string;
    /** The path as on the wire; present where it is not as it may stand in a URL. */
    readonly _path?: string;
    readonly httpVersion: string;
    readonly cookies: readonly never[];
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
    readonly bodySize: number;
    readonly _credential: RecordedRequest['credential'];
    readonly _values: RecordedRequest['values'];
    readonly _connection: RecordedRequest['connection'];
  };
  readonly response: {
    /** 0 where none came, as browsers write it. */
    readonly status: number;
    readonly statusText: '';
    readonly httpVersion: string;
    readonly cookies: readonly never[];
    readonly headers: readonly NamedValue[];
    readonly content: {
      readonly size: number;
      readonly mimeType: string;
      readonly text?: string;
      readonly encoding?: 'base64';
      readonly _truncated?: boolean;
      /** Absent where no answer came. */
      readonly _json?: RecordedBody['json'];
    };
    readonly redirectURL: string;
    readonly headersSize: -1;
    readonly bodySize: -1;
  };
  readonly _failure?: Exclude<Exchange['failure'], undefined>;
  readonly cache: Readonly<Record<string, never>>;
  readonly timings: { readonly send: 0; readonly wait: number; readonly receive: 0 };
}

/** The entry of an exchange with a service at `origin`; nothing of the exchange is lost in it. */
export function entryOf(exchange: Exchange, origin: string): HarEntry {
  const { id, operation, role, label, step, row, neutral, attempt, request, response, failure } = exchange;
  const { method, path, headers, credential, values, connection, protocol, body } = request;
  const shown = asUriPath(path);
  const httpVersion = protocol ?? 'HTTP/1.1';
  return {
    startedDateTime: exchange.startedAt,
    time: exchange.durationMs,
    _exchange: {
      id,
      operation,
      case: exchange.case,
      role,
      label,
      ...defined({ step, row, neutral }),
      attempt,
      ...(exchange.blockedInFront === true ? { blockedInFront: true } : {}),
    },
    request: {
      method,
      url: origin + shown,
      ...(shown === path ? {} : { _path: path }),
      httpVersion,
      cookies: [],
      headers: named(headers),
      queryString: queryOf(shown),
      ...(body === undefined
        ? {}
        : {
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
    response: responseOf(response, httpVersion),
    ...defined({ _failure: failure }),
    cache: {},
    timings: { send: 0, wait: exchange.durationMs, receive: 0 },
  };
}

function responseOf(response: Exchange['response'], httpVersion: string): HarEntry['response'] {
  const { status, headers, body } = response ?? { status: 0, headers: [], body: undefined };
  return {
    status,
    statusText: '',
    httpVersion,
    cookies: [],
    headers: named(headers),
    content:
      body === undefined
        ? { size: 0, mimeType: '' }
        : {
            size: body.bytes,
            mimeType: mediaTypeOf(headers),
            text: body.text,
            ...(body.encoding === 'base64' ? { encoding: 'base64' } : {}),
            _truncated: body.truncated,
            _json: body.json,
          },
    redirectURL: headers.find(([name]) => name === 'location')?.[1] ?? '',
    headersSize: -1,
    bodySize: -1,
  };
}

/** The exchange that an entry was made of; the entry must be of the right form, and its URL begin with `origin`. */
export function exchangeOf(entry: HarEntry, origin: string): Exchange {
  const { _exchange: about, request, response, _failure: failure } = entry;
  const { postData } = request;
  const { content } = response;
  return {
    ...about,
    request: {
      method: request.method,
      path: request._path ?? request.url.slice(origin.length),
      headers: listed(request.headers),
      credential: request._credential,
      values: request._values,
      ...(postData === undefined
        ? {}
        : {
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
    ...(content._json === undefined
      ? {}
      : {
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
    startedAt: entry.startedDateTime,
    durationMs: entry.time,
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

/** HAR wants a URL by the book; what goes over the wire need not be one. */
function asUriPath(path: string): string {
  return path
    .replace(/%(?![0-9a-f]{2})/gi, '%25')
    .replace(/[^\w.~!$&'()*+,;=:@/?%-]/gu, (character) =>
      [...Buffer.from(character)]
        .map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`)
        .join(''),
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
