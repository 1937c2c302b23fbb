import { hasStatus, isOk } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { isAnother } from './listed-resources.ts';
import { listedRow } from './other-resources.ts';

/** Calls with the known resource, and with another one, before the crowd. */
interface MixedUp {
  readonly operation: Operation;
  readonly before: readonly Exchange[];
  readonly other: readonly Exchange[];
}

/** What a finding says where a known value is no longer found after it was asked for in other letters. */
export const afterOtherLetters: Partial<Violation> = {
  company: 'after calls with the value in other letters, and with a space behind it',
  fix: 'Look up, keep and forget each value exactly as it is: what is noted as not found under a trimmed or folded form hides the value itself.',
};

/** Whether an initiation met another one, which a service may refuse. */
export function isConflict(exchange: Exchange, operation: Operation): boolean {
  return !isSafe(operation) && hasStatus(exchange, 409);
}

/** A call of the crowd that shows another resource than the one that it names, though each is shown at another moment. */
export function mixedUpIn(
  crowd: readonly Exchange[],
  { operation, before: [known], other }: MixedUp,
): Violation | undefined {
  const [name = ''] = operation.pathParameters.slice(-1);
  const isNamedBy = (one: Exchange): boolean =>
    one.row?.[listedRow] !== undefined && isOk(one) && known !== undefined && !isAnother(name, known, one);
  if (known === undefined || ![...other, ...crowd].some(isNamedBy)) return undefined;
  const exchange = crowd.find((one) => isAnother(name, known, one));
  return (
    exchange && {
      statement: 'A call was answered with what another one under way had asked for',
      expected: '200 with the resource that its path names, as when it is alone',
      actual: '200 with another resource',
      headline: 'A call was answered with what another one under way had asked for',
      fix: 'Keep what a request looks up with this request: not in a field of an object that requests share, in a batch that is answered in another order, or under a key that is not the whole value.',
      exchange,
    }
  );
}
