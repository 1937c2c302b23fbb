import { isSafe, type Operation } from '../../spec/operation.ts';
import { headerOf } from '../evidence/answer.ts';
import type { Exchange } from '../model/exchange.ts';
import {
  isPageUnder403,
  mayBeThrottling,
  otherOverload,
  type PacedAnswer,
} from '../pacing/overload-signs.ts';
import { type CallSpec, isUnusual } from './call-spec.ts';
import type { Decisions } from './decisions.ts';
import { InconclusiveError } from './inconclusive-error.ts';
import { type Answered, slower } from './request-sender.ts';
import type { CallSender, RunContext } from './run-context.ts';
import type { PreparedCall, ValidValues } from './valid-values.ts';

/** Tries of one call that is throttled every time. */
const throttledTries = 12;
/** Tries of one call that an undocumented sign of overload answers, such as 503, before that counts as the answer. */
const overloadedTries = 3;
/** Milliseconds of the first pause after such an answer during the preflight, when little is known of the target. */
const preflightPause = 400;

/** The answer of the service to a call, and not of what limits its rate. */
export interface Served {
  readonly answered: Answered;
  readonly prepared: PreparedCall;
  /** Whether the values had time to reach the whole target. */
  readonly hadDelay: boolean;
}

/**
 * Makes a call, `again` with the same values where these are given, and repeats it where it is throttled, or sent on a
 * connection that the server has closed. Throws `InconclusiveError`.
 */
export async function callUntilServed(
  context: RunContext,
  {
    values,
    sender,
    decisions,
  }: { readonly values: ValidValues; readonly sender: CallSender; readonly decisions: Decisions },
  operation: Operation,
  spec: CallSpec,
  again?: PreparedCall,
): Promise<Served> {
  const { availability, propagationDelay, sessions } = context;
  let connection = spec.connection;
  let signs = 0;
  let hasReconnected = false;
  /** Whether a sign of overload made the call change to a fresh connection. */
  let hasChanged = false;
  for (let tries = 1; tries <= throttledTries; tries += 1) {
    sender.admit(operation, spec);
    const hadDelay = propagationDelay.ms > 0;
    const prepared = (tries === 1 ? again : undefined) ?? (await values.prepare(operation, spec));
    if (prepared.isFresh && spec.propagationDelayMs !== undefined)
      await context.sleep(spec.propagationDelayMs);
    const answered = await sender.send(operation, spec, prepared, connection);
    const { exchange, body } = answered;
    const paced: PacedAnswer = {
      status: exchange.failure === undefined ? exchange.response?.status : undefined,
      contentType: headerOf(exchange, 'content-type'),
      mayLackScope: operation.scope !== undefined && exchange.request.credential.kind === 'unscoped',
      isUnusual: isUnusual(spec),
      isKept: connection === undefined,
    };
    const status = availability.paceStatusOf(paced);
    sessions.follow(operation, {
      status: exchange.response?.status,
      sessionId: prepared.values['sessionId']?.value,
      createdId: () => values.extract('sessionId', body()),
    });
    if (spec.acceptThrottled !== true) {
      if (status === 429 && exchange.failure === undefined) {
        const isRepeated = (): boolean => !availability.isThrottledForEver(operation.id);
        if (!decisions.ask('throttled', exchange.id, true, isRepeated)) break;
        continue;
      }
      const pausedTries = hasChanged ? tries - 1 : tries;
      const isRepeated = (): boolean =>
        mayPass(context, operation, spec, status, { tries: pausedTries, isPage: isPageUnder403(paced) });
      if (mayBeThrottling(exchange) && decisions.ask('overloaded', exchange.id, false, isRepeated)) {
        if (spec.role === 'preflight') await context.sleep(preflightPause * pausedTries);
        signs += 1;
        const isOfConnection = (): boolean => availability.mayBeOfConnection(paced);
        if (decisions.ask('new connection', exchange.id, false, isOfConnection)) {
          connection = 'fresh';
          hasChanged = true;
        }
        continue;
      }
      if (isOverloadStatus(status)) availability.noteOverloadPersisted(operation.id, paced);
      else {
        if (hasChanged) availability.noteFreshConnection(signs === 1);
        availability.noteOverloadPassed(operation.id, signs, paced);
      }
    }
    if (!hasReconnected && connection !== 'fresh' && isStaleConnection(exchange)) {
      // A server may close an idle connection at any moment; that says nothing about the request.
      hasReconnected = true;
      connection ??= 'fresh';
      continue;
    }
    return { answered, prepared, hadDelay };
  }
  const wasKnown = availability.isThrottledForEver(operation.id);
  availability.noteThrottledThroughout(operation.id);
  if (!wasKnown && availability.isThrottledForEver(operation.id)) context.rateLimiter.forgetPace();
  throw new InconclusiveError('the target throttled every try', { remedy: slower, transient: true });
}

/** Whether a status looks like throttling that says so wrongly, which a repeated call shows; the preflight waits itself. */
function mayPass(
  { availability }: RunContext,
  operation: Operation,
  { role }: CallSpec,
  status: number | undefined,
  { tries, isPage }: { readonly tries: number; readonly isPage: boolean },
): boolean {
  if (tries >= (availability.overloadPasses ? throttledTries : overloadedTries)) return false;
  if (!isOverloadStatus(status)) return false;
  if (role === 'preflight') return true;
  // A call that acts may be answered so for the state that it met, which a repeated call would hide.
  const isLikely = isPage || isSafe(operation) || availability.isWidespread(operation.id, status);
  return isLikely && availability.isOverload(operation.id, status);
}

function isStaleConnection(exchange: Exchange): boolean {
  return exchange.failure?.kind === 'reset' && exchange.response === undefined;
}

function isOverloadStatus(status: number | undefined): boolean {
  return status !== undefined && otherOverload.includes(status);
}
