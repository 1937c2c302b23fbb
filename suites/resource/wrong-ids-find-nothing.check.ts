import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, notApplicable, pass, violated, violatedOr } from '../../harness/checks/outcomes.ts';
import { isOk, mayBeAnotherRoute, statusOf } from '../../harness/evidence/answer.ts';
import { listedRow } from '../../harness/evidence/sent-values.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { tried } from '../../harness/tried.ts';
import { foundWithoutResource, isOfAnotherKind } from './found-without-resource.ts';
import { takenForKnown } from './inexact-lookups.ts';
import { isRecognizable, isSpelling, sentValue, showsKnown } from './shows-known.ts';

export const check: CollectiveCheck = {
  kind: 'collective',
  requirement: 'RESOURCE-1',
  title:
    'no wrong value of a path parameter gets the resource of the known value, regardless of the case that sent it',
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
    const answer = isOk(exchange) ? 'accepted' : 'refused';
    const isTelling = isOk(exchange) || isUnrelated(exchange) || isOfAnotherKind(exchange);
    return `${exchange.operation} ${answer} ${isTelling ? JSON.stringify(values) : ''}`;
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
      return notApplicable('the response to the known value contains nothing that identifies it');
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
    (one) => differsOnlyIn(name, one, known) && showsKnown(name, known, one, unrelated),
  );
  wrong.sort((a, b) => a.request.path.length - b.request.path.length);
  const again = wrong.filter((one) => isEncodedAgain(sentValue(one, name), sentValue(known, name)));
  return [
    ...takenForKnown(
      name,
      known,
      wrong.filter((one) => !again.includes(one)),
      others.filter((one) => statusOf(one) === 404 && differsOnlyIn(name, one, known)),
    ),
    ...takenForKnown(name, known, again).map((violation) => ({ ...violation, ...decodedTwice })),
  ];
}

const decodedTwice = {
  clause: 'decoded-twice',
  fix: 'Decode each segment of the path once: after the router or a proxy has decoded it, no code must do so again.',
};

/** Whether a value, decoded once, is the known one if it is decoded once more. */
function isEncodedAgain(value = '', known = ''): boolean {
  return value.includes('%') && tried(decodeURIComponent, value) === known;
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
