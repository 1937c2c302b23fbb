import type { Recorder } from '../evidence/recorder.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { SuppliedDocument } from '../model/supplied-document.ts';
import type { RequestBudget } from '../pacing/budget.ts';
import type { RateLimiter } from '../pacing/rate-limiter.ts';
import type { Interruption, TargetMonitor } from '../pacing/target-monitor.ts';
import type { RequestContext, SendingAttempt } from '../requests/call-spec.ts';
import type { ValidValues } from '../requests/valid-values.ts';
import type { Semaphore } from '../semaphore.ts';
import type { Decisions } from './decisions.ts';
import type { Transport } from './pipeline.ts';
import type { PropagationDelay } from './propagation-delay.ts';
import type { SessionTracker } from './session-tracker.ts';
import type { SharedControls } from './shared-controls.ts';
import type { StateLocks } from './state-locks.ts';

/** Everything that the cases of a run share. */
export interface RunContext extends RequestContext {
  /** The platform's own OpenAPI document, where the user supplied one. */
  readonly document?: SuppliedDocument;
  readonly client: HttpClient;
  readonly rateLimiter: RateLimiter;
  readonly budget: RequestBudget;
  readonly monitor: TargetMonitor;
  readonly interruption: Interruption;
  readonly recorder: Recorder;
  readonly sessions: SessionTracker;
  readonly locks: StateLocks;
  readonly slots: Semaphore;
  /** How long the target takes until a write is visible everywhere. */
  readonly propagationDelay: PropagationDelay;
  /** Random inputs for each parameter and each body. */
  readonly fuzzRuns: number;
  /** Valid calls that cases share; undefined where each case sends its own. */
  readonly controls?: Pick<SharedControls, 'get' | 'note' | 'forValues'> | undefined;
  /** Flags that make curl connect like the run. */
  readonly curlFlags: readonly string[];
  /** Sends no POST. */
  readonly readOnly: boolean;
  /** Index of the shard, or 1; distinguishes what every shard sends besides its cases. */
  readonly part: number;
  readonly sleep: (ms: number) => Promise<void>;
  /** What stands for the target in each attempt: recorded responses. */
  readonly transportFor?: (sendingFor: SendingAttempt) => Transport;
}

/** What the stages of one attempt work with. */
export interface AttemptParts {
  readonly context: RunContext;
  readonly sendingFor: SendingAttempt;
  readonly values: ValidValues;
  readonly decisions: Decisions;
}
