import { isSafe, type Operation } from '../../spec/operation.ts';
import { statusOf } from '../evidence/answer.ts';
import type { DedicatedConnection } from '../http/http-client.ts';
import type { Exchange } from '../model/exchange.ts';
import { classify, type PacedResponse, throttledTries } from '../pacing/overload.ts';
import type { Answered, CallSpec } from '../requests/call-spec.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';
import type { PreparedCall } from '../requests/valid-values.ts';
import type { AttemptParts } from './run-context.ts';

/** A call on its way to the target. */
export interface Call {
  readonly operation: Operation;
  readonly spec: CallSpec;
  /** That of the call, until a stage changes to a fresh one. */
  readonly connection: CallSpec['connection'];
  /** The probe itself repeats what comes too early. */
  readonly isRepeated?: boolean;
  /** Values to send once more. */
  readonly again?: PreparedCall | undefined;
}

/** A call with its values put in. */
export interface ReadyCall extends Call {
  readonly prepared: PreparedCall;
}

/** A call that was answered. */
export interface Served extends Answered {
  readonly response: PacedResponse;
  readonly prepared: PreparedCall;
}

/** Sends a call; throws `InconclusiveError` where it cannot be sent or nothing can be concluded from it. */
export type Send<C extends Call = Call> = (call: C) => Promise<Served>;

/** A step on the way of a call: a function of the next one. */
export type Stage<In extends Call = Call, Out extends Call = In> = (next: Send<Out>) => Send<In>;

/** The end of the pipeline: what sends for one attempt, or stands for the target. */
export interface Transport {
  readonly send: Send<ReadyCall>;
  /** Opens a connection for consecutive calls; closed with the transport. */
  openConnection(): DedicatedConnection;
  close(): Promise<void>;
}

/** What a target may limit by itself: the calls of an operation, or those with bad keys, wherever they go. */
export function limitedAs({ operation, spec }: Call): string {
  return spec.credential?.kind === 'invalid' ? 'calls with bad keys' : operation.id;
}

/** Joins stages, the outermost first. */
export function compose<C extends Call>(stages: ReadonlyArray<Stage<C>>): Stage<C> {
  return (transport) => stages.reduceRight((next, stage) => stage(next), transport);
}

/** The answer to a call, with what it means to the stages. */
export function servedBy(call: ReadyCall, exchange: Exchange, body: Answered['body']): Served {
  const { operation, spec, prepared, connection } = call;
  const response: PacedResponse = {
    meaning: classify(exchange, operation.role),
    status: exchange.response?.status,
    mayLackScope: operation.scope !== undefined && exchange.request.credential.kind === 'unscoped',
    isUnusual: isUnusual(spec),
    isKept: connection !== 'fresh',
  };
  return { exchange, body, prepared, response };
}

/** Whether a firewall may refuse the call for what it sends, because it is none that a client needs to send. */
function isUnusual({ role, rawParameters, body, headers, query }: CallSpec): boolean {
  const sent = [rawParameters, body, headers, query];
  return ['probe', 'reduction', 'preflight'].includes(role) && sent.some((part) => part !== undefined);
}

/** The remedy for a target that throttles. */
export const slower = '--rate <fewer requests per second>';
/** Milliseconds of the first pause after a sign of overload during the preflight, when little is known of the target. */
const preflightPause = 400;

/** Repeats what may have come too early after a write, and waits after a write until it is likely to be known everywhere. */
export function propagate({ context, values, decisions }: AttemptParts): Stage {
  const { propagationDelay, sessions, known } = context;

  /** Notes what a call has issued, which a part of the target may not know yet; tells whether it issues anything. */
  const noteIssued = ({ id, role }: Operation, { exchange, body }: Served): boolean => {
    if (role === 'ends-session') propagationDelay.ended(exchange.request.values['sessionId']?.value ?? '');
    const names = new Set([...known.captures()].flatMap(([name, { from }]) => (from === id ? [name] : [])));
    if (role === 'creates-session') names.add('sessionId');
    const issuedAt = Date.parse(exchange.startedAt) + exchange.durationMs;
    for (const name of names) {
      const value = values.extract(name, body());
      if (typeof value === 'string' || typeof value === 'number')
        propagationDelay.issued(String(value), issuedAt);
    }
    return names.size > 0;
  };

  return (next) => async (call) => {
    const { operation, spec, isRepeated = false } = call;
    let again: PreparedCall | undefined;
    let firstTryAt: number | undefined;
    let hadDelay = false;
    const send = async (): Promise<Served> => {
      hadDelay = propagationDelay.ms > 0;
      const served = await next({ ...call, again });
      // Another session or login would be as fresh as the first one was.
      again = isSafe(operation) ? undefined : served.prepared;
      return served;
    };
    const isEarly = ({ response }: Served): boolean =>
      // A call with a delay of its own shows what the target answers after it.
      response.meaning === 'too early' && !isRepeated && spec.propagationDelayMs === undefined;
    const namesNew = (served: Served): boolean => {
      if (restsOnEarlierCall(operation, served)) return true;
      if (statusOf(served.exchange) === 409 && isIssuing(operation, spec)) return true;
      // The values are as fresh as they were at the first try, unless a call has ended what they name meanwhile.
      firstTryAt ??= Date.parse(served.exchange.startedAt);
      const { values: sent, body } = served.prepared;
      const pathValues = Object.values(sent).map(({ value }) => value);
      return propagationDelay.isFresh(pathValues, body?.bytes.toString() ?? '', firstTryAt);
    };
    let { answer } = await propagationDelay.retry(operation.id, send, isEarly, (served, mayHelp) =>
      decisions.ask('early', served.exchange.id, false, () => mayHelp && namesNew(served)),
    );
    if (isEarly(answer) && isSafe(operation) && restsOnEarlierCall(operation, answer)) {
      // A session that lives for a moment may have ended before the read had its turn.
      values.forget();
      answer = await send();
    }
    const status = statusOf(answer.exchange);
    sessions.follow(operation, {
      status: answer.response.status,
      sessionId: answer.prepared.values['sessionId']?.value,
      createdId: () => values.extract('sessionId', answer.body()),
    });
    const issues = status === 200 && noteIssued(operation, answer);
    if (answer.prepared.isFresh && hadDelay) propagationDelay.waited(status !== 404);
    if (issues && propagationDelay.ms > 0) await context.sleep(propagationDelay.ms);
    return answer;
  };
}

/** Whether a call that was refused needs what an earlier call of the harness made. */
function restsOnEarlierCall({ method }: Operation, { exchange, prepared }: Served): boolean {
  const { credential, values } = exchange.request;
  // What lacks a good key need not find anything.
  if (method !== 'GET') return prepared.isFresh && credential.kind === 'scoped';
  return Object.entries(values).some(
    ([name, { source }]) => source === 'captured' || (name === 'sessionId' && source === 'discovered'),
  );
}

/** Whether a call is a valid one that issues a value, which an equal one just before may keep from being issued. */
function isIssuing({ role }: Operation, { body, credential, headers, query }: CallSpec): boolean {
  const changed = [body, credential, headers, query];
  return role !== 'ends-session' && changed.every((part) => part === undefined);
}

/** Repeats what is throttled, by 429 or with another status; a call is prepared anew, as nobody knows what the refused one did. */
export function throttle({ context, decisions }: AttemptParts): Stage {
  const {
    monitor: { overload },
    rateLimiter,
    sleep,
  } = context;
  return (next) => async (call) => {
    const { operation, spec } = call;
    let { connection, again } = call;
    let signs = 0;
    /** Whether a sign of overload made the call change to a fresh connection. */
    let hasChanged = false;
    for (let tries = 1; tries <= throttledTries; tries += 1) {
      const served = await next({ ...call, connection, again });
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
      const isOfConnection = (): boolean => connection === undefined && overload.mayBeOfConnection(response);
      if (decisions.ask('new connection', exchange.id, false, isOfConnection)) {
        connection = 'fresh';
        hasChanged = true;
      }
    }
    throw new InconclusiveError('the target throttled every try', { remedy: slower, transient: true });
  };
}

/** Repeats, once and on a fresh connection, what was sent on one that the server has closed, which says nothing about the call. */
export const reconnect: Stage = (next) => async (call: Call) => {
  const served = await next(call);
  if (served.response.meaning !== 'connection lost' || call.connection === 'fresh') return served;
  return next({ ...call, connection: call.connection ?? 'fresh', again: undefined });
};
