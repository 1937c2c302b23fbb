import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { membersOf } from '../../harness/checks/error-shape.ts';
import { inconclusive, notApplicable, pass, violated, violatedOr } from '../../harness/checks/outcomes.ts';
import { isOk, mayBeAnotherRoute, parseBody, statusOf } from '../../harness/evidence/answer.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { listedRow } from '../surface/other-resources.ts';
import { takenForKnown } from './inexact-lookups.ts';
import { hostBelowDomain } from './near-misses.ts';
import { isNoName, prototypeValue } from './path-values.ts';
import { isRecognizable, isSpelling, sentValue, showsAnother, showsKnown, showsNone } from './shows-known.ts';

export const check: CollectiveCheck = {
  kind: 'collective',
  requirement: 'RESOURCE-1',
  title: 'no wrong value of a path parameter gets the resource of the known value, whichever case sent it',
  applies: ({ pathParameters }) => pathParameters.length > 0,
  dedupeKey: (exchange) => {
    const values = Object.entries(exchange.request.values);
    if (exchange.failure !== undefined || mayBeAnotherRoute(exchange)) return undefined;
    // A listing, which a wrong value may be answered with.
    if (values.length === 0)
      return isOk(exchange) && exchange.step === 'valid' ? exchange.operation : undefined;
    // A listing shows it, so that it is no wrong one; what it may show is a matter of the case.
    if (exchange.row?.[listedRow] !== undefined) return undefined;
    // Cases of sessions read many sessions, and each of these ids is a good one.
    if (values.some(([name]) => name === 'sessionId') && !isOfResources(exchange)) return undefined;
    const isAccepted = isOk(exchange);
    const isTelling = isAccepted || isUnrelated(exchange) || isOfAnotherKind(exchange);
    return `${exchange.operation} ${isTelling ? JSON.stringify(values) : 'refused'}`;
  },
  evaluate: ({ operation, exchanges }) => {
    const mine = exchanges.filter((exchange) => exchange.operation === operation.id);
    const known = mine.find((exchange) => isOk(exchange) && isKnown(exchange));
    if (mine.some((one) => isUnrelated(one) && statusOf(one) === 404)) {
      const found = foundWithoutResource(mine, exchanges, known);
      if (found !== undefined) return violated(found);
    }
    const others = mine.filter((exchange) => !isKnown(exchange));
    if (known === undefined) return inconclusive('no call with known values was answered with 200');
    if (others.length === 0) return inconclusive('no call with a wrong value was observed');
    const comparable = operation.pathParameters.filter((name) => isRecognizable(name, known));
    if (comparable.length === 0)
      return notApplicable('the response to the known value holds nothing by which it can be recognized');
    return violatedOr(
      comparable.flatMap((name) => violationsOf(name, known, others)),
      () => pass('no wrong value got the resource of the known one'),
    );
  },
};

/** One finding for all wrong values of a parameter. */
function violationsOf(name: string, known: Exchange, others: readonly Exchange[]): readonly Violation[] {
  const unrelatedOnes = others.filter((one) => isUnrelated(one) && differsOnlyIn(name, one, known));
  // One that is not found shows best that values have no default; one beside a valid call may be taken for it.
  const unrelated = unrelatedOnes.find((one) => statusOf(one) === 404) ?? unrelatedOnes[0];
  if (unrelated === undefined) return [];
  const wrong = others.filter(
    (one) => differsOnlyIn(name, one, known) && showsKnown(name, { known, wrong: one, unrelated }),
  );
  return takenForKnown(
    name,
    known,
    wrong.toSorted((a, b) => a.request.path.length - b.request.path.length),
  );
}

function isOfResources({ case: sender }: Exchange): boolean {
  return sender.check.startsWith('resource/');
}

/** Whether all values are those of the target, and not made by the harness. */
function isKnown({ request }: Exchange): boolean {
  return Object.values(request.values).every(({ source }) => source !== 'generated');
}

/** Whether an exchange shows what a value gets that has nothing to do with the known one; a near miss that is not found does, too. */
function isUnrelated(exchange: Exchange): boolean {
  const isMissed = exchange.step === 'nearMiss' && statusOf(exchange) === 404;
  return (exchange.step === 'unknown' || isMissed) && isOfResources(exchange);
}

/** Whether the values of all other parameters are the known ones, and this one is not. */
function differsOnlyIn(name: string, exchange: Exchange, known: Exchange): boolean {
  return Object.keys(known.request.values).every((other) => {
    const isSame = isSpelling(sentValue(exchange, other) ?? '', sentValue(known, other) ?? '');
    return other === name ? !isSame : isSame;
  });
}

/** Whether a call has one path value, which is a known one of another kind of resource. */
function isOfAnotherKind(exchange: Exchange): boolean {
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
  // A host name below a domain that is reserved for examples is nobody's.
  const named = Object.entries(one.row ?? {}).find(([, id]) => isNoName(id) || id === hostBelowDomain);
  const [name] = named ?? [];
  if (name === undefined || !isOk(one)) return false;
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
    fix: 'Compare path values as the texts that they are, with no conversion to a number or a boolean and no default, and serve no examples.',
  },
  {
    is: (one, exchanges, known) => known !== undefined && showsListing(known, one, exchanges),
    statement: (label) => `A value that names nothing was answered with a list: ${label}`,
    fix: 'Answer 404 to a value of which nothing is left after it is trimmed, and match the whole path of a listing: an empty filter finds everything.',
  },
  {
    is: (one) => isOk(one) && Object.values(one.row ?? {}).includes(prototypeValue),
    statement: () => 'A property that every object has was found as a resource',
    fix: 'Keep resources in a Map, or check Object.hasOwn before reading a property that the request names.',
  },
];

/** The violation by a 200 to what names no resource here, where other unknown values are not found. */
function foundWithoutResource(
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
