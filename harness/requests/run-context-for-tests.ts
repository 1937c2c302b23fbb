import { type Contract, loadContract, type Operation } from '../../spec/contract.ts';
import { HttpClient } from '../http/http-client.ts';
import { Exploration } from '../pacing/fuzz-budget.ts';
import { Governor, type GovernorOptions } from '../pacing/rate-limiter.ts';
import { Liveness } from '../pacing/liveness.ts';
import { Outstanding } from '../pacing/budget-reservations.ts';
import type { Exchange } from '../model/exchange.ts';
import { Recorder } from '../evidence/recorder.ts';
import { SecretRegister } from '../evidence/secret-register.ts';
import type { Target } from '../model/target.ts';
import { targetFromParts } from '../target/target-from-parts.ts';
import { KeyRing } from './key-ring.ts';
import { KnownValues } from './known-values.ts';
import { OpenSessions } from './open-sessions.ts';
import { Settling } from './propagation-delay.ts';
import { stateLocks } from './shared-state.ts';
import type { Workbench } from './run-context.ts';

/** What differs from a bench that has all it needs, and whose pauses take no time. */
export interface BenchOptions {
  readonly target?: Partial<Target>;
  readonly governor?: Partial<GovernorOptions>;
  readonly bench?: Partial<Workbench>;
  readonly timeoutMs?: number;
}

/** A workbench, everything that it recorded, and the pauses that its governor did not really make. */
export interface TestBench extends Workbench {
  readonly recorded: Exchange[];
  readonly pauses: number[];
  operation(id: string): Operation;
}

const contract: Promise<Contract> = loadContract();

/** A workbench against the service at a base URL; to be closed with its client. */
export async function openBench(baseUrl: string, options: BenchOptions = {}): Promise<TestBench> {
  const { operations } = await contract;
  const target: Target = {
    ...targetFromParts({ baseUrl, scopedKey: 'pk_ScopedAbc12345', unscopedKey: 'pk_UnscopedXyz6789' }),
    ...options.target,
  };
  const recorded: Exchange[] = [];
  const pauses: number[] = [];
  const recorder = new Recorder();
  recorder.subscribe((exchange) => recorded.push(exchange));
  const secrets = new SecretRegister();
  let elapsed = 0;
  return {
    target,
    fuzzRuns: 8,
    outstanding: new Outstanding(),
    exploration: new Exploration({ isEnough: true, room: () => Number.POSITIVE_INFINITY, onGrant: () => {} }),
    contract: await contract,
    client: new HttpClient(new URL(target.baseUrl).origin, 4, { timeoutMs: options.timeoutMs ?? 5_000 }),
    governor: new Governor({
      concurrency: 4,
      rate: undefined,
      maxRequests: 2_000,
      random: () => 0.5,
      now: () => elapsed,
      sleep: async (ms) => {
        pauses.push(ms);
        elapsed += ms;
      },
      ...options.governor,
    }),
    liveness: new Liveness(async () => undefined),
    secrets,
    keys: new KeyRing(target, secrets, 1),
    known: new KnownValues(target),
    recorder,
    sessions: new OpenSessions(),
    locks: stateLocks(),
    settling: new Settling(),
    seed: 1,
    runId: 'run',
    userAgent: 'commerce-conformance/0',
    readOnly: false,
    curlFlags: [],
    part: 1,
    ...options.bench,
    recorded,
    pauses,
    operation: (id) => {
      const found = operations.find((operation) => operation.id === id);
      if (found === undefined) throw new Error(`no operation ${id}`);
      return found;
    },
  };
}
