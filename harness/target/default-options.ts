import { optionTable } from '../../spec/options.ts';
import type { RunOptions } from '../model/run-options.ts';
import type { Profile } from '../sampling/profile.ts';

export const defaultOptions: RunOptions = {
  profile: optionTable.profile.default,
  seed: optionTable.seed.default,
  concurrency: optionTable.concurrency.default,
  rate: undefined,
  timeoutMs: optionTable.timeout.default,
  // Above `usualLimit` of the profile standard without custom checks, for runs that no command starts.
  maxRequests: 5_000,
  fuzzRuns: optionTable.fuzzRuns.default,
  operations: [],
  checks: [],
  readOnly: false,
  strict: false,
  userAgent: undefined,
  certify: false,
  provokeRateLimit: false,
  curlFlags: [],
  proxy: undefined,
  unixSocket: undefined,
  http2: false,
  ca: undefined,
  clientCert: undefined,
  clientKey: undefined,
  insecure: false,
  patienceMs: 61_000,
  shard: undefined,
};

/** Random inputs at each place, unless the user asks for another number. */
export const fuzzRunsOf: Readonly<Record<Profile, number>> = {
  quick: 0,
  standard: defaultOptions.fuzzRuns,
  deep: 2_000,
};

/** Default requests per second off loopback, which no service notices. */
export const politeRate = 25;
