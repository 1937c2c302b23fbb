import type { Operation } from '../../spec/operation.ts';
import type { DedicatedConnection } from '../http/http-client.ts';
import type { Exchange } from '../model/exchange.ts';
import { classify, type PacedResponse, throttledTries } from '../pacing/overload.ts';
import { interruptedReason } from '../pacing/target-monitor.ts';
import type { Answered, CallSpec, SendingAttempt } from '../requests/call-spec.ts';
import { InconclusiveError, targetDied } from '../requests/inconclusive-error.ts';
import type { ReadyCall } from '../requests/request-builder.ts';
import type { PreparedCall } from '../requests/valid-values.ts';
import type { AttemptParts, RunContext } from './run-context.ts';

export interface Call {
  readonly operation: Operation;
  readonly spec: CallSpec;
  /** The probe itself repeats calls that come too early. */
  readonly isRepeated?: boolean;
  /** Values to send once more. */
  readonly again?: PreparedCall | undefined;
}

export interface Served extends Answered {
  readonly response: PacedResponse;
  readonly prepared: PreparedCall;
}

/** Sends a call; throws `InconclusiveError` where nothing can be concluded. A stage makes one from the next. */
export type Send<C = Call> = (call: C) => Promise<Served>;

/** The end of the pipeline: sends the calls of one attempt, or replays recorded responses. */
export interface Transport {
  readonly send: Send<ReadyCall>;
  /** Opens a connection for consecutive calls; closed with the transport. */
  openConnection(): DedicatedConnection;
  /** Opens a connection on which this many calls go out together, in this order; closed with the transport. */
  openPipe(calls: number): readonly DedicatedConnection[];
  close(): Promise<void>;
}

/** The scope of a limit: the calls of an operation, or all calls with bad keys. */
export function limitedAs({ operation, spec }: Pick<Call, 'operation' | 'spec'>): string {
  return spec.credential?.kind === 'invalid' ? 'calls with bad keys' : operation.id;
}

export function servedBy(
  { operation, spec, prepared }: ReadyCall,
  exchange: Exchange,
  body: Answered['body'],
): Served {
  const response: PacedResponse = {
    meaning: classify(exchange, operation.role),
    status: exchange.response?.status,
    mayLackScope: operation.scope !== undefined && exchange.request.credential.kind === 'unscoped',
    isUnusual: isUnusual(spec),
    isKept: spec.connection !== 'fresh',
  };
  return { exchange, body, prepared, response };
}

/** Whether a firewall may refuse the call for its contents, because no client needs to send such a call. */
function isUnusual({ role, rawParameters, body, headers, query }: CallSpec): boolean {
  const sent = [rawParameters, body, headers, query];
  return ['probe', 'reduction', 'preflight'].includes(role) && sent.some((part) => part !== undefined);
}

/** The remedy for a target that throttles. */
export const slower = '--rate <fewer requests per second>';
/** Milliseconds of the first pause after a sign of overload during the preflight, when little is known of the target. */
const preflightPause = 400;

/** Repeats calls that are throttled, by 429 or another status; prepares them again, because the effect of the refused ones is unknown. */
export function throttle({ context, decisions }: AttemptParts, next: Send): Send {
  const { monitor, rateLimiter, sleep } = context;
  const { overload } = monitor;
  return async (call) => {
    const { operation } = call;
    let { spec, again } = call;
    let signs = 0;
    /** Whether a sign of overload made the call change to a fresh connection. */
    let hasChanged = false;
    for (let tries = 1; tries <= throttledTries; tries += 1) {
      const served = await next({ ...call, spec, again });
      const { exchange, response } = served;
      again = undefined;
      if (spec.acceptThrottled === true) return served;
      if (response.meaning === 'throttled') {
        if (decisions.ask('throttled', exchange.id, true, () => !rateLimiter.isInVain(limitedAs(call))))
          continue;
        break;
      }
      const paused = hasChanged ? tries - 1 : tries;
      const mayPass = (): boolean => overload.mayPass(operation, response, paused, spec.role === 'preflight');
      const mayBeThrottling = response.meaning === 'overloaded' || response.meaning === 'page under 403';
      if (!mayBeThrottling || !decisions.ask('overloaded', exchange.id, false, mayPass)) {
        overload.ended(operation.id, response, signs, hasChanged);
        return served;
      }
      if (spec.role === 'preflight') await sleep(preflightPause * paused);
      signs += 1;
      const isOfConnection = (): boolean =>
        spec.connection === undefined && overload.mayBeOfConnection(response);
      if (decisions.ask('new connection', exchange.id, false, isOfConnection)) {
        spec = { ...spec, connection: 'fresh' };
        hasChanged = true;
      }
    }
    throw new InconclusiveError('the target throttled every try', { remedy: slower, transient: true });
  };
}

/** Repeats a call once on a fresh connection if the server had closed its connection, which says nothing about the call. */
export function reconnect(next: Send): Send {
  return async (call) => {
    const served = await next(call);
    const { connection } = call.spec;
    if (served.response.meaning !== 'connection lost' || connection === 'fresh') return served;
    return next({ ...call, spec: { ...call.spec, connection: connection ?? 'fresh' }, again: undefined });
  };
}

/** The remedy for a case that the budget left no room for. */
export const moreRequests = 'raise --max-requests';

export class OverBudget extends InconclusiveError {
  constructor() {
    super({ kind: 'budget' }, { remedy: moreRequests });
  }
}

export function caseOf({ check, operation }: SendingAttempt): string {
  return `${operation.id}/${check}`;
}

/** Lets a call begin where budget and target leave room for it. */
export function admit({ context, sendingFor }: AttemptParts, next: Send): Send {
  return async (call) => {
    const isCounted = !['preflight', 'cleanup', 'provocation'].includes(call.spec.role);
    if (isCounted && !context.budget.begin(caseOf(sendingFor))) throw new OverBudget();
    refuseFutileCall(context, sendingFor, call);
    return next(call);
  };
}

/** Throws `InconclusiveError` where the run has ended, or the target no longer answers. */
export function refuseFutileCall(
  { monitor, interruption }: RunContext,
  { attempt }: SendingAttempt,
  { operation, spec: { role, persistent } }: Pick<Call, 'operation' | 'spec'>,
): void {
  if (interruption.isRequested && role !== 'cleanup') throw new InconclusiveError(interruptedReason);
  if (role === 'preflight') return;
  if (monitor.unreachable !== undefined) throw new InconclusiveError(targetDied);
  if (monitor.stopReason !== undefined && role !== 'cleanup')
    throw new InconclusiveError(monitor.outside ?? monitor.stopReason, monitor.outside && { remedy: slower });
  // One attempt confirms a time-out that other cases saw as well.
  if (monitor.isGivenUp(operation.id) && (persistent !== true || attempt > 1)) {
    throw new InconclusiveError(
      { kind: 'time-out', operation: operation.id },
      { remedy: '--timeout <more milliseconds>' },
    );
  }
}

/** Puts values in: those of an earlier try, or fresh ones. */
export function prepare({ context, values }: AttemptParts, next: Send<ReadyCall>): Send {
  return async ({ operation, spec, again }) => {
    const prepared = again ?? (await values.prepare(operation, spec));
    if (prepared.isFresh && spec.propagationDelayMs !== undefined)
      await context.sleep(spec.propagationDelayMs);
    return next({ operation, spec, prepared });
  };
}
