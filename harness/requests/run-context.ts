import type { Contract } from '../../spec/contract.ts';
import type { BlockRecognizer } from '../evidence/recognize-blocks.ts';
import type { Recorder } from '../evidence/recorder.ts';
import type { SecretRegister } from '../evidence/secret-register.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { HeaderList } from '../model/exchange.ts';
import type { SuppliedDocument } from '../model/supplied-document.ts';
import type { Target } from '../model/target.ts';
import type { AvailabilityMonitor } from '../pacing/availability-monitor.ts';
import type { BudgetReservations } from '../pacing/budget-reservations.ts';
import type { Interruption } from '../pacing/interruption.ts';
import type { RateLimiter } from '../pacing/rate-limiter.ts';
import type { Profile } from '../sampling/profile.ts';
import type { KeyRing } from './key-ring.ts';
import type { KnownValues } from './known-values.ts';
import type { PropagationDelay } from './propagation-delay.ts';
import type { RequestSender, SendingAttempt } from './request-sender.ts';
import type { SessionTracker } from './session-tracker.ts';
import type { SharedControls } from './shared-controls.ts';
import type { StateLocks } from './state-locks.ts';

/** Everything that the cases of a run share. */
export interface RunContext {
  readonly target: Target;
  /** The platform's own OpenAPI document, where the user supplied one. */
  readonly document?: SuppliedDocument;
  readonly contract: Contract;
  readonly client: HttpClient;
  readonly rateLimiter: RateLimiter;
  readonly reservations: BudgetReservations;
  readonly availability: AvailabilityMonitor;
  readonly interruption: Interruption;
  readonly secrets: SecretRegister;
  readonly keys: KeyRing;
  readonly known: KnownValues;
  readonly recorder: Recorder;
  readonly blocks: BlockRecognizer;
  readonly sessions: SessionTracker;
  readonly locks: StateLocks;
  /** How long the target takes until a write is visible everywhere. */
  readonly propagationDelay: PropagationDelay;
  readonly seed: number;
  /** What unique values derive from. */
  readonly salt: string;
  /** Random inputs for each parameter and each body. */
  readonly fuzzRuns: number;
  readonly profile: Profile;
  /** Valid calls that cases share; undefined where each case sends its own. */
  readonly controls?: Pick<SharedControls, 'get' | 'note' | 'forValues'> | undefined;
  /** Start of all request ids. */
  readonly runId: string;
  readonly userAgent: string;
  /** Headers in place of the harness's own. */
  readonly disguise?: HeaderList;
  /** Flags that make curl connect like the run. */
  readonly curlFlags: readonly string[];
  /** Sends no POST. */
  readonly readOnly: boolean;
  /** Index of the shard, or 1; distinguishes what every shard sends besides its cases. */
  readonly part: number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Replaces the sender of each attempt: recorded responses stand for the target. */
  readonly senderFor?: (sendingFor: SendingAttempt) => CallSender;
}

/** What calls go through. */
export type CallSender = Pick<RequestSender, 'openConnection' | 'close' | 'admit' | 'send'> &
  Partial<Pick<RequestSender, 'overBudget'>>;
