import type { RunOptions } from '../model/run-options.ts';
import type { Profile } from '../profile.ts';

/** Options of a run that says nothing else. */
export const defaultOptions: RunOptions = {
  profile: 'standard',
  seed: 1,
  concurrency: 8,
  rate: undefined,
  timeoutMs: 10_000,
  maxRequests: 2_000,
  fuzzRuns: 5,
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

/** Limits of each profile, unless the user sets others. */
export const limitsOf: Readonly<Record<Profile, Pick<RunOptions, 'maxRequests' | 'fuzzRuns'>>> = {
  quick: { maxRequests: 600, fuzzRuns: 0 },
  standard: { maxRequests: defaultOptions.maxRequests, fuzzRuns: defaultOptions.fuzzRuns },
  deep: { maxRequests: 100_000, fuzzRuns: 2_000 },
};

/** Requests per second off loopback where the user says nothing: a guest that nobody notices. */
export const politeRate = 25;
