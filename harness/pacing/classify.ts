import type { OperationRole } from '../../spec/operation.ts';
import { headerOf } from '../evidence/answer.ts';
import type { Exchange } from '../model/exchange.ts';

/** What a response, or its absence, means for the call. */
export type Meaning =
  /** The connection broke before anything came back, as one does that the server has closed while it was idle. */
  | 'connection lost'
  /** No complete response. */
  | 'unanswered'
  /** 429. */
  | 'throttled'
  /** A status with which gateways, and limiters that do not know 429, answer in the place of the service. */
  | 'overloaded'
  /** HTML under 403: a limiter's or a firewall's, or the service's own to a key without the scope. */
  | 'page under 403'
  /** What a service answers that is not done with an earlier write, too. */
  | 'too early'
  | 'own';

/** Undocumented statuses that services use for overload. */
export const otherOverload: readonly number[] = [420, 502, 503, 504, 509, 529];

/** Roles of operations that may conflict with what was done just before: an equal create, or a session that is initialized. */
const conflicting: ReadonlySet<OperationRole | undefined> = new Set<OperationRole>([
  'creates-session',
  'initiates-login',
  'ends-session',
]);

/** Says what the response in an exchange means; every stage of a call goes by it. */
export function classify(exchange: Exchange, role: OperationRole | undefined): Meaning {
  const { response, failure } = exchange;
  if (failure !== undefined)
    return failure.kind === 'reset' && response === undefined ? 'connection lost' : 'unanswered';
  const { status = 0 } = response ?? {};
  if (status === 429) return 'throttled';
  if (otherOverload.includes(status)) return 'overloaded';
  if (status === 403 && /^text\/html/i.test(headerOf(exchange, 'content-type') ?? ''))
    return 'page under 403';
  if (status === 404 || (status === 409 && conflicting.has(role))) return 'too early';
  return 'own';
}
