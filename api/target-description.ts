import type { Profile } from '../harness/sampling/profile.ts';

/** A JSON value in a target description. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** What a run may do: the options of a target file, without those that say what the command writes. */
export interface ConformanceSettings {
  /** File or URL of the platform's own OpenAPI document. */
  readonly spec?: string;
  readonly profile?: Profile;
  readonly seed?: number;
  /** Random values for each path parameter and each body. */
  readonly fuzzRuns?: number;
  readonly maxRequests?: number;
  /** The most requests per second. */
  readonly rate?: number;
  /** The most requests under way at once. */
  readonly concurrency?: number;
  /** Milliseconds after which a request is given up. */
  readonly timeout?: number;
  /** Globs of operationIds. */
  readonly operation?: string | readonly string[];
  /** Globs of check or requirement ids. */
  readonly check?: string | readonly string[];
  /** Sends no POST. */
  readonly readOnly?: boolean;
  readonly provokeRateLimit?: boolean;
  /** A violated `should` fails too. */
  readonly strict?: boolean;
  /** Sent as User-Agent instead of the name of the harness. */
  readonly userAgent?: string;
  /** Whether deviations of the supplied OpenAPI document fail the run; `fail` if absent. */
  readonly specFindings?: 'fail' | 'warn';
  /** Whether the exit code is 3 where a must case was not tested. */
  readonly failIncomplete?: boolean;
  /** File of accepted findings. */
  readonly baseline?: string;
  /** PEM file. */
  readonly ca?: string;
  /** PEM file. */
  readonly clientCert?: string;
  /** PEM file. */
  readonly clientKey?: string;
  readonly insecure?: boolean;
  /** Path of the socket that is connected to, whatever host the base URL names. */
  readonly unixSocket?: string;
  /** Asks for HTTP/2 first. */
  readonly http2?: boolean;
}

/** What stands in a target file, as an object: `spec/target.schema.json` in TypeScript. */
export interface TargetDescription {
  readonly baseUrl: string;
  /** How a key is written in the Authorization header, `{key}` standing for it. */
  readonly authorization?: string;
  readonly keys?: { readonly scoped?: string; readonly unscoped?: string };
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Values that exist on the target, for all operations by name or for one by its operationId. */
  readonly parameters?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  /** Query parameters by operationId, sent with every call of the operation. */
  readonly query?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Valid request bodies by operationId. */
  readonly bodies?: Readonly<Record<string, JsonValue>>;
  /** Where an answer holds what a later call needs: a JSON Pointer into the answer of a create, or into another's. */
  readonly captures?: Readonly<Record<string, string | { readonly from: string; readonly pointer: string }>>;
  /** Classes of values that are not to be sent. */
  readonly exclude?: ReadonlyArray<{
    readonly class: string;
    readonly parameter?: string;
    readonly operation?: string;
    readonly reason: string;
  }>;
  /** Values of one's own that each run sends: see `values` in the guide to target files. */
  readonly values?: ReadonlyArray<{
    /** A path parameter by name, `query`, `header` or `body`. */
    readonly in: string;
    readonly value: JsonValue;
    readonly operation?: string;
  }>;
  /** Folder with checks of one's own. */
  readonly checks?: string;
  readonly options?: ConformanceSettings;
}
