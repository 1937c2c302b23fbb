import type { Contract } from '../../spec/contract.ts';
import type { Recorder } from '../evidence/recorder.ts';
import type { SecretRegister } from '../evidence/secret-register.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { SuppliedDocument } from '../model/supplied-document.ts';
import type { Target } from '../model/target.ts';
import type { AvailabilityMonitor } from '../pacing/availability-monitor.ts';
import type { BudgetReservations } from '../pacing/budget-reservations.ts';
import type { FuzzBudget } from '../pacing/fuzz-budget.ts';
import type { RateLimiter } from '../pacing/rate-limiter.ts';
import type { KeyRing } from './key-ring.ts';
import type { KnownValues } from './known-values.ts';
import type { PropagationDelay } from './propagation-delay.ts';
import type { SessionTracker } from './session-tracker.ts';
import type { StateLocks } from './state-locks.ts';

/** What all cases of a run share in order to call the target. */
export interface RunContext {
  readonly target: Target;
  /** The platform's own OpenAPI document, where the user gave one. */
  readonly document?: SuppliedDocument;
  readonly contract: Contract;
  readonly client: HttpClient;
  readonly rateLimiter: RateLimiter;
  readonly reservations: BudgetReservations;
  readonly fuzzBudget: FuzzBudget;
  readonly availability: AvailabilityMonitor;
  readonly secrets: SecretRegister;
  readonly keys: KeyRing;
  readonly known: KnownValues;
  readonly recorder: Recorder;
  readonly sessions: SessionTracker;
  readonly locks: StateLocks;
  /** How long values stay unknown to the target that it has just issued. */
  readonly propagationDelay: PropagationDelay;
  readonly seed: number;
  /** Random inputs for each parameter and each body. */
  readonly fuzzRuns: number;
  /** Names the run in request ids. */
  readonly runId: string;
  readonly userAgent: string;
  /** Flags with which curl connects as the run does. */
  readonly curlFlags: readonly string[];
  /** Sends no POST. */
  readonly readOnly: boolean;
  /** Which shard of a run this is, 1 where it is the whole: tells apart what every shard sends besides its cases. */
  readonly part: number;
}
