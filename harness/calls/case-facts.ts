import { type Operation, type OperationRole, sharedResource } from '../../spec/operation.ts';
import { fewerParts, type Reduced, type Reduction, reduce } from '../fuzzing/reduce.ts';
import type { SuppliedDocument } from '../model/supplied-document.ts';
import type { Exclusion, Json } from '../model/target.ts';
import type { SendingAttempt } from '../requests/call-spec.ts';
import { type KeyRing, shareOf } from '../requests/key-ring.ts';
import { inCompany, mostTogether } from '../requests/noticed-values.ts';
import type { Rider } from '../requests/riders.ts';
import { type Planned, profileSettings } from '../sampling/profile.ts';
import { chosen, plannedRequests, type StepPlan } from '../sampling/step-plan.ts';
import { seededRandom } from '../seeded-random.ts';
import type { Decisions } from './decisions.ts';
import type { RunContext } from './run-context.ts';
import type { StateLock } from './state-locks.ts';

/** Values noticed at other operations with which the search for a cause begins. */
const mostNoticed = 4;

/** What a probe knows of its case without a request, and its locks on state that other cases use. */
export class CaseFacts {
  /** Not for checks. */
  protected readonly context: RunContext;
  protected readonly sendingFor: SendingAttempt;
  protected readonly decisions: Decisions;
  readonly #appliedExclusions = new Set<Exclusion>();

  constructor(context: RunContext, sendingFor: SendingAttempt, decisions: Decisions) {
    this.context = context;
    this.sendingFor = sendingFor;
    this.decisions = decisions;
  }

  get caseOperation(): Operation {
    return this.sendingFor.operation;
  }

  get fuzzRuns(): number {
    return this.context.fuzzRuns;
  }

  /** Requests that the run plans for a step. */
  times(step: StepPlan): number {
    return plannedRequests(step, this.sendingFor.operation, this.context);
  }

  /** The result of an act; undefined if the run does not plan the step that it sends. */
  async planned<T>(step: StepPlan, act: () => Promise<readonly T[]>): Promise<readonly T[]> {
    return this.times(step) > 0 ? act() : [];
  }

  chosen<V extends Planned>(values: readonly V[]): readonly V[] {
    return chosen(values, this.context.profile);
  }

  /** The share of some values for the nth operation if operations share values; otherwise all values. */
  share<V>(values: readonly V[], nth: number, count = 1): readonly V[] {
    return profileSettings[this.context.profile].sharesValues
      ? shareOf(values, this.turn(nth), count)
      : values;
  }

  /** Which of some values that go round the nth operation or parameter gets: others at the next seed. */
  turn(nth: number): number {
    return nth + this.context.seed - 1;
  }

  get baseUrl(): string {
    return this.context.target.baseUrl;
  }

  get keys(): KeyRing {
    return this.context.keys;
  }

  /** The platform's own OpenAPI document; undefined if the user supplied none. */
  get document(): SuppliedDocument | undefined {
    return this.context.document;
  }

  /** Whether the user excluded a class of values here; the result lists the exclusions that took effect. */
  excludes(valueClass: string, parameter: string, { id }: Operation = this.sendingFor.operation): boolean {
    const { exclusions } = this.context.target;
    const exclusion = findExclusion(exclusions, { class: valueClass, parameter, operation: id });
    if (exclusion !== undefined) this.#appliedExclusions.add(exclusion);
    return exclusion !== undefined;
  }

  /** Values of the user's own of a path parameter, `query`, `header` or `body`, at the operation of the case. */
  ownValues(place: string): readonly Json[] {
    return (this.context.target.values ?? [])
      .filter(
        (one) =>
          one.in === place &&
          (one.operation ?? this.sendingFor.operation.id) === this.sendingFor.operation.id,
      )
      .map(({ value }) => value);
  }

  /** Whether the target file excludes anything, so that classes of values matter. */
  get hasExclusions(): boolean {
    return this.context.target.exclusions.length > 0;
  }

  get appliedExclusions(): readonly Exclusion[] {
    return [...this.#appliedExclusions];
  }

  get operations(): readonly Operation[] {
    return this.context.contract.operations;
  }

  /** Numbers that depend only on the seed and the case. */
  random(...labels: readonly string[]): () => number {
    return seededRandom(this.context.seed, this.sendingFor.check, this.sendingFor.operation.id, ...labels);
  }

  operation(id: string): Operation {
    return this.context.contract.operation(id);
  }

  /** The first operation with this role; throws if the contract has none. */
  withRole(role: OperationRole): Operation {
    const found = this.context.contract.withRole(role);
    if (found === undefined) throw new Error(`the contract has no operation with the role ${role}`);
    return found;
  }

  /** The lock of the state that the operation of the case changes; undefined if it changes none. */
  get #lock(): StateLock | undefined {
    const state = sharedResource(this.sendingFor.operation);
    return state && this.context.locks[state];
  }

  /** Acts after the other cases of the run that asked for a turn on the same state, such as checkout sessions. */
  inTurn<T>(act: () => Promise<T>): Promise<T> {
    return this.#lock === undefined ? act() : this.#lock.inTurn(act);
  }

  /** Acts concurrently with other cases on the same state, for a case that does not share it all the time. */
  sharing<T>(act: () => Promise<T>): Promise<T> {
    return this.#lock === undefined ? act() : this.#lock.shared(() => this.inTurn(act));
  }

  /** Waits; another case may run meanwhile. */
  pause(ms: number): Promise<void> {
    const { slots, sleep } = this.context;
    return slots.wait(() => sleep(ms));
  }

  /** Waits during a turn; another case has its turn meanwhile, unless its creates may change the open sessions of this one. */
  pauseInTurn(ms: number, hasOpenSessions: boolean): Promise<void> {
    const pause = (): Promise<void> => this.pause(ms);
    const isToStay = hasOpenSessions && !this.context.sessions.areApart;
    return this.#lock === undefined || isToStay ? pause() : this.#lock.betweenTurns(pause);
  }

  /** Whether there is room for this many follow-ups to a wrong response. */
  affords(requests: number): boolean {
    return this.decisions.ask('room', '', true, () => this.context.budget.followUpRoom >= requests);
  }

  get hasOpenedSessions(): boolean {
    return this.decisions.ask('opened', '', true, () => this.context.sessions.anyOpened);
  }

  /** Whether a valid call of this operation, one of the first such, was answered with a page under 403. */
  mayBlockLoneCalls({ id }: Operation): boolean {
    const { overload } = this.context.monitor;
    return this.decisions.ask('blocked', id, false, () => overload.firstBlocked.includes(id));
  }

  hasEndedSession(id: string): boolean {
    return this.decisions.ask('ended', id, false, () => this.context.sessions.hasEnded(id));
  }

  /** Whether a create of another case has returned the session with this id, too. */
  sharesSession(id: string): boolean {
    const { check, operation } = this.sendingFor;
    const isShared = (): boolean => this.context.sessions.isShared(id, { check, operation: operation.id });
    return this.decisions.ask('shared', id, false, isShared);
  }

  /** Notes that the target refused a fresh value at first, and accepted it after this many milliseconds. */
  propagationTook(ms: number): void {
    this.context.propagationDelay.tookUntil(ms);
  }

  /** Finds the smallest form of a failing value, within the room for follow-ups. */
  smallest<T>(start: T, reduction: Reduction<T>): Promise<Reduced<T>> {
    const stillFails = async (input: T): Promise<boolean> =>
      this.affords(1) && (await reduction.stillFails(input));
    return reduce(start, { ...reduction, stillFails });
  }

  /** Finds the smallest set of parts that fail together, such as riders of a call. */
  fewest<T>(
    parts: readonly T[],
    stillFails: (some: readonly T[]) => Promise<boolean>,
    budget: number = 2 * parts.length,
  ): Promise<Reduced<readonly T[]>> {
    return this.smallest(parts, { smaller: fewerParts, keyOf: JSON.stringify, stillFails, budget });
  }

  /** Finds the fewest values of a call that fail together, those first that other operations noticed, and notes them. */
  async fewestValues<T>(
    parts: readonly T[],
    riderOf: (part: T) => Rider,
    stillFails: (some: readonly T[]) => Promise<boolean>,
    budget: number,
  ): Promise<Reduced<readonly T[]>> {
    const before = parts.length < 2 ? [] : parts.filter((one) => this.#wasNoticed(riderOf(one)));
    let found: Reduced<readonly T[]> | undefined;
    let asked = 0;
    for (const part of before.slice(0, mostNoticed)) {
      if (found !== undefined || !this.affords(1)) break;
      asked += 1;
      if (await stillFails([part])) found = { input: [part], asked: 0, isMinimal: true };
    }
    found ??= await this.fewest(parts, stillFails, budget - asked);
    const isCompany = found.input.length > mostTogether;
    // If no call distinguishes them, such as for lack of room, none is known.
    const isTold = found.input.length < parts.length || parts.length === 1;
    for (const part of isTold ? found.input : []) {
      const [factor, value] = riderOf(part);
      if (isCompany || found.input.length === 1) this.notices([factor, isCompany ? inCompany : value]);
    }
    return { ...found, asked: found.asked + asked };
  }

  /** Searches for a cause after other cases that search, in order to begin with their results. */
  search<T>(act: () => Promise<T>): Promise<T> {
    return this.context.noticed.searches.run(act);
  }

  /** Sends joined calls after the other cases that do, where operations share values; at once elsewhere. */
  joined<T>(act: () => Promise<T>): Promise<T> {
    const { noticed, profile } = this.context;
    return profileSettings[profile].sharesValues ? noticed.joinedCalls.run(act) : act();
  }

  /** Notes that the target refused a value that it may refuse. */
  noticesRefusal(value: Rider): void {
    this.context.noticed.noteRefusal(value);
  }

  /** Whether joined calls omit a value because the target refused it, or enough values of its factor, and operations share values. */
  isLeftOut(factor: string, which: string | number): boolean {
    const { noticed, profile } = this.context;
    const decide = (): boolean => {
      const refused = noticed.refusedOf(factor);
      const isRefused = typeof which === 'string' ? refused.has(which) : refused.size >= which;
      return isRefused && profileSettings[profile].sharesValues;
    };
    return this.#asks(`${factor}, ${which} refused`, decide);
  }

  notices(value: Rider, { id }: Operation = this.sendingFor.operation): void {
    this.context.noticed.note(value, id);
  }

  /** Whether the target was seen to notice two values of a factor, and so is taken to notice any. */
  isNoticed(factor: string): boolean {
    return this.#asks(`${factor}, any`, () => this.context.noticed.hasAny(factor));
  }

  /** Whether a factor made a difference at so many operations that it no longer rides along. */
  isNoticedEverywhere(factor: string): boolean {
    return this.#asks(`${factor}, everywhere`, () => this.context.noticed.isEverywhere(factor));
  }

  /** Whether a factor made a difference only together with many others, so that too much was sent at once. */
  isNoticedInCompany(factor: string): boolean {
    return this.#wasNoticed([factor, inCompany]);
  }

  #wasNoticed([factor, value]: Rider): boolean {
    return this.#asks(`${factor}, ${value}`, () => this.context.noticed.has([factor, value]));
  }

  #asks(about: string, decide: () => boolean): boolean {
    return this.decisions.ask('noticed', about, false, decide);
  }
}

/** Where a value of some class would go out: in a path parameter, `query` or `body` of an operation. */
type ValuePlace = Required<Pick<Exclusion, 'class' | 'parameter' | 'operation'>>;

/** The user's exclusion that covers a value; undefined if none does. */
export function findExclusion(exclusions: readonly Exclusion[], value: ValuePlace): Exclusion | undefined {
  return exclusions.find(
    (one) =>
      one.class === value.class &&
      (one.parameter ?? value.parameter) === value.parameter &&
      (one.operation ?? value.operation) === value.operation,
  );
}
