import { isSafe, type Operation, sharedResource } from '../../spec/operation.ts';
import { callKey, endOf, statusOf } from '../evidence/answer.ts';
import { type Reduced, type Reduction, reduce } from '../fuzzing/reduce.ts';
import { fewerParts } from '../fuzzing/smaller-sequences.ts';
import type { DedicatedConnection } from '../http/http-client.ts';
import type { Exchange, UsedValue } from '../model/exchange.ts';
import type { Json } from '../model/target.ts';
import type { Answered, CallChanges, CallSpec } from '../requests/call-spec.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';
import { RideAlong } from '../requests/ride-along.ts';
import { ValidValues } from '../requests/valid-values.ts';
import { isTrueWith } from '../sampling/profile.ts';
import type { StepPlan } from '../sampling/step-plan.ts';
import { CaseFacts } from './case-facts.ts';
import { type Decisions, MadeDecisions } from './decisions.ts';
import { compose, propagate, reconnect, type Send, type Transport, throttle } from './pipeline.ts';
import type { Propagated } from './propagation-delay.ts';
import type { RunContext } from './run-context.ts';
import { admit, LiveTransport, OverBudget, prepare } from './sending-stages.ts';
import { asSetUp, isPlainControl } from './shared-controls.ts';

/** Milliseconds in which a value that another case got is as good as one of its own: what expires sooner would do so within a case. */
const freshMs = 1_200;
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
export class CaseClient extends CaseFacts {
  readonly #context: RunContext;
  readonly #check: string;
  readonly #operation: Operation;
  readonly #exchanges: Exchange[] = [];
  /** Answers from which values are taken that need not be unused, by the operation that issued them. */
  readonly #issued = new Map<string, Promise<Answered>>();
  /** Set-up calls, with the name of the value that each was made for. */
  readonly #captured = new Map<Exchange, string>();
  #isForRefusal = false;
  /** The probe itself retries what comes too early. */
  #isRetrying = false;
  readonly #riding: RideAlong;
  /** The valid values that calls are made of. */
  readonly values: ValidValues;
  readonly #transport: Transport;
  readonly #send: Send;
  readonly #decisions: Decisions;
  readonly #knowsAllEarlier: boolean;
  readonly #attempt: number;
  #omittedCount = 0;
  #overBudget: OverBudget | undefined;
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
    const sendingFor = { check, operation, attempt };
    super(context, sendingFor);
    this.#context = context;
    this.#check = check;
    this.#operation = operation;
    this.#decisions = decisions;
    this.#attempt = attempt;
    this.earlier = earlier.shown;
    this.earlierControl = earlier.control;
    this.#knowsAllEarlier = earlier.areAll;
    this.#riding = new RideAlong(context, sendingFor);
    this.values = new ValidValues(context, sendingFor, async (source, name, isFresh) => {
      const send = (): Promise<Answered> =>
        this.#call({ role: 'setup', label: `takes ${name}`, operation: source });
      const isRefusal = this.#isForRefusal;
      const isUsable = ({ exchange, body }: Answered): boolean =>
        isRefusal ||
        (Date.now() - endOf(exchange) < freshMs &&
          !context.sessions.hasEnded(String(this.values.extract(name, body()))));
      const mayShare = isRefusal || (isSafe(this.#operation) && !isFresh);
      const { exchange, body } = mayShare ? await this.#issuedBy(source, send, isUsable) : await send();
      this.#captured.set(exchange, name);
      return { status: statusOf(exchange), body: body() };
    });
    const parts = { context, sendingFor, values: this.values, decisions };
    this.#transport = context.transportFor?.(sendingFor) ?? new LiveTransport(context, sendingFor);
    this.#send = compose([propagate(parts), throttle(parts), reconnect, admit(parts)])(
      prepare(parts)(this.#transport.send),
    );
  }

  /** Whether an earlier attempt at the case needs confirmation, or was disturbed. */
  get isRetry(): boolean {
    return this.#attempt > 1;
  }

  /**
   * Prepares calls that must be refused. As these use nothing up, they name the same captured values, such as one session.
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

  /** Whether there is room for so many requests that a wrong response calls for. */
  affords(requests: number): boolean {
    return this.#decisions.ask('room', '', true, () => this.#context.budget.followUpRoom >= requests);
  }

  /** Why the budget kept a request of this attempt from being sent, even where the probe goes on; undefined where it did not. */
  get overBudget(): OverBudget | undefined {
    return this.#overBudget;
  }

  /** The known valid body of the operation with fresh captured values; throws `InconclusiveError` where none is known. */
  validBody(): Promise<Json> {
    return this.values.validBody();
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
        this.#decisions.ask('early', exchange.id, false, () => mayHelp),
      );
    } finally {
      this.#isRetrying = false;
    }
  }

  /** Acts after the other cases of the run that asked for a turn on the same state, such as checkout sessions. */
  inTurn<T>(act: () => Promise<T>): Promise<T> {
    const state = sharedResource(this.#operation);
    return state === undefined ? act() : this.#context.locks[state].inTurn(act);
  }

  /** Waits; another case may run meanwhile. */
  pause(ms: number): Promise<void> {
    const { slots, sleep } = this.#context;
    return slots.wait(() => sleep(ms));
  }

  /** Waits during a turn; another case has its turn meanwhile. */
  pauseInTurn(ms: number): Promise<void> {
    const state = sharedResource(this.#operation);
    const pause = (): Promise<void> => this.pause(ms);
    return state === undefined ? pause() : this.#context.locks[state].betweenTurns(pause);
  }

  /** Waits until so many milliseconds have passed since the last call: what depends on the time shows only over some time. */
  async spaced(ms: number): Promise<void> {
    const last = this.#exchanges.at(-1);
    const passed = last === undefined ? ms : Date.now() - endOf(last);
    if (passed < ms) await this.pause(ms - passed);
  }

  /** The known value of a path parameter, captured afresh where it is a captured one. */
  knownValue(name: string, operation: Operation = this.#operation): Promise<UsedValue> {
    return this.values.knownValue(name, operation);
  }

  /** Captures a value anew, even where the attempt holds one. */
  capture(name: string): Promise<string | number> {
    return this.values.capture(name);
  }

  /** The name of the value that a call was made to take; undefined for other calls. */
  capturedBy(exchange: Exchange): string | undefined {
    return this.#captured.get(exchange);
  }

  /** Replaces the placeholders of a body by captured values. */
  fill(template: Json): Promise<Json> {
    return this.values.fill(template);
  }

  /** Opens a connection for consecutive calls; closed with the attempt. */
  openConnection(): DedicatedConnection {
    return this.#transport.openConnection();
  }

  /** Opens a connection for a step and the calls before it; undefined where the run does not plan the step. */
  connectionFor(step: StepPlan): DedicatedConnection | undefined {
    return this.plans(step) ? this.openConnection() : undefined;
  }

  /** Closes the connections of this attempt. */
  close(): Promise<void> {
    return this.#transport.close();
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

  /** Finds the fewest of some parts that fail together, such as what rides along on a call. */
  fewest<T>(
    parts: readonly T[],
    stillFails: (some: readonly T[]) => Promise<boolean>,
    budget: number = 2 * parts.length,
  ): Promise<Reduced<readonly T[]>> {
    return this.smallest(parts, { smaller: fewerParts, keyOf: JSON.stringify, stillFails, budget });
  }

  /** Makes a call that issues a value of a capture, also while others are under way; undefined where the answer lacks it. */
  async issue(
    name: string,
    spec: CallSpec,
    changes: CallChanges = {},
  ): Promise<{ readonly exchange: Exchange; readonly id: unknown }> {
    const { exchange, body } = await this.#answered(spec, changes);
    return { exchange, id: this.values.extract(name, body()) };
  }

  async #answered(spec: CallSpec, changes: CallChanges): Promise<Answered> {
    const shared = this.#attempt === 1 && isPlainControl(spec, changes) ? this.#context.controls : undefined;
    const whole = { ...spec, ...changes };
    const isOwn = whole.connection !== undefined || isTrueWith(this.#context.profile, whole.isOwn);
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

  /** Makes a call that issues a value which need not be unused, unless another case has made it, or this one. */
  async #issuedBy(
    { id }: Operation,
    send: () => Promise<Answered>,
    isUsable: (answered: Answered) => boolean,
  ): Promise<Answered> {
    const controls = this.#attempt === 1 ? this.#context.controls : undefined;
    if (controls === undefined) return send();
    const before = this.#issued.get(id);
    if (before !== undefined) return before;
    const issuing = controls.forValues(id, send, isUsable);
    this.#issued.set(id, issuing);
    const answered = await issuing;
    if (!this.#isOwn(answered.exchange)) this.#exchanges.unshift(asSetUp(answered.exchange));
    return answered;
  }

  #isOwn({ case: { check, operation } }: Exchange): boolean {
    return check === this.#check && operation === this.#operation.id;
  }

  /** An exchange of this attempt; that of another case counts as one of this step. */
  #own(exchange: Exchange, { step }: CallSpec): Exchange {
    if (this.#isOwn(exchange)) return exchange;
    const own = { ...exchange, ...(step === undefined ? {} : { step }) };
    this.#exchanges.unshift(own);
    this.values.hold(own);
    return own;
  }

  async #call(spec: CallSpec): Promise<Answered> {
    const operation = spec.operation ?? this.#operation;
    if (this.#context.readOnly && !isSafe(operation)) {
      throw new InconclusiveError(`a read-only run sends no ${operation.method}`, {
        remedy: 'run without --read-only',
      });
    }
    try {
      const isRepeated = this.#isRetrying;
      const answered = await this.#send({ operation, spec, connection: spec.connection, isRepeated });
      this.#keep(answered.exchange, spec);
      this.#context.controls?.note(operation.id, answered.exchange);
      return answered;
    } catch (error) {
      if (error instanceof OverBudget) this.#overBudget = error;
      throw error;
    }
  }

  #keep(exchange: Exchange, { isOrdinary }: CallSpec): void {
    if (this.#exchanges.length >= mostKept && isOrdinary?.(exchange) === true) this.#omittedCount += 1;
    else this.#exchanges.push(exchange);
  }
}
