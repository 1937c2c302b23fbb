import type { Text } from './formats.ts';

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A value that only an earlier answer holds: where it is taken from, afresh for each use. */
export interface Capture {
  /** operationId of the call whose 200 body holds it. */
  readonly from: string;
  /** RFC 6901 JSON Pointer into that body. */
  readonly pointer: string;
}

/** One class of values, in one parameter or operation or in all. */
export interface Exclusion {
  /** Name of the class of values. */
  readonly class: Text;
  /** Only in this path parameter, in the query or in the body; everywhere if absent. */
  readonly parameter?: Text;
  /** Only for this operationId. */
  readonly operation?: Text;
  /** Why the target cannot be sent these values. */
  readonly reason: Text;
}

/** One value, at one operation or at all that it fits. */
export interface OwnValue {
  /** The part of the request: a path parameter by name, query, header or body. */
  readonly in: Text;
  /** A path value before encoding, a query as it is sent, a header as Name: value, or a JSON body. */
  readonly value: Json;
  /** Only for this operationId. */
  readonly operation?: Text;
}

/** The implementation under test, as its user describes it; only the base URL is required. */
export interface Target {
  /** Origin and path prefix without a trailing slash. @format uri */
  readonly baseUrl: string;
  /** How a key is written in the Authorization header, `{key}` standing for it. */
  readonly authorization: string;
  readonly keys: {
    /** Holds catalog:read. */
    readonly scoped?: string;
    /** Valid, without catalog:read. */
    readonly unscoped?: string;
  };
  /** Values that exist on the target: for all operations by parameter name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The same for one operation, by operationId and parameter name. */
  readonly operationParameters: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Query parameters by operationId and name, sent with every call of the operation. */
  readonly query?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Valid request bodies by operationId; `{name}` inside a string is a captured value. */
  readonly bodies: Readonly<Record<string, Json>>;
  readonly captures: Readonly<Record<string, Capture>>;
  /** Sent with every request, for gateways in front of a staging environment. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  /** Names, in lower case, of those whose values the target file reads from the environment. */
  readonly headersFromEnvironment?: readonly string[];
  readonly exclusions: readonly Exclusion[];
  readonly values?: readonly OwnValue[];
  /** Absolute path of a folder with checks of the user. */
  readonly customChecks?: string;
  /** Run options as the target file sets them, by the names of the flags in camelCase. */
  readonly options: Readonly<Record<string, Json>>;
}
