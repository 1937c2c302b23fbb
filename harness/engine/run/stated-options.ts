import type { RunFlags } from '../../../spec/options.ts';
import { defined } from '../../defined.ts';
import type { RunOptions } from '../../model/run-options.ts';
import { curlFlags } from '../../results/curl-line.ts';
import { defaultOptions, fuzzRunsOf } from '../../target/default-options.ts';

/** The options that flags determine by themselves, in a run and for a reader of its report. */
export function statedOptions(given: RunFlags, proxyVariable?: string): RunOptions {
  const { profile = defaultOptions.profile, timeout, operation = [], check = [] } = given;
  const { seed, maxRequests, rate, concurrency, readOnly, strict, certify, provokeRateLimit } = given;
  const { fuzzRuns = fuzzRunsOf[profile], insecure, unixSocket, http2, userAgent } = given;
  return {
    ...defaultOptions,
    ...defined({ seed, maxRequests, rate, concurrency, readOnly, strict, certify, provokeRateLimit }),
    ...defined({ timeoutMs: timeout, insecure, unixSocket, http2, userAgent }),
    profile,
    fuzzRuns,
    // A target file may give one name in place of a list.
    operations: [operation].flat(),
    checks: [check].flat(),
    curlFlags: curlFlags({ ...given, proxyVariable }),
  };
}
