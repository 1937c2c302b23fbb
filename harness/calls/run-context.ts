import { Recorder } from '../evidence/recorder.ts';
import { SecretRegister } from '../evidence/secret-register.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { SuppliedDocument } from '../model/supplied-document.ts';
import type { RequestBudget } from '../pacing/budget.ts';
import type { RateLimiter } from '../pacing/rate-limiter.ts';
import { Interruption, type TargetMonitor } from '../pacing/target-monitor.ts';
import type { RequestContext, SendingAttempt } from '../requests/call-spec.ts';
import { KeyRing } from '../requests/key-ring.ts';
import { KnownValues } from '../requests/known-values.ts';
import { NoticedValues } from '../requests/noticed-values.ts';
import type { ValidValues } from '../requests/valid-values.ts';
import { Semaphore } from '../semaphore.ts';
import type { Decisions } from './decisions.ts';
import type { Transport } from './pipeline.ts';
import { PropagationDelay } from './propagation-delay.ts';
import { SessionTracker } from './session-tracker.ts';
import type { SharedControls } from './shared-controls.ts';
import { StateLocks } from './state-locks.ts';

/** What a run gives to its context. */
interface GivenContext extends Omit<RequestContext, 'secrets' | 'keys' | 'known'> {
  readonly document?: SuppliedDocument;
  readonly client: HttpClient;
  readonly rateLimiter: RateLimiter;
  readonly budget: RequestBudget;
  readonly monitor: TargetMonitor;
  readonly fuzzRuns: number;
  /** Valid calls that cases share; undefined where each case sends its own. */
  readonly controls?: Pick<SharedControls, 'get' | 'note' | 'forValues'> | undefined;
  /** Flags that make curl connect like the run. */
  readonly curlFlags: readonly string[];
  /** Sends no POST. */
  readonly readOnly: boolean;
  /** Recorded responses that replace the target in each attempt. */
  readonly transportFor?: (sendingFor: SendingAttempt) => Transport;
}

/** Everything that the cases of a run share: these parts begin alike in a run, in its verification, and in a test. */
export interface RunContext extends GivenContext, RequestContext {
  readonly interruption: Interruption;
  readonly recorder: Recorder;
  readonly sessions: SessionTracker;
  /** Issued values that a call has taken to use them up. */
  readonly takenValues: Set<string>;
  readonly locks: StateLocks;
  readonly noticed: NoticedValues;
  readonly slots: Semaphore;
  /** How long the target takes until a write is visible everywhere. */
  readonly propagationDelay: PropagationDelay;
  /** Index of the shard, or 1; distinguishes the requests of each shard outside its cases. */
  readonly part: number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** A context with new parts for those not given; `recalled` names the credentials of an earlier run whose keys are unknown. */
export function newContext(
  given: GivenContext & Partial<RunContext>,
  recalled?: ConstructorParameters<typeof KeyRing>[3],
): RunContext {
  const secrets = new SecretRegister();
  const { interruption = new Interruption() } = given;
  const sleep = (ms: number): Promise<void> => interruption.sleep(ms);
  return {
    secrets,
    keys: new KeyRing(given.target, secrets, given.seed, recalled),
    known: new KnownValues(given.target, given.contract),
    recorder: new Recorder(),
    interruption,
    sessions: new SessionTracker(),
    takenValues: new Set(),
    locks: new StateLocks(),
    noticed: new NoticedValues(),
    propagationDelay: new PropagationDelay(sleep),
    slots: new Semaphore(1),
    sleep,
    part: 1,
    ...given,
  };
}

/** The context of the stages of one attempt. */
export interface AttemptParts {
  readonly context: RunContext;
  readonly sendingFor: SendingAttempt;
  readonly values: ValidValues;
  readonly decisions: Decisions;
}
