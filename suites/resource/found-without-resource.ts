import { isOk, statusOf } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { prototypeValue } from './path-values.ts';

/** Whether a call has one path value, which is a known one of another kind of resource. */
export function isOfAnotherKind(exchange: Exchange): boolean {
  const [name, ...others] = Object.keys(exchange.request.values);
  return exchange.step === 'otherKind' && name !== undefined && others.length === 0;
}

/** Whether a known value of another kind is a store here, and not where another operation asks for the same. */
function isFoundHereAlone(exchange: Exchange, exchanges: readonly Exchange[]): boolean {
  const kindOf = ({ row = {} }: Exchange): string => Object.values(row).flat().join();
  if (!isOfAnotherKind(exchange) || !isOk(exchange) || !/-as-merchant$/.test(kindOf(exchange))) return false;
  return exchanges.some(
    (other) => isOfAnotherKind(other) && statusOf(other) === 404 && kindOf(other) === kindOf(exchange),
  );
}

/** The violation by a 200 to what names no resource here, where other unknown values are not found. */
export function foundWithoutResource(
  mine: readonly Exchange[],
  exchanges: readonly Exchange[],
): Violation | undefined {
  const alone = mine.find((one) => isFoundHereAlone(one, exchanges));
  if (alone !== undefined)
    return {
      statement: `A value that other operations do not find was accepted: ${alone.label}`,
      expected: '404',
      actual: '200',
      fix: 'Look up the resource that the path names before listing what belongs to it.',
      exchange: alone,
    };
  const inherited = mine.find((one) => isOk(one) && Object.values(one.row ?? {}).includes(prototypeValue));
  return (
    inherited && {
      statement: 'A property that every object has was found as a resource',
      expected: '404, as for any unknown value',
      actual: '200',
      fix: 'Keep resources in a Map, or check Object.hasOwn before reading a property that the request names.',
      exchange: inherited,
    }
  );
}
