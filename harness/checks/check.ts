import type { Operation } from '../../spec/contract.ts';
import type { Evaluation, ExchangeEvaluation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';
import type { SuppliedDocument } from '../model/supplied-document.ts';
import type { CaseClient } from '../requests/case-client.ts';
import type { Steps } from './step.ts';

/** What a case cannot do without; what is missing makes it inconclusive before anything is sent. */
export type Need = 'scoped-key' | 'unscoped-key' | 'valid-call';

/** What a judge sees: nothing but what was recorded. */
export interface Evidence {
  readonly operation: Operation;
  /** The exchanges of one attempt at the case, in the order in which they were sent. */
  readonly exchanges: readonly Exchange[];
  /** Ordinary answers beyond a number of which nothing is kept but how many there were. */
  readonly omittedCount?: number | undefined;
  /** The platform's own OpenAPI document, where one was supplied. */
  readonly document?: SuppliedDocument | undefined;
}

/** What a passive judge sees. */
export interface PassiveEvidence {
  readonly exchange: Exchange;
  readonly operation: Operation;
  /** The platform's own OpenAPI document, where one was supplied. */
  readonly document?: SuppliedDocument | undefined;
}

/** Recorded exchanges and what the judge must say of them; read by people and run as tests. */
export interface Example<Input> {
  readonly name: string;
  readonly given: Input;
  readonly says: 'pass' | 'violated' | 'inconclusive' | 'not-applicable' | 'nothing';
}

interface CheckBasis {
  /** Id of the requirement that it tests, such as `AUTH-2`. */
  readonly requirement: string;
  /** What is seen to hold, in one sentence. */
  readonly title: string;
  /** Whether the requirement says anything about the operation. */
  readonly applies: (operation: Operation) => boolean;
}

/** A check that sends requests of its own and judges these. */
export interface ActiveCheck extends CheckBasis {
  readonly kind: 'active';
  readonly needs: (operation: Operation) => readonly Need[];
  /** The most requests of one attempt, set-up left aside, and random inputs too that are sent as far as the budget goes. */
  readonly requests: (operation: Operation, fuzzRuns: number) => number;
  /** Random inputs of one attempt that are, where so many are asked for at each place. */
  readonly randomInputs?: (operation: Operation, fuzzRuns: number) => number;
  /** Its steps by name, where its probe is made of steps: see `activeCheck`. */
  readonly steps?: Steps;
  /** Sends all this only where the platform's own OpenAPI document was supplied. */
  readonly needsDocument?: true;
  /** Runs when all others are done: it sends much, and what may turn a guard in front of the target against the harness. */
  readonly last?: true;
  /** Whether it runs while no other case on the same sessions or logins is under way: what it sees is to be its own doing. */
  readonly alone?: (operation: Operation) => boolean;
  /** Sends; decides nothing but what to send next. */
  readonly probe: (client: CaseClient, operation: Operation) => Promise<void>;
  /** A pure function of the exchanges. */
  readonly evaluate: (evidence: Evidence) => Evaluation;
  /** Absent where `<slug>.examples.ts` beside the check holds them. */
  readonly examples?: ReadonlyArray<Example<Evidence>>;
}

/** A check that sends nothing and judges every exchange of every other check. */
export interface PassiveCheck extends CheckBasis {
  readonly kind: 'passive';
  /** A pure function of one exchange. */
  readonly evaluate: (
    exchange: Exchange,
    operation: Operation,
    document?: SuppliedDocument,
  ) => ExchangeEvaluation;
  /** Why none of the exchanges of an operation may have been of the kind that is judged, where that is lawful. */
  readonly notApplicableReason: (operation: Operation, document?: SuppliedDocument) => string | undefined;
  /** Absent where `<slug>.examples.ts` beside the check holds them. */
  readonly examples?: ReadonlyArray<Example<PassiveEvidence>>;
}

/** A check that sends nothing and compares what was seen at all operations of the run. */
export interface CollectiveCheck extends CheckBasis {
  readonly kind: 'collective';
  /**
   * What is new about an exchange: of those with the same text the first and the last are kept for the judge.
   * Undefined where the requirement does not speak of it.
   */
  readonly dedupeKey: (exchange: Exchange) => string | undefined;
  /** A pure function of what was kept from all operations. */
  readonly evaluate: (evidence: Evidence) => Evaluation;
  /** Absent where `<slug>.examples.ts` beside the check holds them. */
  readonly examples?: ReadonlyArray<Example<Evidence>>;
}

/** How one requirement is tested on one operation. */
export type Check = ActiveCheck | PassiveCheck | CollectiveCheck;

/** A check with the id that its file gives it, such as `auth/missing-credentials-are-refused`. */
export type IdentifiedCheck<C extends Check = Check> = C & { readonly id: string; readonly area: string };
