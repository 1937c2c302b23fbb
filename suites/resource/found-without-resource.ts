import { isOk, parseBody, statusOf } from '../../harness/evidence/answer.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { isNoName, prototypeValue } from './path-values.ts';
import { sentValue, showsAnother } from './shows-known.ts';

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

/** Whether a value that names nothing was answered with a resource that shows another name, and not that value anywhere. */
function showsAnotherForNone(known: Exchange, one: Exchange): boolean {
  const name = Object.keys(one.row ?? {}).find((each) => isNoName(one.row?.[each]));
  if (name === undefined || !isOk(one)) return false;
  const shown = [...leavesOf(parseBody(one.response?.body)).values()].map(String);
  // Resources may have numbers beside their names.
  return showsAnother(name, known, one) && !shown.includes(sentValue(one, name) ?? '');
}

/** The violation by a 200 to what names no resource here, where other unknown values are not found. */
export function foundWithoutResource(
  mine: readonly Exchange[],
  exchanges: readonly Exchange[],
  known: Exchange | undefined,
): Violation | undefined {
  const found = (
    isFound: (one: Exchange) => boolean,
    statement: (one: Exchange) => string,
    fix: string,
  ): Violation | undefined => {
    const exchange = mine.find(isFound);
    return exchange && { statement: statement(exchange), expected: '404', actual: '200', fix, exchange };
  };
  return (
    found(
      (one) => isFoundHereAlone(one, exchanges),
      ({ label }) => `A value that other operations do not find was accepted: ${label}`,
      'Look up the resource that the path names before listing what belongs to it.',
    ) ??
    found(
      (one) => known !== undefined && showsAnotherForNone(known, one),
      ({ label }) => `A value that names nothing was answered with a resource: ${label}`,
      'Compare path values as the texts that they are, with no conversion to a number or a boolean and no default, and serve no examples.',
    ) ??
    found(
      (one) => isOk(one) && Object.values(one.row ?? {}).includes(prototypeValue),
      () => 'A property that every object has was found as a resource',
      'Keep resources in a Map, or check Object.hasOwn before reading a property that the request names.',
    )
  );
}
