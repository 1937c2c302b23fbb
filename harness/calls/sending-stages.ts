import { defined } from '../defined.ts';
import type { DedicatedConnection, RawAnswer } from '../http/http-client.ts';
import type { Exchange } from '../model/exchange.ts';
import { interruptedReason } from '../pacing/interruption.ts';
import { type PaceSignal, ThrottledTooLong } from '../pacing/rate-limiter.ts';
import { riderNames, type SendingAttempt } from '../requests/call-spec.ts';
import { InconclusiveError, targetDied } from '../requests/inconclusive-error.ts';
import { type BuiltRequest, RequestBuilder, requestIdOf } from '../requests/request-builder.ts';
import {
  type Call,
  limitedAs,
  type ReadyCall,
  type Send,
  type Served,
  type Stage,
  servedBy,
  slower,
  type Transport,
} from './pipeline.ts';
import { bodyReader, recordAnswer, recordRequest } from './record-call.ts';
import type { AttemptParts, RunContext } from './run-context.ts';

/** A call as a request. */
interface BuiltCall extends ReadyCall, BuiltRequest {
  /** Of the exchange. */
  readonly id: string;
  /** The request id that the target may log. */
  readonly requestId: string;
}

/** What came back over a connection. */
interface Delivered {
  readonly raw: RawAnswer;
  readonly connection: Exchange['request']['connection'];
}

/** The remedy for a case that the budget left no room for. */
export const moreRequests = 'raise --max-requests';

/** The budget keeps a request from being sent. */
export class OverBudget extends InconclusiveError {
  constructor(reason: string) {
    super(reason, { remedy: moreRequests });
  }
}

/** Lets a call begin where budget and target leave room for it. */
export function admit({ context, sendingFor }: AttemptParts): Stage {
  return (next) => async (call) => {
    const isCounted = !['preflight', 'cleanup', 'provocation'].includes(call.spec.role);
    if (isCounted && !context.budget.begin(caseOf(sendingFor)))
      throw new OverBudget('the remaining request budget has no room for it');
    refuseFutileCall(context, sendingFor, call);
    return next(call);
  };
}

function caseOf({ check, operation }: SendingAttempt): string {
  return `${operation.id}/${check}`;
}

function refuseFutileCall(
  { monitor, interruption }: RunContext,
  { attempt }: SendingAttempt,
  { operation, spec: { role, persistent } }: Call,
): void {
  if (interruption.isRequested && role !== 'cleanup') throw new InconclusiveError(interruptedReason);
  if (role === 'preflight') return;
  if (monitor.unreachable !== undefined) throw new InconclusiveError(targetDied);
  if (monitor.stopReason !== undefined && role !== 'cleanup') throw new InconclusiveError(monitor.stopReason);
  // One attempt confirms a time-out that other cases saw as well.
  if (monitor.isGivenUp(operation.id) && (persistent !== true || attempt > 1)) {
    throw new InconclusiveError(`${operation.id} did not answer in time`, {
      remedy: '--timeout <more milliseconds>',
    });
  }
}

/** Puts values in: those of an earlier try, or fresh ones. */
export function prepare({ context, values }: AttemptParts): Stage<Call, ReadyCall> {
  return (next) => async (call) => {
    const { operation, spec } = call;
    const prepared = call.again ?? (await values.prepare(operation, spec));
    if (prepared.isFresh && spec.propagationDelayMs !== undefined)
      await context.sleep(spec.propagationDelayMs);
    return next({ ...call, prepared });
  };
}

/** Builds the request, with a number of its own. */
function build(context: RunContext, sendingFor: SendingAttempt): Stage<ReadyCall, BuiltCall> {
  const { budget, recorder, runId } = context;
  const builder = new RequestBuilder(context);
  const prefix = `${caseOf(sendingFor)}/${sendingFor.attempt}`;
  return (next) => async (call) => {
    const { operation, spec, prepared } = call;
    const id = `${prefix}.${recorder.nextNumber(prefix)}`;
    const requestId = requestIdOf(runId, id);
    const built = builder.build(operation, spec, prepared, requestId);
    if (spec.role !== 'reduction' && spec.role !== 'provocation') budget.uses(caseOf(sendingFor));
    return next({ ...call, ...built, id, requestId });
  };
}

/** Sends when budget, rate, concurrency and the state of the target permit, and notes what came of it. */
function pace(context: RunContext, sendingFor: SendingAttempt): Stage<BuiltCall> {
  const { monitor, rateLimiter, budget, interruption } = context;
  return (next) => async (call) => {
    const { id } = call.operation;
    const { role, urgent } = call.spec;
    const isPreflight = role === 'preflight';
    const send = async (): Promise<Served> => {
      if (!isPreflight) await monitor.probeFinished();
      refuseFutileCall(context, sendingFor, call);
      return next(call);
    };
    const note = ({ exchange, response }: Served): PaceSignal => monitor.note(exchange, response);
    const release = isPreflight ? undefined : await monitor.awaitFirstAnswer(id);
    let served: Served;
    try {
      // What provokes throttling must not be paced, and others wait for what is urgent.
      if (role !== 'provocation' && !budget.take(role === 'cleanup'))
        throw new OverBudget(`the budget of ${budget.maxRequests} requests is spent`);
      const isPaced = role !== 'provocation' && urgent !== true;
      const sending = isPaced ? rateLimiter.run(send, note, limitedAs(call)) : send();
      served = await (role === 'cleanup' ? sending : interruption.unlessInterrupted(sending));
      if (!isPaced) note(served);
    } catch (error) {
      if (!(error instanceof ThrottledTooLong)) throw error;
      budget.giveBack();
      monitor.stop(`${error.message} (set a rate that it accepts with ${slower})`);
      throw new InconclusiveError(error.message, { remedy: slower });
    } finally {
      release?.();
    }
    if (isPreflight) return served;
    const { failure } = served.exchange;
    if (failure !== undefined) await monitor.probeFinished();
    // Nothing reached the target, so that nothing is known about it.
    if (failure?.kind === 'proxy') throw new InconclusiveError(failure.message, { transient: true });
    return served;
  };
}

/** Records what is sent and what comes back, without secrets. */
function record(
  { blocks, recorder, secrets, target }: RunContext,
  { check, operation: caseOperation, attempt }: SendingAttempt,
  deliver: (call: BuiltCall) => Promise<Delivered>,
): Send<BuiltCall> {
  return async (call) => {
    const { id, operation, spec, request, credential, prepared, requestId } = call;
    const startedAt = new Date().toISOString();
    const { raw, connection } = await deliver(call);
    const about = {
      id,
      operation: operation.id,
      case: { check, operation: caseOperation.id },
      role: spec.role,
      label: spec.label,
      ...defined({ step: spec.step, row: spec.row }),
      ...riderNames(spec),
      attempt,
    };
    const sent = {
      credential,
      authorization: target.authorization,
      prepared,
      connection,
      protocol: raw.protocol,
      requestId,
    };
    const answered: Exchange = {
      ...about,
      request: recordRequest(request, sent, secrets),
      ...recordAnswer(raw, secrets),
      startedAt,
      durationMs: Math.round(raw.durationMs * 100) / 100,
    };
    // In the order in which evidence holds the members.
    const exchange = blocks.isBlocked(answered)
      ? { ...about, blockedInFront: true as const, ...answered }
      : answered;
    recorder.record(exchange);
    return servedBy(call, exchange, bodyReader(raw));
  };
}

/** Sends the calls of one attempt to the target, over the shared connections or some of its own. */
export class LiveTransport implements Transport {
  readonly #context: RunContext;
  readonly #connections = new Set<DedicatedConnection>();
  /** Connections that carried an authenticated request, each with the number of sockets it had opened by then. */
  readonly #authenticated = new Map<DedicatedConnection, number>();
  readonly send: Transport['send'];

  constructor(context: RunContext, sendingFor: SendingAttempt) {
    this.#context = context;
    const recording = record(context, sendingFor, (call) => this.#deliver(call));
    this.send = build(context, sendingFor)(pace(context, sendingFor)(recording));
  }

  openConnection(): DedicatedConnection {
    const connection = this.#context.client.openConnection();
    this.#connections.add(connection);
    return connection;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connections].map((connection) => connection.close()));
  }

  async #deliver({ connection: wanted, request, credential, spec }: BuiltCall): Promise<Delivered> {
    const { client, interruption } = this.#context;
    const connection = wanted === 'fresh' ? this.openConnection() : wanted;
    const sending = (connection ?? client).send(request);
    const raw = await (spec.role === 'cleanup' ? sending : interruption.unlessInterrupted(sending));
    if (connection === undefined) return { raw, connection: 'shared' };
    // Known only after the answer: the server may have closed the authenticated socket.
    const isReused = this.#authenticated.get(connection) === connection.connections;
    if (wanted === 'fresh') {
      this.#connections.delete(connection);
      await connection.close();
    } else if (raw.status === 200 && credential.kind !== 'none') {
      this.#authenticated.set(connection, connection.connections);
    }
    return { raw, connection: isReused ? 'reused' : 'fresh' };
  }
}
