import { isSafe, type Operation } from '../../spec/operation.ts';
import { callKey, endOf, statusOf } from '../evidence/answer.ts';
import { numberOf } from '../evidence/evidence-format.ts';
import type { DedicatedConnection } from '../http/http-client.ts';
import type { Exchange, UsedValue } from '../model/exchange.ts';
import type { Json } from '../model/target.ts';
import type { Answered, CallChanges, CallSpec } from '../requests/call-spec.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';
import { ValidValues } from '../requests/valid-values.ts';
import { isTrueWith } from '../sampling/profile.ts';
import type { StepPlan } from '../sampling/step-plan.ts';
import { CaseFacts } from './case-facts.ts';
import { type Decisions, MadeDecisions } from './decisions.ts';
import { liveTransport } from './live-transport.ts';
import { admit, OverBudget, prepare, reconnect, type Send, type Transport, throttle } from './pipeline.ts';
import { type Propagated, propagate } from './propagation-delay.ts';
import { type RideAlong, ridingAlong } from './ride-along.ts';
import type { RunContext } from './run-context.ts';
import { asSetUp, isPlainControl } from './shared-controls.ts';

/** Milliseconds for which a value of another case can be used: a value that expires sooner would also expire within a case. */
const freshMs = 1_200;
/** Exchanges of one attempt beyond which ordinary ones are only counted. */
const mostKept = 1_000;

/** Context that a retry has from the earlier attempts at its case. */
export interface EarlierAttempts {
  readonly shown: readonly Exchange[];
  /** Whether these are all: a finding from a report may represent more exchanges than the one that it holds. */
  readonly areAll: boolean;
  /** The valid call, with the values of that attempt. */
  readonly control?: Exchange | undefined;
}

/** The client with which a probe calls the target during one attempt at one case. */
export class CaseClient extends CaseFacts {
  readonly #exchanges: Exchange[] = [];
  /** Answers from which values are taken that need not be unused, by the operation that issued them. */
  readonly #issued = new Map<string, Promise<Answered>>();
  /** Set-up calls, with the name of the value that each was made for. */
  readonly #captured = new Map<Exchange, string>();
  #isForRefusal = false;
  /** The probe itself retries calls that come too early. */
  #isRetrying = false;
  readonly #riding: RideAlong;
  readonly values: ValidValues;
  readonly #transport: Transport;
  readonly #send: Send;
  readonly #earlier: EarlierAttempts;
  #omittedCount = 0;
  #overBudget: OverBudget | undefined;
  #lastBody: () => unknown = () => undefined;

  constructor(
    context: RunContext,
    check: string,
    operation: Operation,
    attempt: number,
    earlier: EarlierAttempts = { shown: [], areAll: false },
    decisions: Decisions = new MadeDecisions(),
  ) {
    const sendingFor = { check, operation, attempt };
    super(context, sendingFor, decisions);
    this.#earlier = earlier;
    this.#riding = ridingAlong(context, sendingFor, this, earlier.shown);
    this.values = new ValidValues(context, sendingFor, async (source, name, isFresh) => {
      const { exchange, body } = await this.#take(source, name, isFresh);
      this.#captured.set(exchange, name);
      return { status: statusOf(exchange), body: body() };
    });
    const parts = { context, sendingFor, values: this.values, decisions };
    this.#transport = context.transportFor?.(sendingFor) ?? liveTransport(context, sendingFor);
    const begin = admit(parts, prepare(parts, this.#transport.send));
    this.#send = propagate(parts, throttle(parts, reconnect(begin)));
  }

  /** Exchanges of earlier attempts that showed violations: fuzzing repeats only these. */
  get earlier(): readonly Exchange[] {
    return this.#earlier.shown;
  }

  /** The valid call of the earlier attempt, with the values of that attempt. */
  get earlierControl(): Exchange | undefined {
    return this.#earlier.control;
  }

  /** Whether an earlier attempt at the case needs confirmation, or was disturbed. */
  get isRetry(): boolean {
    return this.sendingFor.attempt > 1;
  }

  /** Prepares calls that must be refused: these use nothing up, so that all name the same captured values. */
  async forRefusal<Prepared>(prepare: () => Promise<Prepared>): Promise<Prepared> {
    this.#isForRefusal = true;
    try {
      return await prepare();
    } finally {
      this.#isForRefusal = false;
    }
  }

  /** The answered calls so far in the order of their requests, without throttled ones, which prove nothing here. */
  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  /** The last JSON body with its secrets: for extracting values, never for keeping. */
  get lastBody(): unknown {
    return this.#lastBody();
  }

  /** Whether the evidence holds a value of a response unredacted, so that it can be sent: verification does not know redacted ones. */
  isKept(value: string): boolean {
    return !/[<>]/.test(this.context.secrets.redact(value));
  }

  get omittedCount(): number {
    return this.#omittedCount;
  }

  /** Why the budget kept a request of this attempt from being sent, even where the probe goes on; undefined where it did not. */
  get overBudget(): OverBudget | undefined {
    return this.#overBudget;
  }

  /** The known valid body of the operation with fresh captured values; throws `InconclusiveError` if none is known. */
  validBody(): Promise<Json> {
    return this.values.validBody();
  }

  /** Whether to make a call: always, unless earlier attempts determined which calls show violations. */
  wants(spec: CallSpec, changes: CallChanges = {}): boolean {
    const wanted = callKey({ ...spec, ...changes });
    return !this.#earlier.areAll || this.earlier.some((earlier) => callKey(earlier) === wanted);
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
      return await this.context.propagationDelay.retry(operation.id, call, isEarly, (exchange, mayHelp) =>
        this.decisions.ask('early', exchange.id, false, () => mayHelp),
      );
    } finally {
      this.#isRetrying = false;
    }
  }

  /** Waits until this many milliseconds have passed since the last call, because effects of time take time to show. */
  async spaced(ms: number): Promise<void> {
    const last = this.#exchanges.at(-1);
    const passed = last === undefined ? ms : Date.now() - endOf(last);
    if (passed < ms) await this.pause(ms - passed);
  }

  /** The known value of a path parameter, captured afresh where it is a captured one. */
  knownValue(name: string, operation: Operation = this.sendingFor.operation): Promise<UsedValue> {
    return this.values.knownValue(name, operation);
  }

  /** Captures a fresh value, even if the attempt holds one. */
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

  /** Opens a connection on which this many calls go out together, in this order; closed with the attempt. */
  openPipe(calls: number): readonly DedicatedConnection[] {
    return this.#transport.openPipe(calls);
  }

  /** Opens a connection for a step and the calls before it; undefined where the run does not plan the step. */
  connectionFor(step: StepPlan): DedicatedConnection | undefined {
    return this.times(step) > 0 ? this.openConnection() : undefined;
  }

  /** Closes the connections of this attempt. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  /**
   * Makes a call. Prepares it again after a throttled response, because the outcome of a request that ended in an error must
   * not be guessed. Throws `InconclusiveError`.
   */
  async call(spec: CallSpec, changes: CallChanges = {}): Promise<Exchange> {
    return (await this.#answered(spec, changes)).exchange;
  }

  /** Makes a call as often as the run plans its step, one after the other. */
  repeat(step: CallSpec & StepPlan, changes: CallChanges = {}): Promise<readonly Exchange[]> {
    return this.each(step, () => this.call(step, changes));
  }

  /** Acts as often as the run plans a step, one time after the other. */
  async each<T>(step: StepPlan, act: () => Promise<T>): Promise<readonly T[]> {
    const results: T[] = [];
    while (results.length < this.times(step)) results.push(await act());
    return results;
  }

  /** Makes a call that issues a value of a capture, also while others are under way; undefined where the answer lacks it. */
  async issue(
    name: string,
    spec: CallSpec,
    changes: CallChanges = {},
  ): Promise<{ readonly exchange: Exchange; readonly id: string | number | undefined }> {
    const { exchange, body } = await this.#answered(spec, changes);
    return { exchange, id: this.values.extract(name, body()) };
  }

  async #answered(spec: CallSpec, changes: CallChanges): Promise<Answered> {
    const { controls, profile } = this.context;
    const { operation, attempt } = this.sendingFor;
    const whole = { ...spec, ...changes };
    const send = async (one: CallSpec): Promise<Answered> => {
      const answered = await this.#call(one);
      this.#lastBody = answered.body;
      return answered;
    };
    const riding = whole.expects === undefined ? [] : this.#riding.on(whole);
    if (riding.length > 0) return this.#riding.call(riding, whole, send);
    if (controls === undefined || attempt > 1 || !isPlainControl(spec, changes)) return send(whole);
    // A case whose own call was refused tries again itself, or a call of another case would come before the refused one.
    const wasRefused = this.#exchanges.some(
      (one) => one.step === spec.step && this.#isOwn(one) && statusOf(one) !== 200,
    );
    const isOwn = wasRefused || whole.connection !== undefined || isTrueWith(profile, whole.isOwn);
    const answered = await controls.get({ operation, step: spec.step, isOwn }, () => send(whole));
    this.#lastBody = answered.body;
    if (this.#isOwn(answered.exchange)) return answered;
    // The call of another case counts as one of this step.
    const exchange = { ...answered.exchange, ...(spec.step === undefined ? {} : { step: spec.step }) };
    this.#exchanges.unshift(exchange);
    this.values.hold(exchange);
    return { exchange, body: answered.body };
  }

  /** Makes a call to capture a value from its response, unless an earlier call of this or another case can provide the value. */
  async #take(source: Operation, name: string, isFresh: boolean): Promise<Answered> {
    const { controls, sessions } = this.context;
    const { operation, attempt } = this.sendingFor;
    const isRefusal = this.#isForRefusal;
    const ask = (): Promise<Answered> =>
      this.#call({ role: 'setup', label: `takes ${name}`, operation: source });
    const usesUp = operation.role === 'consumes-login' || operation.role === 'ends-session';
    const send = usesUp ? () => this.#takeUnused(source, name, ask) : ask;
    if (controls === undefined || attempt > 1 || !(isRefusal || (isSafe(operation) && !isFresh)))
      return send();
    const before = this.#issued.get(source.id);
    if (before !== undefined) return before;
    const isUsable = ({ exchange, body }: Answered): boolean =>
      isRefusal ||
      (Date.now() - endOf(exchange) < freshMs &&
        !sessions.hasEnded(String(this.values.extract(name, body()))));
    const issuing = controls.forValues(source.id, send, isUsable);
    this.#issued.set(source.id, issuing);
    const answered = await issuing;
    if (!this.#isOwn(answered.exchange)) this.#exchanges.unshift(asSetUp(answered.exchange));
    return answered;
  }

  /** Asks again while a call has taken the value before: a target may answer equal logins or creates alike, and the first call uses that up. */
  async #takeUnused(source: Operation, name: string, ask: () => Promise<Answered>): Promise<Answered> {
    const { propagationDelay, takenValues } = this.context;
    const isTaken = ({ exchange, body }: Answered): boolean => {
      const value = String(this.values.extract(name, body()) ?? exchange.id);
      const wasTaken = takenValues.has(value);
      takenValues.add(value);
      return wasTaken;
    };
    // Whether other calls had taken it is not in the evidence of this attempt.
    const asksAgain = (answered: Answered, mayHelp: boolean): boolean =>
      this.decisions.ask('shared', answered.exchange.id, false, () => isTaken(answered) && mayHelp);
    const always = (): boolean => true;
    return (await propagationDelay.retry(`${name} of ${source.id}`, ask, always, asksAgain)).answer;
  }

  #isOwn({ case: { check, operation } }: Exchange): boolean {
    return check === this.sendingFor.check && operation === this.sendingFor.operation.id;
  }

  /** Keeps an exchange in the order of the requests: which of two calls at once was answered first is not in the evidence. */
  #keep(exchange: Exchange): void {
    const before = this.#exchanges.findLastIndex(
      (one) => !this.#isOwn(one) || numberOf(one) < numberOf(exchange),
    );
    this.#exchanges.splice(before + 1, 0, exchange);
  }

  async #call(spec: CallSpec): Promise<Answered> {
    const { operation = this.sendingFor.operation } = spec;
    if (this.context.readOnly && !isSafe(operation)) {
      throw new InconclusiveError(`a read-only run sends no ${operation.method}`, {
        remedy: 'run without --read-only',
      });
    }
    try {
      const answered = await this.#send({ operation, spec, isRepeated: this.#isRetrying });
      const { exchange } = answered;
      if (this.#exchanges.length >= mostKept && spec.isOrdinary?.(exchange) === true) this.#omittedCount += 1;
      else this.#keep(exchange);
      this.context.controls?.note(operation.id, exchange);
      return answered;
    } catch (error) {
      if (error instanceof OverBudget) this.#overBudget = error;
      throw error;
    }
  }
}
