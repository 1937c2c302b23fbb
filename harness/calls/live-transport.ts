import { defined } from '../defined.ts';
import type { DedicatedConnection } from '../http/http-client.ts';
import { bodyReader, recordAnswer } from '../http/record-answer.ts';
import type { Exchange } from '../model/exchange.ts';
import { type PaceSignal, ThrottledTooLong } from '../pacing/rate-limiter.ts';
import type { SendingAttempt } from '../requests/call-spec.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';
import {
  type BuiltRequest,
  buildRequest,
  type ReadyCall,
  recordRequest,
  riderNames,
} from '../requests/request-builder.ts';
import {
  caseOf,
  limitedAs,
  OverBudget,
  refuseFutileCall,
  type Served,
  servedBy,
  slower,
  type Transport,
} from './pipeline.ts';
import type { RunContext } from './run-context.ts';

/** Sends the calls of one attempt to the target, over shared or dedicated connections, and records them. */
export function liveTransport(context: RunContext, sendingFor: SendingAttempt): Transport {
  const { client, monitor, rateLimiter, budget, interruption, recorder, secrets } = context;
  const connections = new Set<DedicatedConnection>();
  /** Connections that carried an authenticated request, each with the number of sockets it had opened by then. */
  const authenticated = new Map<DedicatedConnection, number>();

  const openConnection = (): DedicatedConnection => {
    const connection = client.openConnection();
    connections.add(connection);
    return connection;
  };

  const openPipe = (calls: number): readonly DedicatedConnection[] => {
    const places = client.openPipe(calls);
    for (const place of places.slice(0, 1)) connections.add(place);
    return places;
  };

  const close = async (): Promise<void> => {
    await Promise.all([...connections].map((connection) => connection.close()));
  };

  const recorded = async (call: ReadyCall, built: BuiltRequest, id: string): Promise<Served> => {
    const { operation, spec } = call;
    const own = spec.connection === 'fresh' ? openConnection() : spec.connection;
    const varied = { operation: operation.id, ...defined({ row: spec.row }), ...riderNames(spec) };
    const sending = (own ?? client).send({
      ...built.request,
      headers: built.request.headers.map(([name, value]) => [
        name,
        name === 'cookie' ? secrets.cookiesAsSet(value) : value,
      ]),
      ...defined({ patienceMs: monitor.patienceFor(varied) }),
    });
    const raw = await (spec.role === 'cleanup' ? sending : interruption.unlessInterrupted(sending));
    // Known only after the answer: the server may have closed the authenticated socket.
    const isReused = own !== undefined && authenticated.get(own) === own.connections;
    const connection = own === undefined ? 'shared' : isReused ? 'reused' : 'fresh';
    const exchange: Exchange = recorder.record({
      id,
      operation: operation.id,
      case: { check: sendingFor.check, operation: sendingFor.operation.id },
      role: spec.role,
      label: spec.label,
      ...defined({ step: spec.step, row: spec.row }),
      ...riderNames(spec),
      attempt: sendingFor.attempt,
      request: recordRequest(context, built, { connection, protocol: raw.protocol }),
      ...recordAnswer(raw, secrets),
      startedAt: new Date(raw.startedAt).toISOString(),
      durationMs: Math.round(raw.durationMs * 100) / 100,
    });
    // Recorded first, in the order in which calls end: closing takes a while.
    if (own !== undefined && spec.connection === 'fresh') {
      connections.delete(own);
      await own.close();
    } else if (own !== undefined && raw.status === 200 && built.credential.kind !== 'none') {
      authenticated.set(own, own.connections);
    }
    return servedBy(call, exchange, bodyReader(raw));
  };

  /** Sends when budget, rate, concurrency and the state of the target permit, and notes the outcome. */
  const send = async (call: ReadyCall): Promise<Served> => {
    const { role, urgent, exceedsConcurrency, turns } = call.spec;
    const prefix = `${caseOf(sendingFor)}/${sendingFor.attempt}`;
    const id = `${prefix}.${recorder.nextNumber(prefix)}`;
    const built = buildRequest(context, call, id);
    if (role !== 'reduction' && role !== 'provocation') budget.uses(caseOf(sendingFor));
    const isPreflight = role === 'preflight';
    const sendNow = async (): Promise<Served> => {
      if (!isPreflight) await monitor.probeFinished();
      refuseFutileCall(context, sendingFor, call);
      return recorded(call, built, id);
    };
    const note = ({ exchange, response }: Served): PaceSignal => monitor.note(exchange, response);
    const release = isPreflight ? undefined : await monitor.awaitFirstAnswer(call.operation.id);
    let served: Served;
    try {
      // Calls that provoke throttling must not be paced, and other calls wait for urgent ones.
      if (role !== 'provocation' && !budget.take(role === 'cleanup')) throw new OverBudget();
      const isPaced = role !== 'provocation' && urgent !== true;
      const sending = isPaced
        ? rateLimiter.run(sendNow, note, limitedAs(call), { exceedsConcurrency, turns, company: prefix })
        : sendNow();
      served = await (role === 'cleanup' ? sending : interruption.unlessInterrupted(sending));
      if (!isPaced) note(served);
    } catch (error) {
      if (!(error instanceof ThrottledTooLong)) throw error;
      budget.giveBack();
      monitor.stop(`${error.message} (set a rate that it accepts with ${slower})`, error.outside);
      throw new InconclusiveError(error.outside, { remedy: slower });
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

  return { send, openConnection, openPipe, close };
}
