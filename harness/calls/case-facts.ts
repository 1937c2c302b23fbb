import type { Operation, OperationRole } from '../../spec/operation.ts';
import type { SuppliedDocument } from '../model/supplied-document.ts';
import type { Exclusion, Json } from '../model/target.ts';
import type { SendingAttempt } from '../requests/call-spec.ts';
import { findExclusion } from '../requests/find-exclusion.ts';
import { type KeyRing, shareOf } from '../requests/key-ring.ts';
import { type Planned, profileSettings } from '../sampling/profile.ts';
import { chosen, isPlanned, plannedRequests, type StepPlan } from '../sampling/step-plan.ts';
import { seededRandom } from '../seeded-random.ts';
import type { RunContext } from './run-context.ts';

/** What a probe may know of its case without a request: contract and plan of the run, keys, and what the target file says. */
export class CaseFacts {
  readonly #context: RunContext;
  readonly #check: string;
  readonly #operation: Operation;
  readonly #appliedExclusions = new Set<Exclusion>();

  constructor(context: RunContext, { check, operation }: SendingAttempt) {
    this.#context = context;
    this.#check = check;
    this.#operation = operation;
  }

  /** Random inputs for each parameter and each body. */
  get fuzzRuns(): number {
    return this.#context.fuzzRuns;
  }

  /** Whether the run plans a step at the operation of the case. */
  plans(step: StepPlan): boolean {
    return isPlanned(step, this.#operation, this.#context.profile);
  }

  /** Requests that the run plans for a step. */
  times(step: StepPlan): number {
    return plannedRequests(step, this.#operation, this.#context);
  }

  /** The values that the profile sends. */
  chosen<V extends Planned>(values: readonly V[]): readonly V[] {
    return chosen(values, this.#context.profile);
  }

  /** So many of some values for the nth of the operations, where these share values; all elsewhere. */
  share<V>(values: readonly V[], nth: number, count = 1): readonly V[] {
    return profileSettings[this.#context.profile].sharesValues
      ? shareOf(values, this.turn(nth), count)
      : values;
  }

  /** Which of some values that go round the nth operation or parameter gets: others at the next seed. */
  turn(nth: number): number {
    return nth + this.#context.seed - 1;
  }

  /** The base URL of the target. */
  get baseUrl(): string {
    return this.#context.target.baseUrl;
  }

  /** The credentials of the target. */
  get keys(): KeyRing {
    return this.#context.keys;
  }

  /** The platform's own OpenAPI document; undefined where the user supplied none. */
  get document(): SuppliedDocument | undefined {
    return this.#context.document;
  }

  /** Whether the user excluded a class of values here; the result lists the exclusions that took effect. */
  excludes(valueClass: string, parameter: string, { id }: Operation = this.#operation): boolean {
    const { exclusions } = this.#context.target;
    const exclusion = findExclusion(exclusions, { class: valueClass, parameter, operation: id });
    if (exclusion !== undefined) this.#appliedExclusions.add(exclusion);
    return exclusion !== undefined;
  }

  /** Values of the user's own of a path parameter, `query`, `header` or `body`, at the operation of the case. */
  ownValues(place: string): readonly Json[] {
    return (this.#context.target.values ?? [])
      .filter((one) => one.in === place && (one.operation ?? this.#operation.id) === this.#operation.id)
      .map(({ value }) => value);
  }

  /** Whether the target file excludes anything, so that classes of values matter. */
  get hasExclusions(): boolean {
    return this.#context.target.exclusions.length > 0;
  }

  /** The exclusions that took effect. */
  get appliedExclusions(): readonly Exclusion[] {
    return [...this.#appliedExclusions];
  }

  /** All operations of the contract. */
  get operations(): readonly Operation[] {
    return this.#context.contract.operations;
  }

  /** Numbers that depend only on the seed and the case. */
  random(...labels: readonly string[]): () => number {
    return seededRandom(this.#context.seed, this.#check, this.#operation.id, ...labels);
  }

  /** The operation with this id. */
  operation(id: string): Operation {
    return this.#context.contract.operation(id);
  }

  /** The first operation with this role; throws where the contract has none. */
  withRole(role: OperationRole): Operation {
    const found = this.#context.contract.withRole(role);
    if (found === undefined) throw new Error(`the contract has no operation with the role ${role}`);
    return found;
  }
}
