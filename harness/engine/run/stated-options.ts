import type { RunFlags } from '../../../spec/options.ts';
import { isLoopbackUrl } from '../../certification/target-obstacles.ts';
import type { Catalogue } from '../../checks/catalogue.ts';
import { defined } from '../../defined.ts';
import type { Protocol } from '../../http/exchange.ts';
import type { TargetConnection } from '../../model/report.ts';
import type { RunOptions } from '../../model/run-options.ts';
import { curlFlags } from '../../results/curl-line.ts';
import { defaultOptions, fuzzRunsOf, politeRate } from '../../target/default-options.ts';
import { usualLimit } from './plan-run.ts';

/** The options that flags determine by themselves, in a run and for a reader of its report. */
function statedOptions(given: RunFlags, proxyVariable?: string): RunOptions {
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
    curlFlags: curlFlags(given, proxyVariable),
  };
}

/** The values other than flags on which the options of a run depend. */
export interface Surroundings {
  readonly catalogue: Catalogue;
  readonly baseUrl: string;
  readonly proxy: { readonly variable: string } | undefined;
  readonly hasDocument: boolean;
}

/** The options of a run, and a limit that a run against a conforming service does not reach: the usual one. */
export function settledOptions(
  given: RunFlags,
  { catalogue, baseUrl, proxy, hasDocument }: Surroundings,
): { readonly options: RunOptions; readonly sufficient: number } {
  const stated = statedOptions(given, proxy?.variable);
  const sufficient = usualLimit(catalogue, stated, hasDocument);
  return {
    options: {
      ...stated,
      maxRequests: given.maxRequests ?? sufficient,
      // To a proxy, localhost is another machine.
      rate: given.rate ?? (isLoopbackUrl(baseUrl) && proxy === undefined ? undefined : politeRate),
    },
    sufficient,
  };
}

/** How a target is reached, as the report states it; undefined for a plain connection. */
export function connectionOf(
  { unixSocket, http2 }: Partial<Pick<RunOptions, 'unixSocket' | 'http2'>>,
  proxy: TargetConnection['proxy'],
  protocol?: Protocol,
): TargetConnection | undefined {
  const told = protocol === 'HTTP/2' || http2 === true ? protocol : undefined;
  if (proxy === undefined && unixSocket === undefined && told === undefined) return undefined;
  return defined({ proxy, unixSocket, protocol: told });
}
