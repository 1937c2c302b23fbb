import { isSafe, type Operation, type OperationRole } from '../../spec/operation.ts';
import { statusOf } from '../evidence/answer.ts';
import { parseJson } from '../evidence/parse-json.ts';
import type { DedicatedConnection, OutgoingRequest, RawAnswer } from '../http/http-client.ts';
import type { Exchange, UsedValue } from '../model/exchange.ts';
import type { SuppliedDocument } from '../model/supplied-document.ts';
import type { Exclusion, Json } from '../model/target.ts';
import { spareRequests } from '../pacing/budget-reservations.ts';
import type { RandomInputs } from '../pacing/fuzz-budget.ts';
import { BudgetSpent, PatienceSpent } from '../pacing/rate-limiter.ts';
import { seededRandom } from '../seeded-random.ts';
import type { CallChanges, CallSpec } from './call-spec.ts';
import { InconclusiveError, targetDied } from './inconclusive-error.ts';
import type { Credential, KeyRing } from './key-ring.ts';
import { recordAnswer, recordRequest } from './record-call.ts';
import type { RunContext } from './run-context.ts';
import { type PreparedCall, ValidValues } from './valid-values.ts';

const moreRequests = 'raise --max-requests';
const slower = '--rate <fewer requests per second>';

/** Tries of one call that is throttled every time. */
const throttledTries = 12;
/** Tries of one call that is answered with an undocumented sign of overload, such as 503, before that is its answer. */
const overloadedTries = 3;

/** Reads of something that was just made, before a 404 is the answer: not every service reads its own writes at once. */
const propagationAttempts = 4;
/** Milliseconds between two of them. */
const propagationPause = 250;

/** Bytes, and levels, of a body that is parsed for values in it. */
const mostParsed = 1024 * 1024;
const deepestParsed = 1_000;
/** Exchanges of one attempt from which on ordinary ones are only counted. */
const mostKept = 1_000;

interface Answered {
  readonly exchange: Exchange;
  /** Of the answer, parsed where it can be and when it is asked for; may hold secrets. */
  readonly body: () => unknown;
}

/** What earlier attempts at a case tell a later one. */
export interface EarlierAttempts {
  /** What showed violations. */
  readonly shown: readonly Exchange[];
  /** Whether nothing else did: a finding that is read from a report may stand for more than the exchange that it holds. */
  readonly areAll: boolean;
  /** The valid call, with the values that were known then. */
  readonly control?: Exchange | undefined;
}

/** Sends the calls of one attempt at one case, and keeps what was exchanged. */
export class CaseClient {
  readonly #context: RunContext;
  readonly #check: string;
  readonly #operation: Operation;
  readonly #attempt: number;
  /** What the ids of its exchanges begin with. */
  readonly #prefix: string;
  /** Id of the case. */
  readonly #case: string;
  /** Path prefix of the base URL, without a slash at its end. */
  readonly #basePath: string;
  readonly #exchanges: Exchange[] = [];
  readonly #connections = new Set<DedicatedConnection>();
  readonly #appliedExclusions = new Set<Exclusion>();
  /** Connections that have carried a request that was authenticated, by how many connections the lane had then. */
  readonly #authenticatedConnections = new Map<DedicatedConnection, number>();
  readonly #values: ValidValues;
  #omittedCount = 0;
  /** What showed violations in earlier attempts at the case: for fuzzing, all that need be sent again. */
  readonly earlier: readonly Exchange[];
  /** The valid call of the earlier attempt, with the values that were known then. */
  readonly earlierControl: Exchange | undefined;
  readonly #knowsAllEarlier: boolean;
  #lastBody: () => unknown = () => undefined;

  constructor(
    context: RunContext,
    check: string,
    operation: Operation,
    attempt: number,
    earlier: EarlierAttempts = { shown: [], areAll: false },
  ) {
    this.earlier = earlier.shown;
    this.earlierControl = earlier.control;
    this.#knowsAllEarlier = earlier.areAll;
    this.#context = context;
    this.#check = check;
    this.#operation = operation;
    this.#attempt = attempt;
    this.#case = `${operation.id}/${check}`;
    this.#prefix = `${this.#case}/${attempt}`;
    this.#basePath = new URL(context.target.baseUrl).pathname.replace(/\/$/, '');
    this.#values = new ValidValues(context, operation, async (source, label) => {
      const { exchange, body } = await this.#call({ role: 'setup', label, operation: source });
      return { status: statusOf(exchange), body: body() };
    });
  }

  /** The answered calls so far; throttled ones are left out, for they decide nothing here. */
  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  /** The last JSON body as it came, secrets included: for taking values out of it, never to be kept. */
  get lastBody(): unknown {
    return this.#lastBody();
  }

  /** Ordinary answers that are only counted. */
  get omittedCount(): number {
    return this.#omittedCount;
  }

  /** Random inputs for each parameter and each body. */
  get fuzzRuns(): number {
    return this.#context.fuzzRuns;
  }

  /** Whether the budget leaves room for what is good to know but decides nothing. */
  get hasRoom(): boolean {
    return spareRequests(this.#context) > 0;
  }

  /** Random inputs of one kind; the first attempt at a case is granted as many of them as the budget has room for. */
  randomInputs(name: string): RandomInputs {
    return this.#context.fuzzBudget.open(this.#case, name);
  }

  get keys(): KeyRing {
    return this.#context.keys;
  }

  /** The platform's own OpenAPI document; undefined where the user gave none. */
  get document(): SuppliedDocument | undefined {
    return this.#context.document;
  }

  /** The known valid body of the operation, captured values taken afresh; throws `InconclusiveError` where none is known. */
  validBody(): Promise<Json> {
    return this.#values.validBody();
  }

  /** Whether the user left values of a class out here; what was left out is told with the result. */
  excludes(valueClass: string, parameter: string): boolean {
    const exclusion = this.#context.target.exclusions.find(
      (one) =>
        one.class === valueClass &&
        (one.parameter ?? parameter) === parameter &&
        (one.operation ?? this.#operation.id) === this.#operation.id,
    );
    if (exclusion !== undefined) this.#appliedExclusions.add(exclusion);
    return exclusion !== undefined;
  }

  /** The exclusions that took effect. */
  get appliedExclusions(): readonly Exclusion[] {
    return [...this.#appliedExclusions];
  }

  get operations(): readonly Operation[] {
    return this.#context.contract.operations;
  }

  /** Numbers that depend on the seed and the case alone. */
  random(...labels: readonly string[]): () => number {
    return seededRandom(this.#context.seed, this.#check, this.#operation.id, ...labels);
  }

  /** Whether an input is to be sent, known by its label: all are, until it is known which of them show violations. */
  wants(label: string): boolean {
    return !this.#knowsAllEarlier || this.earlier.some((earlier) => earlier.label === label);
  }

  /** Whether any session was created in this run so far. */
  get hasOpenedSessions(): boolean {
    return this.#context.sessions.anyOpened;
  }

  /** Takes note that a fresh value was taken after so many milliseconds that was refused before. */
  propagationTook(ms: number): void {
    this.#context.propagationDelay.tookUntil(ms);
  }

  /** Waits, for what takes time on the other side. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
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

  /** The known value of a path parameter; takes a captured one afresh where that is what it is. */
  knownValue(name: string, operation: Operation = this.#operation): Promise<UsedValue> {
    return this.#values.knownValue(name, operation);
  }

  /** Takes a captured value anew, whatever is held. */
  capture(name: string): Promise<string | number> {
    return this.#values.capture(name);
  }

  /** A captured value as the last answer holds it; undefined where it does not. */
  lastValue(name: string): unknown {
    return this.#values.extract(name, this.lastBody);
  }

  /** A body with the captured values that it asks for put in. */
  fill(template: Json): Promise<Json> {
    return this.#values.fill(template);
  }

  /** One connection on which calls follow each other; closed with the attempt. */
  openConnection(): DedicatedConnection {
    const connection = this.#context.client.openConnection();
    this.#connections.add(connection);
    return connection;
  }

  /** Ends the connections of this attempt. */
  async close(): Promise<void> {
    await Promise.all([...this.#connections].map((connection) => connection.close()));
  }

  /**
   * Makes the call, throttled answers left aside: these are waited out, and the whole call is prepared anew, for the
   * outcome of a request that ended in an error is never guessed. Throws `InconclusiveError`.
   */
  async call(spec: CallSpec, changes: CallChanges = {}): Promise<Exchange> {
    const { exchange, body } = await this.#call({ ...spec, ...changes });
    this.#lastBody = body;
    return exchange;
  }

  async #call(spec: CallSpec): Promise<Answered> {
    const operation = spec.operation ?? this.#operation;
    const { liveness, sessions, propagationDelay } = this.#context;
    if (this.#context.readOnly && !isSafe(operation)) {
      throw new InconclusiveError(`a read-only run sends no ${operation.method}`, {
        remedy: 'run without --read-only',
      });
    }
    let connection = spec.connection;
    let rereads = 0;
    for (let tries = 1; tries <= throttledTries; tries += 1) {
      this.#refuseWithoutRoom(spec);
      this.#refuseToWaitInVain(operation, spec);
      const isSettled = propagationDelay.ms > 0;
      const prepared = await this.#values.prepare(operation, spec);
      if (prepared.isFresh && spec.propagationDelayMs !== undefined)
        await this.pause(spec.propagationDelayMs);
      const answered = await this.#send(operation, spec, prepared, connection);
      const { exchange } = answered;
      if (spec.acceptThrottled !== true) {
        if (isThrottled(exchange)) continue;
        if (liveness.isOverload(operation.id, exchange.response?.status) && tries < overloadedTries) continue;
      }
      const isEarly = readsTooEarly(operation, exchange);
      if (rereads > 0 && (!isEarly || rereads === propagationAttempts)) sessions.waitedFor(!isEarly);
      if (isEarly && rereads < propagationAttempts && sessions.areWorthWaitingFor) {
        rereads += 1;
        await this.pause(propagationPause);
        continue;
      }
      if (connection === undefined && isStaleConnection(exchange)) {
        // A server may close an idle connection at any moment; that says nothing about the request.
        connection = 'fresh';
        continue;
      }
      this.#keep(exchange, spec);
      if (prepared.isFresh && isSettled) propagationDelay.waited(statusOf(exchange) !== 404);
      await this.#settle(operation, exchange);
      return answered;
    }
    throw new InconclusiveError('the target throttled every try', {
      remedy: slower,
      transient: true,
    });
  }

  /** Waits until the target knows what it has just issued, where it is known to take a while. */
  async #settle({ id, role }: Operation, exchange: Exchange): Promise<void> {
    const { known, propagationDelay } = this.#context;
    if (propagationDelay.ms === 0 || statusOf(exchange) !== 200) return;
    const issuers = [...known.captures()].map(([, { from }]) => from);
    if (role === 'creates-session' || issuers.includes(id)) await this.pause(propagationDelay.ms);
  }

  #keep(exchange: Exchange, { isOrdinary }: CallSpec): void {
    if (this.#exchanges.length >= mostKept && isOrdinary?.(exchange) === true) this.#omittedCount += 1;
    else this.#exchanges.push(exchange);
  }

  #refuseWithoutRoom(spec: CallSpec): void {
    const { rateLimiter, reservations } = this.#context;
    if (spec.role === 'preflight') return;
    if (spec.role !== 'cleanup' && !reservations.begin(this.#case, rateLimiter.remaining)) {
      throw new InconclusiveError('what is left of the budget of requests has no room for it', {
        remedy: moreRequests,
      });
    }
  }

  #refuseToWaitInVain(operation: Operation, spec: CallSpec): void {
    const { liveness } = this.#context;
    if (spec.role === 'preflight') return;
    if (liveness.dead !== undefined) throw new InconclusiveError(targetDied);
    if (liveness.ended !== undefined && spec.role !== 'cleanup') throw new InconclusiveError(liveness.ended);
    // Once is enough to show it again where others have waited in vain as well.
    if (liveness.isGivenUp(operation.id) && (spec.persistent !== true || this.#attempt > 1)) {
      throw new InconclusiveError(`${operation.id} did not answer in time`, {
        remedy: '--timeout <more milliseconds>',
      });
    }
  }

  async #send(
    operation: Operation,
    spec: CallSpec,
    prepared: PreparedCall,
    requested: CallSpec['connection'],
  ): Promise<Answered> {
    const { client, rateLimiter, liveness, secrets, target } = this.#context;
    const credential = spec.credential ?? this.#ownCredential(operation, spec);
    if (spec.role !== 'reduction') this.#context.reservations.sent(this.#case);
    const id = `${this.#prefix}.${this.#context.recorder.nextNumber(this.#prefix)}`;
    const requestId = `${this.#context.runId}/${id}`;
    const headers: Array<readonly [string, string]> = [
      ['user-agent', this.#context.userAgent],
      ['accept', 'application/json'],
      ['x-request-id', requestId],
      ...target.headers,
    ];
    if (credential.header !== undefined) headers.push(['authorization', credential.header]);
    if (prepared.body?.contentType !== undefined) headers.push(['content-type', prepared.body.contentType]);
    const request: OutgoingRequest = {
      method: operation.method,
      path: this.#basePath + prepared.path,
      headers,
      ...(prepared.body === undefined ? {} : { body: prepared.body.bytes }),
    };
    const connection = requested === 'fresh' ? this.openConnection() : requested;
    let startedAt = '';
    let raw: RawAnswer;
    const leave = spec.role === 'preflight' ? undefined : await liveness.approach(operation.id);
    try {
      raw = await rateLimiter.run(
        async () => {
          if (spec.role !== 'preflight') await liveness.looked();
          this.#refuseToWaitInVain(operation, spec);
          startedAt = new Date().toISOString();
          return (connection ?? client).send(request);
        },
        ({ failure, status, durationMs }) => {
          if (failure !== undefined) {
            if (spec.role !== 'preflight')
              liveness.miss(operation.id, { failure: failure.kind, what: spec.label, durationMs });
            return 'unanswered';
          }
          if (status === 429) return 'throttled';
          return liveness.isOverload(operation.id, status) ? 'overloaded' : 'served';
        },
        purposeOf(spec),
      );
    } catch (error) {
      if (error instanceof PatienceSpent) {
        liveness.end(`${error.message} (give a rate that it bears with ${slower})`);
        throw new InconclusiveError(error.message, { remedy: slower });
      }
      if (error instanceof BudgetSpent) throw new InconclusiveError(error.message, { remedy: moreRequests });
      throw error;
    } finally {
      leave?.();
    }
    // Only now it is known whether the connection that was authenticated was still there.
    const reused =
      connection !== undefined && this.#authenticatedConnections.get(connection) === connection.connections;
    if (requested === 'fresh' && connection !== undefined) {
      this.#connections.delete(connection);
      await connection.close();
    } else if (connection !== undefined && raw.status === 200 && credential.kind !== 'none') {
      this.#authenticatedConnections.set(connection, connection.connections);
    }
    const exchange: Exchange = {
      id,
      operation: operation.id,
      case: { check: this.#check, operation: this.#operation.id },
      role: spec.role,
      label: spec.label,
      ...(spec.step === undefined ? {} : { step: spec.step }),
      attempt: this.#attempt,
      request: recordRequest(
        request,
        {
          credential,
          authorization: target.authorization,
          prepared,
          connection: connection === undefined ? 'shared' : reused ? 'reused' : 'fresh',
          protocol: raw.protocol,
          requestId,
        },
        secrets,
      ),
      ...recordAnswer(raw, secrets),
      startedAt,
      durationMs: Math.round(raw.durationMs * 100) / 100,
    };
    // Nobody takes a value out of a flood, whose parsing takes long, and many times its size.
    const parsed = raw.body.length > mostParsed ? Buffer.alloc(0) : raw.body;
    const body = lazily(() => (nestsDeeper(parsed, deepestParsed) ? undefined : parseLeniently(parsed)));
    this.#followSessions(operation, prepared, raw, body);
    this.#context.recorder.record(exchange);
    if (spec.role !== 'preflight') {
      await liveness.note(operation.id, {
        failure: raw.failure?.kind,
        status: raw.status,
        bytes: raw.body.length,
      });
    }
    if (raw.failure?.kind === 'proxy' && spec.role !== 'preflight') {
      // Nothing reached the target, and so nothing is known of it.
      throw new InconclusiveError(secrets.redact(raw.failure.message), { transient: true });
    }
    return { exchange, body };
  }

  #ownCredential(operation: Operation, spec: CallSpec): Credential {
    if (operation.auth === 'none') return this.keys.none;
    if (this.keys.scoped !== undefined) return this.keys.scoped;
    if (operation.scope === undefined && this.keys.unscoped !== undefined) return this.keys.unscoped;
    if (spec.placeholders === true) return this.keys.none;
    throw new InconclusiveError(
      `no key${operation.scope === undefined ? '' : ` with ${operation.scope}`} is known`,
      {
        remedy: `keys: { scoped: ${'$'}{COMMERCE_KEY} }`,
      },
    );
  }

  #followSessions(operation: Operation, prepared: PreparedCall, raw: RawAnswer, body: () => unknown): void {
    if (raw.status === undefined || raw.status < 200 || raw.status >= 300) return;
    if (operation.role === 'creates-session') {
      const id = this.#values.extract('sessionId', body());
      if (typeof id === 'string' || typeof id === 'number') this.#context.sessions.opened(String(id));
    }
    if (operation.role === 'ends-session')
      this.#context.sessions.closed(prepared.values['sessionId']?.value ?? '');
  }
}

function purposeOf({ role, urgent }: CallSpec): 'case' | 'cleanup' | 'provocation' {
  if (urgent === true) return 'provocation';
  return role === 'cleanup' || role === 'provocation' ? role : 'case';
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function isThrottled(exchange: Exchange): boolean {
  return exchange.response?.status === 429 && exchange.failure === undefined;
}

/** A read of what an earlier call made says that it is not there. */
function readsTooEarly({ method }: Operation, { request, response }: Exchange): boolean {
  const values = Object.entries(request.values);
  return (
    method === 'GET' &&
    response?.status === 404 &&
    values.some(
      ([name, { source }]) => source === 'captured' || (name === 'sessionId' && source === 'discovered'),
    )
  );
}

function isStaleConnection(exchange: Exchange): boolean {
  return exchange.failure?.kind === 'reset' && exchange.response === undefined;
}

/** Brackets in strings count as well: this only spares the parsing of what is nothing but brackets. */
function nestsDeeper(bytes: Buffer, levels: number): boolean {
  if (bytes.length < 2 * levels) return false;
  let depth = 0;
  for (const byte of bytes) {
    if (byte === 0x5b || byte === 0x7b) depth += 1;
    else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

function parseLeniently(bytes: Buffer): unknown {
  try {
    // An id beyond 2^53 would come out rounded; as text it keeps its digits.
    const text = bytes.toString('utf8');
    if (!/\d{16}/.test(text)) return parseJson(text);
    return parseJson(text.replace(/(?<=[:[,]\s*)-?\d{16,}(?=\s*[,}\]])/g, '"$&"'));
  } catch {
    return undefined;
  }
}
