import {
  describeAnswer,
  hasStatus,
  isBlockedInFront,
  isFound,
  isOk,
  parseBody,
} from '../../harness/evidence/answer.ts';
import { changedLeaves, leavesOf } from '../../harness/evidence/json-leaves.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { hasOpenShape, isPlainSlug } from '../../harness/requests/mutate-preserving-shape.ts';
import { isBelowStore, type Operation } from '../../spec/operation.ts';
import { takenForKnown } from './inexact-lookups.ts';
import { ofOtherStore, ofOtherStoreAlone } from './listed-elsewhere.ts';
import { lastChanged } from './near-misses.ts';
import { showsAnother, showsKnown } from './shows-known.ts';

/** The calls with wrong values of one parameter: unknown ones, near misses, and known ones of other kinds; beside the valid call. */
interface WrongCalls {
  readonly known: Exchange;
  readonly unknown: readonly Exchange[];
  readonly near: readonly Exchange[];
  readonly others: readonly Exchange[];
}

/** The violations by wrong values of a parameter; undefined where none shows what an unknown one gets. */
export function wrongAnswersFor(
  name: string,
  operation: Operation,
  { known, unknown, near, others }: WrongCalls,
): readonly Violation[] | undefined {
  const [first] = unknown;
  const isNearTold = near.some((one) => hasStatus(one, 404));
  if (first === undefined && isNearTold) return [];
  const found = near.filter((one) => first !== undefined && showsKnown(name, known, one, first));
  // Nothing else that was issued is a session, whatever the answer shows.
  const isNever = operation.takesIssued !== undefined && first !== undefined && !isFound(first);
  const isForeign = foreignFound(others);
  const [other, ...relatedExchanges] = others.filter(
    // A product that is found below another store than its own may show that one.
    (one) =>
      operation.pathParameters.some((each) => showsAnother(each, known, one)) ||
      (isNever && isFound(one)) ||
      isForeign(one),
  );
  const wrong =
    unknown.find((one) => !hasStatus(one, 400, 404)) ??
    [...near, ...others].find((one) => isRefusedOtherwise(name, one, [...near, ...others]));
  const ofUnknown = wrong && unknownValueViolation(operation, name, known, wrong);
  const ofOthers = other && {
    statement: `A value that is not a ${name} was answered with a resource: ${other.label}`,
    expected: '404',
    actual: '200',
    fix: ofAnotherStore(other)
      ? fixOfStores
      : 'Look up each kind of resource separately, and each value by its place in the path.',
    exchange: other,
    relatedExchanges,
  };
  // A malformed id may get 400; it is wrong only where every id of this shape is well-formed.
  const isTold = ofUnknown !== undefined || unknown.some((one) => hasStatus(one, 404));
  const ofMalformed =
    !isTold && first !== undefined && isWellFormed(known, first, name)
      ? unknownValueViolation(operation, name, known, first)
      : undefined;
  // A parameter that is not looked at is answered whatever its value is like.
  const inexact = ofUnknown?.fix === undefined ? [...takenForKnown(name, known, found), ofOthers] : [];
  const violations = [...inexact, ofUnknown, ofMalformed].filter((one) => one !== undefined);
  // Where a near miss is not found, only the form of the others was wrong.
  return isTold || isNearTold || violations.length > 0 ? violations : undefined;
}

const fixOfStores =
  'Select by store and slug together: the response shows a resource that another store lists, and not the one in the path. Use both in the condition of the query, and in the key of every cache and index.';

/** Whether a value names a resource of another store than that of the path. */
function ofAnotherStore({ row = {} }: Exchange): boolean {
  return Object.values(row).some((id) => String(id).startsWith(ofOtherStore));
}

/** Tells the resources that the store of the path does not list, where those of several other stores are all found in it. */
function foreignFound(others: readonly Exchange[]): (one: Exchange) => boolean {
  const idOf = ({ row = {} }: Exchange): string | undefined =>
    Object.values(row)
      .map(String)
      .find((id) => id.startsWith(ofOtherStoreAlone));
  const alone = others.filter((one) => idOf(one) !== undefined);
  const isOfSeveral = new Set(alone.map(idOf)).size > 1;
  return (one) => isOfSeveral && alone.includes(one) && alone.every(isFound);
}

/** Whether an unknown id is certainly well-formed: it has an open shape and the length of the known one, as ids may have a length or range. */
function isWellFormed(known: Exchange, unknown: Exchange, name: string): boolean {
  const model = sentValues(known)[name] ?? '';
  if (model.length !== sentValues(unknown)[name]?.length || !hasOpenShape(model)) return false;
  // The service may sign the ids that it issues itself, also in lower-case letters.
  return name !== 'sessionId' || !isPlainSlug(model);
}

/** A response other than 404 to a call with an unknown value of a parameter. */
function unknownValueViolation(
  operation: Operation,
  name: string,
  known: Exchange,
  exchange: Exchange,
): Violation {
  const isIgnored = isOk(exchange) && holdsTheSame(exchange, known);
  return {
    statement: `An unknown ${name} was not answered 404`,
    expected: '404',
    actual: describeAnswer(exchange),
    exchange,
    ...(isIgnored && {
      detail: `the response has the same content as that for the known ${name}`,
      fix: `Use each value of the path: the response does not depend on ${name}. Add it to the condition of the query and to the key of every cache, and answer 404 if it names nothing.`,
    }),
    ...(isBelowStore(operation) ? { clause: 'below-unknown-store' } : {}),
  };
}

/** Whether two responses are equal, but for the moments that they name. */
function holdsTheSame(one: Exchange, other: Exchange): boolean {
  const [body, expected] = [one, other].map(({ response }) => response?.body);
  if (body?.text === expected?.text) return true;
  const [leaves, known] = [body, expected].map((each) => leavesOf(parseBody(each)));
  if (leaves === undefined || known === undefined || leaves.size === 0) return false;
  const hasAll = leaves.size === known.size && [...leaves.keys()].every((pointer) => known.has(pointer));
  return hasAll && changedLeaves(known, leaves).length === 0;
}

/**
 * Whether the service answered a near miss or a value of another kind as if it were no value at all: a firewall may refuse an
 * asterisk or an accent, and no letters, digits, hyphens and underscores, nor what it let pass in another call.
 */
function isRefusedOtherwise(name: string, exchange: Exchange, all: readonly Exchange[]): boolean {
  const sent = sentValues(exchange)[name] ?? '';
  const mayBeIssued = name === 'sessionId' && exchange.row?.[name] === lastChanged;
  const isPlain = /^[\w-]*$/.test(sent) && !mayBeIssued;
  const isLetThrough = all.some((one) => sentValues(one)[name] === sent && hasStatus(one, 404));
  return (isPlain || isLetThrough) && hasStatus(exchange, 401, 403, 409, 500) && !isBlockedInFront(exchange);
}
