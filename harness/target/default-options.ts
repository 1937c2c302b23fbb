import type { RunOptions } from '../model/run-options.ts';

/** Options of a run that says nothing else. */
export const defaultOptions: RunOptions = {
  seed: 1,
  concurrency: 8,
  rate: undefined,
  timeoutMs: 10_000,
  maxRequests: 2_400,
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

/** Requests per second off loopback where the user says nothing: a guest that nobody notices. */
export const politeRate = 25;
