import { membersOf } from '../../harness/checks/error-shape.ts';
import { isOk, parseBody, statusOf } from '../../harness/evidence/answer.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { hostBelowDomain } from './near-misses.ts';
import { isNoName, prototypeValue } from './path-values.ts';
import { sentValue, showsAnother, showsNone, showsSomethingElse } from './shows-known.ts';

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

/** Whether a value that names nothing was answered with a resource that shows another name, or none, and not that value anywhere. */
function showsAnotherForNone(known: Exchange, one: Exchange): boolean {
  const named = Object.entries(one.row ?? {}).find(([, id]) => isNoName(id) || id === hostBelowDomain);
  const [name, id] = named ?? [];
  if (name === undefined || !isOk(one)) return false;
  // A host name below a domain that is reserved for examples is nobody's, whatever the answer calls itself.
  if (id === hostBelowDomain) return true;
  const sent = sentValue(one, name) ?? '';
  // Resources may have numbers beside their names.
  const isNamed = [...leavesOf(parseBody(one.response?.body))].some(
    ([pointer, leaf]) =>
      leaf === sent || (typeof leaf === 'number' && String(leaf) === sent && numbers.test(pointer)),
  );
  return (showsAnother(name, known, one) || showsNone(name, known, one)) && !isNamed;
}

/** What members are called whose numbers identify. */
const numbers = /(?:id|key|code|sku|no|number|slug|handle)$/i;

/** Whether a value that is white space alone, or the name of the listing itself, got what the listing beside the resource holds. */
function showsListing(known: Exchange, one: Exchange, exchanges: readonly Exchange[]): boolean {
  const place = known.request.path.replace(/\/[^/]*$/, '');
  const name = Object.keys(one.row ?? {}).find((each) => each in one.request.values) ?? '';
  const sent = sentValue(one, name);
  if (!isOk(one) || (sent?.trim() !== '' && sent !== place.replace(/^.*\//, ''))) return false;
  if (!one.request.path.startsWith(`${place}/`)) return false;
  const listing = exchanges.find(({ request }) => request.method === 'GET' && request.path === place);
  return listing !== undefined && isOk(listing) && isLike(one, listing) && !isLike(one, known);
}

/** Whether two bodies have the same members, two levels deep. */
function isLike(one: Exchange, other: Exchange): boolean {
  const [shape, otherShape] = [one, other].map(({ response }) =>
    JSON.stringify([response?.body.json, ...(response ? membersOf(response.body) : [])]),
  );
  return shape === otherShape;
}

/** What a 200 shows that names no resource here, the most special first. */
const finds: ReadonlyArray<{
  readonly is: (one: Exchange, exchanges: readonly Exchange[], known: Exchange | undefined) => boolean;
  readonly statement: (label: string) => string;
  readonly fix: string;
}> = [
  {
    is: isFoundHereAlone,
    statement: (label) => `A value that other operations do not find was accepted: ${label}`,
    fix: 'Look up the resource that the path names before listing what belongs to it.',
  },
  {
    is: (one, _exchanges, known) => known !== undefined && showsAnotherForNone(known, one),
    statement: (label) => `A value that names nothing was answered with a resource: ${label}`,
    fix: 'Compare path values as text: do not convert them to a number or boolean, do not fall back to a default, and do not serve examples.',
  },
  {
    is: (one, _exchanges, known) => {
      const [name] = Object.keys(one.row ?? {}).filter((each) => each in one.request.values);
      return (
        one.step === 'otherKind' &&
        known !== undefined &&
        name !== undefined &&
        showsSomethingElse(name, known, one)
      );
    },
    statement: (label) => `A value that names something else was answered with that: ${label}`,
    fix: 'Look the value up among the resources of the operation alone, and answer 404 if none has that name.',
  },
  {
    is: (one, exchanges, known) => known !== undefined && showsListing(known, one, exchanges),
    statement: (label) => `A value that names nothing was answered with a list: ${label}`,
    fix: 'Answer 404 to a value that is empty after trimming, and match the whole path of a listing: an empty filter finds everything.',
  },
  {
    is: (one) => isOk(one) && Object.values(one.row ?? {}).includes(prototypeValue),
    statement: () => 'A property that every object has was found as a resource',
    fix: 'Keep resources in a Map, or check Object.hasOwn before reading a property that the request names.',
  },
];

/** The violation by a 200 to what names no resource here, where other unknown values are not found. */
export function foundWithoutResource(
  mine: readonly Exchange[],
  exchanges: readonly Exchange[],
  known: Exchange | undefined,
): Violation | undefined {
  for (const { is, statement, fix } of finds) {
    const exchange = mine.find((one) => is(one, exchanges, known));
    if (exchange !== undefined)
      return { statement: statement(exchange.label), expected: '404', actual: '200', fix, exchange };
  }
  return undefined;
}
