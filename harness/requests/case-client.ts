import { isSafe, type Operation, type OperationRole } from '../../spec/operation.ts';
import { statusOf } from '../evidence/answer.ts';
import { callKey } from '../evidence/call-key.ts';
import { type Reduced, type Reduction, reduce } from '../fuzzing/reduce.ts';
import type { DedicatedConnection } from '../http/http-client.ts';
import type { Exchange, UsedValue } from '../model/exchange.ts';
import type { SuppliedDocument } from '../model/supplied-document.ts';
import type { Exclusion, Json } from '../model/target.ts';
import { followUpRoom } from '../pacing/budget-reservations.ts';
import { isWithin, type ProfileRange, profileSettings } from '../sampling/profile.ts';
import { chosen, isPlanned, plannedRequests, type StepPlan } from '../sampling/step-plan.ts';
import { seededRandom } from '../seeded-random.ts';
import type { CallChanges, CallSpec } from './call-spec.ts';
import { callUntilServed, type Served } from './call-until-served.ts';
import { type Decisions, MadeDecisions } from './decisions.ts';
import { InconclusiveError } from './inconclusive-error.ts';
import { type KeyRing, shareOf } from './key-ring.ts';
import { isEarlyStatus, type Propagated } from './propagation-delay.ts';
import { type Answered, RequestSender } from './request-sender.ts';
import { RideAlong } from './ride-along.ts';
import type { CallSender, RunContext } from './run-context.ts';
import { isPlainControl } from './shared-controls.ts';
import { stateOf } from './state-locks.ts';
import { type PreparedCall, ValidValues } from './valid-values.ts';

/** Exchanges of one attempt beyond which ordinary ones are only counted. */
const mostKept = 1_000;

/** What a retry knows from the earlier attempts at its case. */
export interface EarlierAttempts {
  /** Exchanges that showed violations. */
  readonly shown: readonly Exchange[];
  /** Whether these are all: a finding that is read from a report may stand for more than the exchange that it holds. */
  readonly areAll: boolean;
  /** The valid call, with the values of that attempt. */
  readonly control?: Exchange | undefined;
}

/** What a probe calls the target with during one attempt at one case. */
export class CaseClient {
  readonly #context: RunContext;
  readonly #check: string;
  readonly #operation: Operation;
  readonly #exchanges: Exchange[] = [];
  /** Set-up calls, with the name of the value that each was made for. */
  readonly #captured = new Map<Exchange, string>();
  readonly #appliedExclusions = new Set<Exclusion>();
  #isForRefusal = false;
  /** The probe itself retries what comes too early. */
  #isRetrying = false;
  readonly #riding: RideAlong;
  readonly #values: ValidValues;
  readonly #sender: CallSender;
  readonly #decisions: Decisions;
  readonly #knowsAllEarlier: boolean;
  readonly #attempt: number;
  #omittedCount = 0;
  #lastBody: () => unknown = () => undefined;
  /** Exchanges of earlier attempts that showed violations: fuzzing repeats only these. */
  readonly earlier: readonly Exchange[];
  /** The valid call of the earlier attempt, with the values of that attempt. */
  readonly earlierControl: Exchange | undefined;

  constructor(
    context: RunContext,
    check: string,
    operation: Operation,
    attempt: number,
    earlier: EarlierAttempts = { shown: [], areAll: false },
    decisions: Decisions = new MadeDecisions(),
  ) {
    this.#context = context;
    this.#decisions = decisions;
    this.#check = check;
    this.#operation = operation;
    this.#attempt = attempt;
    this.earlier = earlier.shown;
    this.earlierControl = earlier.control;
    this.#knowsAllEarlier = earlier.areAll;
    const sendingFor = { check, operation, attempt };
    this.#riding = new RideAlong(context, sendingFor);
    this.#sender = context.senderFor?.(sendingFor) ?? new RequestSender(context, sendingFor);
    this.#values = new ValidValues(context, sendingFor, async (source, name, isFresh) => {
      const send = (): Promise<Answered> =>
        this.#call({ role: 'setup', label: `takes ${name}`, operation: source });
      const mayShare = this.#isForRefusal || (isSafe(this.#operation) && !isFresh);
      const shared = mayShare && this.#attempt === 1 ? context.controls : undefined;
      const { exchange, body } =
        shared === undefined ? await send() : await shared.forValues(source.id, send);
      this.#captured.set(exchange, name);
      return { status: statusOf(exchange), body: body() };
    });
  }

  /**
   * Prepares calls that must be refused. As these use nothing up, those of a quick run name the same captured values, such
   * as one session.
   */
  async forRefusal<Prepared>(prepare: () => Promise<Prepared>): Promise<Prepared> {
    this.#isForRefusal = true;
    try {
      return await prepare();
    } finally {
      this.#isForRefusal = false;
    }
  }

  /** The answered calls so far, without throttled ones, which prove nothing here. */
  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  /** The last JSON body with its secrets: for extracting values, never for keeping. */
  get lastBody(): unknown {
    return this.#lastBody();
  }

  /** The number of ordinary exchanges that were only counted. */
  get omittedCount(): number {
    return this.#omittedCount;
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
  chosen<V extends ProfileRange>(values: readonly V[]): readonly V[] {
    return chosen(values, this.#context.profile);
  }

  /** So many of some values for the nth of the operations, where these share values; all elsewhere. */
  share<V>(values: readonly V[], nth: number, count = 1): readonly V[] {
    return profileSettings[this.#context.profile].sharesValues ? shareOf(values, nth, count) : values;
  }

  /** Whether there is room for so many requests that a wrong response calls for. */
  affords(requests: number): boolean {
    return this.#decisions.ask('room', '', true, () => followUpRoom(this.#context) >= requests);
  }

  /** Why the budget kept a request of this attempt from being sent; undefined where it did not. */
  get overBudget(): InconclusiveError | undefined {
    return this.#sender.overBudget;
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

  /** The known valid body of the operation with fresh captured values; throws `InconclusiveError` where none is known. */
  validBody(): Promise<Json> {
    return this.#values.validBody();
  }

  /** Whether the user excluded a class of values here; the result lists the exclusions that took effect. */
  excludes(valueClass: string, parameter: string, { id }: Operation = this.#operation): boolean {
    const exclusion = this.#context.target.exclusions.find(
      (one) =>
        one.class === valueClass &&
        (one.parameter ?? parameter) === parameter &&
        (one.operation ?? id) === id,
    );
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

  /** Whether to make a call: any one, unless earlier attempts told which ones show violations. */
  wants(spec: CallSpec, changes: CallChanges = {}): boolean {
    const wanted = callKey({ ...spec, ...changes });
    return !this.#knowsAllEarlier || this.earlier.some((earlier) => callKey(earlier) === wanted);
  }

  /** Whether this run has created a session so far. */
  get hasOpenedSessions(): boolean {
    return this.#decisions.ask('opened', '', true, () => this.#context.sessions.anyOpened);
  }

  /** Whether this run has ended the session with this id. */
  hasEndedSession(id: string): boolean {
    return this.#decisions.ask('ended', id, false, () => this.#context.sessions.hasEnded(id));
  }

  /** Notes that the target accepted a fresh value after so many milliseconds, and refused it before. */
  propagationTook(ms: number): void {
    this.#context.propagationDelay.tookUntil(ms);
  }

  /**
   * Makes calls of an operation until the answer cannot have come too early: a target may need a moment until a write is
   * visible everywhere. Every answer counts among the exchanges.
   */
  async retryEarly(
    operation: Operation,
    call: () => Promise<Exchange>,
    isEarly: (exchange: Exchange) => boolean = (exchange) => statusOf(exchange) === 404,
  ): Promise<Propagated<Exchange>> {
    this.#isRetrying = true;
    try {
      return await this.#context.propagationDelay.retry(operation.id, call, isEarly, (exchange, mayHelp) =>
        this.#isEarly(exchange, () => mayHelp),
      );
    } finally {
      this.#isRetrying = false;
    }
  }

  #isEarly({ id }: Exchange, decide: () => boolean): boolean {
    return this.#decisions.ask('early', id, false, decide);
  }

  /** Acts after the other cases of the run that asked for a turn on the same state, such as checkout sessions. */
  inTurn<T>(act: () => Promise<T>): Promise<T> {
    const state = stateOf(this.#operation);
    return state === undefined ? act() : this.#context.locks[state].inTurn(act);
  }

  /** Waits. */
  pause(ms: number): Promise<void> {
    return this.#context.sleep(ms);
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

  /** The known value of a path parameter, captured afresh where it is a captured one. */
  knownValue(name: string, operation: Operation = this.#operation): Promise<UsedValue> {
    return this.#values.knownValue(name, operation);
  }

  /** Captures a value anew, even where the attempt holds one. */
  capture(name: string): Promise<string | number> {
    return this.#values.capture(name);
  }

  /** The name of the value that a call was made to take; undefined for other calls. */
  capturedBy(exchange: Exchange): string | undefined {
    return this.#captured.get(exchange);
  }

  /** The value of a capture in the last answer; undefined where the answer lacks it. */
  lastValue(name: string): unknown {
    return this.#values.extract(name, this.lastBody);
  }

  /** Replaces the placeholders of a body by captured values. */
  fill(template: Json): Promise<Json> {
    return this.#values.fill(template);
  }

  /** Opens a connection for consecutive calls; closed with the attempt. */
  openConnection(): DedicatedConnection {
    return this.#sender.openConnection();
  }

  /** Opens a connection for a step and the calls before it; undefined where the run does not plan the step. */
  connectionFor(step: StepPlan): DedicatedConnection | undefined {
    return this.plans(step) ? this.openConnection() : undefined;
  }

  /** Closes the connections of this attempt. */
  close(): Promise<void> {
    return this.#sender.close();
  }

  /**
   * Makes a call. Prepares it anew after a throttled answer, because the outcome of a request that ended in an error must
   * not be guessed. Throws `InconclusiveError`.
   */
  async call(spec: CallSpec, changes: CallChanges = {}): Promise<Exchange> {
    return (await this.#answered(spec, changes)).exchange;
  }

  /** Makes a call as often as the run plans its step, one after the other. */
  async repeat(step: CallSpec & StepPlan, changes: CallChanges = {}): Promise<readonly Exchange[]> {
    const exchanges: Exchange[] = [];
    while (exchanges.length < this.times(step)) exchanges.push(await this.call(step, changes));
    return exchanges;
  }

  /** Finds the smallest form of what failed, as far as there is room for follow-ups. */
  smallest<T>(start: T, reduction: Reduction<T>): Promise<Reduced<T>> {
    const stillFails = async (input: T): Promise<boolean> =>
      this.affords(1) && (await reduction.stillFails(input));
    return reduce(start, { ...reduction, stillFails });
  }

  /** Makes a call that issues a value of a capture, also while others are under way; undefined where the answer lacks it. */
  async issue(
    name: string,
    spec: CallSpec,
    changes: CallChanges = {},
  ): Promise<{ readonly exchange: Exchange; readonly id: unknown }> {
    const { exchange, body } = await this.#answered(spec, changes);
    return { exchange, id: this.#values.extract(name, body()) };
  }

  async #answered(spec: CallSpec, changes: CallChanges): Promise<Answered> {
    const shared = this.#attempt === 1 && isPlainControl(spec, changes) ? this.#context.controls : undefined;
    const whole = { ...spec, ...changes };
    const { isOwn: own = false, connection } = whole;
    const isOwn =
      connection !== undefined || (typeof own === 'boolean' ? own : isWithin(own, this.#context.profile));
    const send = async (changed: CallChanges = {}): Promise<Answered> => {
      const answered = await this.#call({ ...whole, ...changed });
      this.#lastBody = answered.body;
      return answered;
    };
    const riding = this.#riding.on(whole, this.earlier);
    if (riding.length > 0) return this.#riding.call(riding, whole, send, this);
    const wanted = { operation: this.#operation, step: spec.step, isOwn };
    const { exchange, body } = shared === undefined ? await send() : await shared.get(wanted, send);
    this.#lastBody = body;
    return { exchange: this.#own(exchange, spec), body };
  }

  /** An exchange of this attempt; that of another case counts as one of this step. */
  #own(exchange: Exchange, { step }: CallSpec): Exchange {
    const { check, operation } = exchange.case;
    if (check === this.#check && operation === this.#operation.id) return exchange;
    const own = { ...exchange, ...(step === undefined ? {} : { step }) };
    this.#exchanges.unshift(own);
    this.#values.hold(own);
    return own;
  }

  async #call(spec: CallSpec): Promise<Answered> {
    const operation = spec.operation ?? this.#operation;
    if (this.#context.readOnly && !isSafe(operation)) {
      throw new InconclusiveError(`a read-only run sends no ${operation.method}`, {
        remedy: 'run without --read-only',
      });
    }
    const { propagationDelay } = this.#context;
    let again: PreparedCall | undefined;
    let firstTryAt: number | undefined;
    const mayBeTooEarly = ({ answered: { exchange } }: Served): boolean =>
      // A call with a delay of its own shows what the target answers after it.
      spec.propagationDelayMs === undefined &&
      !this.#isRetrying &&
      isEarlyStatus(operation, statusOf(exchange));
    const namesNew = (served: Served): boolean => {
      const { exchange } = served.answered;
      if (isTooEarly(operation, served)) return true;
      if (statusOf(exchange) === 409 && isIssued(operation, spec)) return true;
      // The values are as fresh as they were at the first try, unless a call has ended what they name meanwhile.
      firstTryAt ??= Date.parse(exchange.startedAt);
      return this.#namesFresh(served, firstTryAt);
    };
    const serve = async (): Promise<Served> => {
      const parts = { values: this.#values, sender: this.#sender, decisions: this.#decisions };
      const served = await callUntilServed(this.#context, parts, operation, spec, again);
      // Another session or login would be as fresh as the first one was.
      again = isSafe(operation) ? undefined : served.prepared;
      return served;
    };
    let { answer } = await propagationDelay.retry(operation.id, serve, mayBeTooEarly, (served, mayHelp) =>
      this.#isEarly(served.answered.exchange, () => mayHelp && namesNew(served)),
    );
    if (mayBeTooEarly(answer) && isSafe(operation) && isTooEarly(operation, answer)) {
      // A session that lives for a moment may have ended before the read had its turn.
      this.#values.forget();
      answer = await serve();
    }
    const { answered, prepared, hadDelay } = answer;
    this.#keep(answered.exchange, spec);
    this.#context.controls?.note(operation.id, answered.exchange);
    this.#noteIssued(operation, answered);
    if (prepared.isFresh && hadDelay) propagationDelay.waited(statusOf(answered.exchange) !== 404);
    await this.#awaitPropagation(operation, answered.exchange);
    return answered;
  }

  /** Notes what a call has issued, which a part of the target may not know yet, and what it has ended. */
  #noteIssued({ id, role }: Operation, { exchange, body }: Answered): void {
    if (statusOf(exchange) !== 200) return;
    const { known, propagationDelay } = this.#context;
    if (role === 'ends-session') propagationDelay.ended(exchange.request.values['sessionId']?.value ?? '');
    const captured = [...known.captures()].flatMap(([name, { from }]) => (from === id ? [name] : []));
    const names = role === 'creates-session' ? [...new Set([...captured, 'sessionId'])] : captured;
    for (const name of names) {
      const value = this.#values.extract(name, body());
      if (typeof value === 'string' || typeof value === 'number')
        propagationDelay.issued(String(value), Date.parse(exchange.startedAt) + exchange.durationMs);
    }
  }

  #namesFresh({ prepared }: Served, at: number): boolean {
    const values = Object.values(prepared.values).map(({ value }) => value);
    const body = prepared.body?.bytes.toString() ?? '';
    return this.#context.propagationDelay.isFresh(values, body, at);
  }

  /** Waits until the target is likely to know everywhere what it has just issued. */
  async #awaitPropagation({ id, role }: Operation, exchange: Exchange): Promise<void> {
    const { known, propagationDelay } = this.#context;
    if (propagationDelay.ms === 0 || statusOf(exchange) !== 200) return;
    const issuers = [...known.captures()].map(([, { from }]) => from);
    if (role === 'creates-session' || issuers.includes(id)) await this.pause(propagationDelay.ms);
  }

  #keep(exchange: Exchange, { isOrdinary }: CallSpec): void {
    if (this.#exchanges.length >= mostKept && isOrdinary?.(exchange) === true) this.#omittedCount += 1;
    else this.#exchanges.push(exchange);
  }
}

/** Whether a call that was refused needs what an earlier call of the harness made. */
function isTooEarly({ method }: Operation, { answered: { exchange }, prepared }: Served): boolean {
  const { credential, values } = exchange.request;
  // What lacks a good key need not find anything.
  if (method !== 'GET') return prepared.isFresh && credential.kind === 'scoped';
  return Object.entries(values).some(
    ([name, { source }]) => source === 'captured' || (name === 'sessionId' && source === 'discovered'),
  );
}

/** Whether a call is a valid one that issues a value, which an equal one just before may keep from being issued. */
function isIssued({ role }: Operation, { body, credential, headers, query }: CallSpec): boolean {
  const changed = [body, credential, headers, query];
  return role !== 'ends-session' && changed.every((part) => part === undefined);
}
