/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A value that only an earlier answer holds: where it is taken from, afresh for each use. */
export interface Capture {
  /** operationId of the call whose 200 body holds it. */
  readonly from: string;
  /** RFC 6901 JSON Pointer into that body. */
  readonly pointer: string;
}

/** Values that fuzzing leaves out, because the target is known not to bear them. */
export interface Exclusion {
  /** Name of the class of values. */
  readonly class: string;
  /** Only in this path parameter, or only in `query` or `body`; everywhere where absent. */
  readonly parameter?: string;
  /** Only for this operationId; for all where absent. */
  readonly operation?: string;
  /** Printed in the report, so that the gap is seen. */
  readonly reason: string;
}

/** A value of the user's own that each run sends, such as one that once broke the service. */
export interface OwnValue {
  /** The part of the request: a path parameter by name, `query`, `header` or `body`. */
  readonly in: string;
  /** A path value before encoding, `name=value` of a query as it is sent, `Name: value` of a header, or a JSON body. */
  readonly value: Json;
  /** Only for this operationId; for all that it fits where absent. */
  readonly operation?: string;
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
