import type { Count, Instant, Integer, Milliseconds, Ordinal, Text } from './formats.ts';

/** Why a request was sent: which part it plays in its case. */
export type ExchangeRole =
  /** Reaches the target and finds values before any case runs. */
  | 'preflight'
  /** Brings about what the case needs, such as a fresh session. */
  | 'setup'
  /** The unchanged valid request. */
  | 'control'
  /** The request with one thing changed. */
  | 'probe'
  /** Shows something about the target that the evaluation needs, such as that a key is accepted elsewhere. */
  | 'witness'
  /** One of many at once, sent only to see the target throttle. */
  | 'provocation'
  /** A smaller form of a probe that was answered wrongly, sent to find the smallest that is. */
  | 'reduction'
  /** Undoes what the harness made. */
  | 'cleanup';

/** The kind of credential a request carried; the value itself is never recorded. */
export type CredentialKind = 'none' | 'scoped' | 'unscoped' | 'invalid';

/** The record of a credential. */
export interface RecordedCredential {
  readonly kind: CredentialKind;
  /** Its description, such as `unknown key` or `key without catalog:read`. */
  readonly description: string;
  /** Twelve hexadecimal digits of an HMAC under a key that lives for one run only; absent for `none`. @pattern ^[0-9a-f]{12}$ */
  readonly fingerprint?: string;
}

/** Where a value in a request came from. */
export type ValueSource = 'target-file' | 'discovered' | 'captured' | 'generated';

/** A path parameter as it was used. */
export interface UsedValue {
  /** The value before percent-encoding. */
  readonly value: string;
  readonly source: ValueSource;
}

/** A body as sent or received: decoded from its content coding, bounded, with secrets replaced. */
export interface RecordedBody {
  /** UTF-8 text, or base64 of the bytes where they are not UTF-8. */
  readonly text: string;
  /** How `text` holds the bytes. */
  readonly encoding: 'utf-8' | 'base64';
  /** Size in bytes of the whole body, also where `text` holds only its beginning. */
  readonly bytes: Count;
  /** `text` holds only the beginning. */
  readonly truncated: boolean;
  /** The JSON type of the whole body. */
  readonly json: JsonKind;
}

/** Type of a JSON text's top value; `malformed` where it is not JSON in UTF-8, `empty` for no bytes at all. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' | 'malformed' | 'empty';

/** Names as sent, in order; a repeated header occurs repeatedly. */
export type HeaderList = ReadonlyArray<readonly [name: string, value: string]>;

/** Why a request got no complete answer. */
export type FailureKind =
  | 'name-not-found'
  | 'refused'
  /** The proxy on the way to the target: nothing is known of the target itself. */
  | 'proxy'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'malformed-response'
  | 'too-large'
  | 'interrupted'
  /** The harness left before the answer, as clients do that are closed or that lose their connection. */
  | 'abandoned';

/** Why a request got no complete answer. */
export interface Failure {
  readonly kind: FailureKind;
  /** The failure in words. */
  readonly message: string;
}

/** What was sent. */
export interface RecordedRequest {
  readonly method: Text;
  /** Path exactly as on the wire, prefix of the base URL included. */
  readonly path: string;
  readonly headers: HeaderList;
  readonly credential: RecordedCredential;
  /** Path parameters by name. */
  readonly values: Readonly<Record<string, UsedValue>>;
  readonly body?: RecordedBody;
  /** `shared` pool, a `fresh` connection, or `reused`: one that has carried an authenticated request before. */
  readonly connection: 'shared' | 'fresh' | 'reused';
  /** Absent for HTTP/1.1. */
  readonly protocol?: 'HTTP/2';
}

/** What came back. */
export interface RecordedResponse {
  /** @minimum 0 @maximum 999 */
  readonly status: Integer;
  readonly headers: HeaderList;
  readonly body: RecordedBody;
}

/**
 * The values of a call by factor, such as `{ body: 'truncated' }`, a list where a call joins several of one factor. A factor
 * that is left out has the value of a valid call.
 */
export type Row = Readonly<Record<string, string | readonly string[]>>;

/** One request and its answer, or the reason why there is none. Holds no secret. */
export interface Exchange {
  /** Unique in the run: operation, check, attempt and a number. */
  readonly id: Text;
  /** The operation that was addressed. */
  readonly operation: Text;
  /** The case that sent it, `check` being an id such as `auth/invalid-key-is-refused`. */
  readonly case: { readonly check: Text; readonly operation: Text };
  readonly role: ExchangeRole;
  /** The role of this request in its case, such as `near miss: last character cut`. */
  readonly label: string;
  /** Name of the step of the check's probe that sent it; absent for set-up and for checks without steps. */
  readonly step?: Text;
  /** The variations of the call; absent for a valid call. */
  readonly row?: Row;
  /** Names of the riders: headers, or `query` for a query parameter; absent if there were none. @minItems 1 */
  readonly neutral?: readonly string[];
  /** Counts the repetitions of the case from 1. */
  readonly attempt: Ordinal;
  readonly request: RecordedRequest;
  readonly response?: RecordedResponse;
  readonly failure?: Failure;
  /** A firewall in front answered it; the run detected the firewall before its first case. */
  readonly blockedInFront?: true;
  readonly startedAt: Instant;
  /** Time to the end of the answer. */
  readonly durationMs: Milliseconds;
}

/** Another form of the same request on the wire; over HTTP/2, which has neither names in capitals nor packets, it goes out as usual. */
export type WireForm =
  | 'names in capitals'
  /** The names of headers as most texts write them, such as `Content-Type`. */
  | 'names as usual'
  | 'body in two packets'
  | 'client leaves'
  | 'offer of HTTP/2'
  /** In a head that two packets hold. */
  | 'head in two packets'
  /** Blanks behind the values of the headers. */
  | 'blanks behind values'
  /** The name of the host in capitals, where it is a name. */
  | 'host in capitals'
  /** The whole address in the request line, as clients send it to a proxy. */
  | 'whole address'
  /** In HTTP/1.0; where the server refuses that, as usual. */
  | 'old HTTP'
  /** The body waits for a 100, or a second. */
  | 'expectation';
