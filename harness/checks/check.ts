import type { Operation } from '../../spec/contract.ts';
import type { Requirement } from '../../spec/requirements.ts';
import type { CaseClient } from '../calls/case-client.ts';
import type { Evaluation, ExchangeEvaluation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';
import type { SuppliedDocument } from '../model/supplied-document.ts';
import type { Profile, Weight } from '../sampling/profile.ts';
import { plannedRequests } from '../sampling/step-plan.ts';
import { type NamedSteps, namedSteps, type Steps, type UnnamedStep } from './step.ts';

/**
 * The stages of a run, in order. `first`: one case at a time, as the calls of others may change what it tests. `rest`: all
 * cases begin together, so that the target rests while they pause. `last`: many requests, and inputs that may make a
 * firewall block the harness. `slow`: what must be seen while nothing else is sent.
 */
export const stages = ['first', 'main', 'rest', 'last', 'slow'] as const;

export type Stage = (typeof stages)[number];

/** A need of a case; if it is missing, the case is inconclusive before it sends anything. */
export type Need = 'scoped-key' | 'unscoped-key' | 'valid-call';

/** The input of an evaluation: only recorded data. */
export interface Evidence {
  readonly operation: Operation;
  /** The exchanges of one attempt at the case, in the order in which they were sent. */
  readonly exchanges: readonly Exchange[];
  /** Number of ordinary exchanges that were not kept. */
  readonly omittedCount?: number | undefined;
  /** The platform's own OpenAPI document, where one was supplied. */
  readonly document?: SuppliedDocument | undefined;
  /** Ids of all operations that a collective check applies to. */
  readonly applicable?: ReadonlySet<string>;
}

export interface PassiveEvidence {
  readonly exchange: Exchange;
  readonly operation: Operation;
  /** The platform's own OpenAPI document, where one was supplied. */
  readonly document?: SuppliedDocument | undefined;
}

/** Recorded exchanges and their expected outcome; documentation that runs as a test. */
export interface Example<Input> {
  readonly name: string;
  readonly given: Input;
  readonly says: 'pass' | 'violated' | 'inconclusive' | 'not-applicable' | 'nothing';
}

interface CheckBasis<Given> {
  /** Id of the requirement that it tests, such as `AUTH-2`. */
  readonly requirement: string;
  /** The rule that it tests, in one sentence. */
  readonly title: string;
  /** Whether the requirement says anything about the operation. */
  readonly applies: (operation: Operation) => boolean;
  /** Absent if `<slug>.examples.ts` next to the check holds them. */
  readonly examples?: ReadonlyArray<Example<Given>>;
}

/** A check that sends requests and evaluates their exchanges. */
export interface ActiveCheck extends CheckBasis<Evidence> {
  readonly kind: 'active';
  readonly needs: (operation: Operation) => readonly Need[];
  /** Its weight at an operation, which decides the profiles that plan it; `high` if absent. */
  readonly weight?: (operation: Operation) => Weight;
  /** Requests of one attempt to a conforming service, set-up aside; `activeCheck` derives them from the steps. */
  readonly requests: (operation: Operation, fuzzRuns: number, profile?: Profile) => number;
  /** Its steps by name, where its probe is made of steps: see `activeCheck`. */
  readonly steps?: Steps;
  /** Sends requests only where the platform's own OpenAPI document was supplied. */
  readonly needsDocument?: true;
  /** `main` if absent. */
  readonly stage?: Stage;
  /** Its cases begin before the others of their stage, which fill the seconds for which they wait. */
  readonly beginsFirst?: true;
  /** Its cases wait for most of the run, so that no stage waits for them; they hold nothing that other cases share meanwhile. */
  readonly isLasting?: true;
  /** Whether it excludes other cases on the same sessions or logins while it runs. */
  readonly alone?: (operation: Operation) => boolean;
  /** Sends requests; evaluates nothing. */
  readonly probe: (client: CaseClient, operation: Operation) => Promise<unknown>;
  /** A pure function of the exchanges. */
  readonly evaluate: (evidence: Evidence) => Evaluation;
}

/** A check that sends nothing and evaluates every exchange of every other check. */
export interface PassiveCheck extends CheckBasis<PassiveEvidence> {
  readonly kind: 'passive';
  /** A pure function of one exchange. */
  readonly evaluate: (
    exchange: Exchange,
    operation: Operation,
    document?: SuppliedDocument,
  ) => ExchangeEvaluation;
  /** Why an operation of a conforming service may show no relevant exchange; undefined where it must show one. */
  readonly notApplicableReason: (operation: Operation, document?: SuppliedDocument) => string | undefined;
  /** Its violations name the header that decides on them, if one does. */
  readonly mayDependOnHeaders?: true;
  /** The part that the evaluation cannot check for an operation; without a violation, the case is then inconclusive. */
  readonly uncheckedParts?: (operation: Operation, document?: SuppliedDocument) => readonly string[];
}

/** A check that sends nothing and compares exchanges of all operations of the run. */
export interface CollectiveCheck extends CheckBasis<Evidence> {
  readonly kind: 'collective';
  /** Of exchanges with one key, the first and the last are kept; undefined for those that do not matter. */
  readonly dedupeKey: (exchange: Exchange) => string | undefined;
  /** A pure function of the exchanges kept from all operations. */
  readonly evaluate: (evidence: Evidence) => Evaluation;
}

/** How one requirement is tested on one operation. */
export type Check = ActiveCheck | PassiveCheck | CollectiveCheck;

/** A check with the id that its file gives it, such as `auth/missing-credentials-are-refused`. */
export type IdentifiedCheck<C extends Check = Check> = C & { readonly id: string; readonly area: string };

export interface StepEvidence<S> extends Evidence {
  /** The exchanges of each step by its name, in the order in which they were sent. */
  readonly steps: { readonly [Name in keyof S]: readonly Exchange[] };
}

/** An active check whose probe is made of steps, from which the requests of the plan follow. */
interface StepCheck<S extends Readonly<Record<string, UnnamedStep>>>
  extends Omit<ActiveCheck, 'kind' | 'needs' | 'steps' | 'requests' | 'probe' | 'evaluate'>,
    Partial<Pick<ActiveCheck, 'needs'>> {
  readonly steps: S;
  /** Sends the steps, which have their names; evaluates nothing. */
  readonly probe: (client: CaseClient, steps: NamedSteps<S>, operation: Operation) => Promise<unknown>;
  /** A pure function of the exchanges, which `steps` holds by step and `exchanges` in the order of sending. */
  readonly evaluate: (evidence: StepEvidence<S>) => Evaluation;
}

/** Builds an active check from steps; it needs a valid call, unless it says otherwise. */
export function activeCheck<S extends Readonly<Record<string, UnnamedStep>>>(
  check: StepCheck<S>,
): ActiveCheck {
  const steps = namedSteps(check.steps);
  return {
    needs: () => ['valid-call'],
    ...check,
    kind: 'active',
    steps,
    requests: (operation, fuzzRuns, profile = 'standard') =>
      Object.values(steps).reduce(
        (sum, step) => sum + plannedRequests(step, operation, { fuzzRuns, profile }),
        0,
      ),
    probe: (client, operation) => check.probe(client, steps, operation),
    evaluate: (evidence) => {
      const sentBy = (name: string): readonly Exchange[] =>
        evidence.exchanges.filter(({ step }) => step === name);
      const byStep = Object.fromEntries(Object.keys(steps).map((name) => [name, sentBy(name)]));
      return check.evaluate({ ...evidence, steps: byStep as StepEvidence<S>['steps'] });
    },
  };
}

export interface Case<C extends Check = Check> {
  /** `operationId/area/slug`. */
  readonly id: string;
  readonly operation: Operation;
  readonly check: IdentifiedCheck<C>;
  readonly requirement: Requirement;
}
