import { type Contract, loadContract, type Operation } from '../../spec/contract.ts';
import { HttpClient } from '../http/http-client.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Target } from '../model/target.ts';
import { RequestBudget } from '../pacing/budget.ts';
import { RateLimiter, type RateLimiterOptions } from '../pacing/rate-limiter.ts';
import { TargetMonitor } from '../pacing/target-monitor.ts';
import { targetFromParts } from '../target/target-description.ts';
import { newContext, type RunContext } from './run-context.ts';

/** What differs from a complete context whose pauses take no time. */
export interface TestContextOptions {
  readonly target?: Partial<Target>;
  readonly rateLimiter?: Partial<RateLimiterOptions>;
  readonly maxRequests?: number;
  readonly context?: Partial<RunContext>;
  readonly timeoutMs?: number;
}

/** A context, its recorded exchanges, and the pauses that its rate limiter skipped. */
export interface TestContext extends RunContext {
  readonly recorded: Exchange[];
  readonly pauses: number[];
  operation(id: string): Operation;
}

const contract: Promise<Contract> = loadContract();

/** A context for the service at a base URL; closed with its client. */
export async function openContext(baseUrl: string, options: TestContextOptions = {}): Promise<TestContext> {
  const target: Target = {
    ...targetFromParts({ baseUrl, scopedKey: 'pk_ScopedAbc12345', unscopedKey: 'pk_UnscopedXyz6789' }),
    ...options.target,
  };
  const recorded: Exchange[] = [];
  const pauses: number[] = [];
  let elapsed = 0;
  const context = newContext({
    target,
    fuzzRuns: 8,
    profile: 'standard',
    budget: new RequestBudget(options.maxRequests ?? 2_000),
    contract: await contract,
    client: new HttpClient(new URL(target.baseUrl).origin, 4, { timeoutMs: options.timeoutMs ?? 5_000 }),
    rateLimiter: new RateLimiter({
      concurrency: 4,
      rate: undefined,
      random: () => 0.5,
      now: () => elapsed,
      sleep: async (ms) => {
        pauses.push(ms);
        elapsed += ms;
      },
      ...options.rateLimiter,
    }),
    monitor: new TargetMonitor(async () => undefined),
    seed: 1,
    salt: 'salt',
    runId: 'run',
    userAgent: 'commerce-conformance/0',
    readOnly: false,
    curlFlags: [],
    ...options.context,
  });
  context.recorder.on('exchange', (exchange) => recorded.push(exchange));
  return {
    ...context,
    recorded,
    pauses,
    operation: (id) => context.contract.operation(id),
  };
}
