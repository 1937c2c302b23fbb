import { endOf, startOf } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Operation } from '../../spec/operation.ts';

/** Calls under way at once, which show what fails only under concurrency: more than a small pool serves. */
const callsAtOnce = 7;

/** Calls under way at once in a deep run, in addition: more than a pool of a usual size serves. */
export const moreAtOnce = 33;

/** Calls of the crowd that name another known resource. */
export const othersInCrowd = 2;

/** Whether an operation is a public read of no resource. */
export function isPlainRead({ auth, pathParameters }: Operation): boolean {
  return auth === 'none' && pathParameters.length === 0;
}

/** Calls of the crowd that are simply valid. */
export function validInCrowd(operation: Operation): number {
  if (isPlainRead(operation)) return callsAtOnce - 2;
  const strangers = operation.auth === 'api-key' ? 1 : 0;
  return callsAtOnce - strangers - (operation.pathParameters.length > 0 ? 2 + othersInCrowd : 0);
}

/** The calls that meet a call, or come before it on its connection. */
interface Company {
  readonly crowd: readonly Exchange[];
  readonly afterRefused: readonly Exchange[];
  readonly afterMiss: readonly Exchange[];
}

/** What a finding says of the company of a call; nothing for a call that was alone. */
export function companyOf(
  exchange: Exchange,
  { crowd, afterRefused, afterMiss }: Company,
): Pick<Violation, 'company'> {
  if (afterRefused.includes(exchange)) return { company: 'on a connection that carried a refused call' };
  if (afterMiss.includes(exchange))
    return { company: 'on a connection that carried a call which found nothing' };
  const [start, end] = [startOf(exchange), endOf(exchange)];
  const count = crowd.filter((one) => startOf(one) <= end && endOf(one) >= start).length;
  return count < 2 || !crowd.includes(exchange)
    ? {}
    : { company: `with ${count} calls of the operation under way` };
}
