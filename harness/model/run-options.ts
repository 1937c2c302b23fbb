import type { Profile } from '../sampling/profile.ts';
import type { Count, Milliseconds, Ordinal } from './formats.ts';

/** Options of a run; flags and the target file set them. */
export interface RunOptions {
  readonly profile: Profile;
  readonly seed: Count;
  /** Requests under way at once. */
  readonly concurrency: Count;
  /** Requests per second; undefined for no limit. */
  readonly rate: number | undefined;
  /** Milliseconds until a request counts as unanswered. */
  readonly timeoutMs: Milliseconds;
  readonly maxRequests: Count;
  /** Random inputs for each path parameter and each body. */
  readonly fuzzRuns: Count;
  /** Globs of operationIds; none means all. */
  readonly operations: readonly string[];
  /** Globs of check or requirement ids; none means all. */
  readonly checks: readonly string[];
  /** Sends no POST. */
  readonly readOnly: boolean;
  /** A violated `should` fails too. */
  readonly strict: boolean;
  /** A `must` that could not be evaluated prevents the verdict conformant. */
  readonly certify: boolean;
  /** Sends bursts at the end until the target throttles. */
  readonly provokeRateLimit: boolean;
  /** Flags with which curl connects as the run does; without secrets. */
  readonly curlFlags: readonly string[];
  /** Sent as User-Agent instead of the harness's name; undefined for that. */
  readonly userAgent: string | undefined;
  /** URL of the proxy, with its credentials. */
  readonly proxy: string | undefined;
  /** Path of the socket that is connected to. */
  readonly unixSocket: string | undefined;
  /** Asks for HTTP/2 first. */
  readonly http2: boolean;
  /** PEM texts. */
  readonly ca: string | undefined;
  readonly clientCert: string | undefined;
  readonly clientKey: string | undefined;
  readonly insecure: boolean;
  /** Milliseconds of nothing but 429 after which the run stops. */
  readonly patienceMs: Milliseconds;
  /** The part that is run; the limits above are those of all parts together. */
  readonly shard: Shard | undefined;
}

/** Which of how many parts of a run is run. */
export interface Shard {
  readonly index: Ordinal;
  /** Number of parts. */
  readonly of: Ordinal;
}
