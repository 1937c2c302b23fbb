import { jsonFault } from '../../checks/json-fault.ts';
import { describeAnswer } from '../../evidence/answer.ts';
import { bodyFormOf } from '../../evidence/identify-responder.ts';
import { groupBy } from '../../group-by.ts';
import { sentOf } from './cause.ts';
import { grantedKind } from './cause-fixes.ts';
import { plainFailureOf } from './plain-failure.ts';
import { answerOf, isSteady, type Sighting, statusIn } from './sighting.ts';

/** Requirements on every response, each less specific than one on what was asked; the least specific last. */
const general = ['SUCCESS-3', 'SUCCESS-2', 'ERROR-1', 'ERROR-2', 'SUCCESS-1', 'STATUS-1'];

/** The requirements whose violation shows that a valid key is refused, by the status of the refusal. */
const ofRefusals: Readonly<Record<number, RegExp>> = { 401: /^AUTH-[14]$/, 403: /^SCOPE-2$/ };

/** The requirement on the credential of a call, by its kind. */
const ofCredentials = { none: 'AUTH-2', invalid: 'AUTH-3', unscoped: 'SCOPE-1', scoped: undefined };

/**
 * By requirement, those whose refusal with a wrong status explains the same response of the operation to its less specific
 * requests: an unknown value is what many unusual values are, and a request with several defects has each of them.
 */
const ofRequests: Readonly<Record<string, RegExp>> = {
  'RESOURCE-1': /^SESSION-2$/,
  'RESOURCE-2': /^(?:RESOURCE-1|SESSION-2)$/,
  'CLIENT-2': /^RESOURCE-[12]$/,
  'ERROR-3': /^(?:AUTH|SCOPE|REQUEST|RESOURCE)-/,
  'STATUS-1': /^(?:AUTH|SCOPE|REQUEST|RESOURCE|SESSION|LOGIN)-|^ERROR-3$/,
};

/** When one finding stands for another. */
interface Explanation {
  /** Findings of other operations may explain it as well. */
  readonly anywhere?: true;
  readonly isExplained: (one: Sighting) => boolean;
  readonly explains: (other: Sighting, one: Sighting) => boolean;
}

/** The first that fits counts. */
const explanations: readonly Explanation[] = [
  // The identity of another key that a call in company gets, in place of the same without company.
  {
    isExplained: ({ requirement, company }) => requirement === 'AUTH-5' && company === undefined,
    explains: ({ requirement, company }) => requirement === 'AUTH-5' && company !== undefined,
  },
  // The crash of a valid call in company, in place of one of other calls that comes and goes: those of a run meet, too.
  {
    isExplained: (one) => rankOf(one) >= 0 && !isSteady(one) && statusIn(one) >= 500,
    explains: (other, one) => other.company !== undefined && answerOf(other) === answerOf(one),
  },
  // The same broken body of a call in company, in place of one without.
  {
    isExplained: (one) => one.company === undefined && isBroken(one),
    explains: (other, one) => other.company !== undefined && isBrokenAlike(other, one),
  },
  // A broken body that violates a must, in place of those alike that violate a should.
  {
    anywhere: true,
    isExplained: (one) => one.level === 'should' && isBroken(one),
    explains: (other, one) => other.level === 'must' && isBrokenAlike(other, one),
  },
  // A shape that the errors of a status have, in place of what one of them lacks.
  {
    anywhere: true,
    isExplained: (one) => one.requirement === 'ERROR-2' && one.level === 'should',
    explains: (other) => other.requirement === 'ERROR-2' && other.level === 'must',
  },
  // A stack trace, which names files.
  {
    isExplained: ({ requirement }) => requirement === 'HYGIENE-3',
    explains: (other, one) => other.requirement === 'HYGIENE-1' && statusIn(other) === statusIn(one),
  },
  // A guard that a connection or a cache leads around, in place of the same acceptance without a reason.
  {
    isExplained: (one) =>
      /^(?:AUTH-[23]|SCOPE-1)$/.test(one.requirement) && isAccepted(one) && one.company === undefined,
    explains: (other, one) =>
      isAccepted(other) &&
      ((other.requirement === one.requirement && other.company !== undefined) ||
        other.requirement === 'AUTH-5'),
  },
  // A missing key that is refused with the wrong status or let through, in place of an invalid one.
  {
    isExplained: (one) => one.requirement === 'AUTH-3' && !isAccepted(one),
    explains: (other, one) =>
      other.requirement === 'AUTH-2' &&
      (isAccepted(other) ? isRefusedLater(one) : statusIn(other) === statusIn(one)),
  },
  // Two keys that are mixed up, in place of a decision on keys that comes and goes: the one gets what the other may have,
  // and is refused what it may have itself.
  {
    anywhere: true,
    isExplained: (one) =>
      (/^(?:AUTH|SCOPE)-/.test(one.requirement) || [401, 403].includes(statusIn(one))) &&
      !isSteady(one) &&
      one.answeredBy === undefined &&
      !isMixUp(one),
    explains: isMixUp,
  },
  // Without authentication, no key and no scope is refused.
  {
    isExplained: (one) => ['AUTH-3', 'SCOPE-1'].includes(one.requirement) && isAccepted(one),
    explains: (other) => other.requirement === 'AUTH-2' && isAccepted(other),
  },
  {
    isExplained: (one) => one.requirement === 'SCOPE-1' && isAccepted(one),
    explains: (other) => other.requirement === 'AUTH-3' && isAccepted(other),
  },
  // The call that gives a key the scope, in place of each acceptance that follows.
  {
    anywhere: true,
    isExplained: (one) => one.requirement === 'SCOPE-1' && isAccepted(one) && one.kind !== grantedKind,
    explains: ({ kind }) => kind === grantedKind,
  },
  // An accepted call without a body, in place of one whose body is blank or under another media type: parsers pass such a
  // body by, and leave none.
  {
    isExplained: (one) =>
      one.requirement === 'REQUEST-2' &&
      isAccepted(one) &&
      (sentOf(one).class === 'media type' || one.exchange.request.body?.text.trim() === ''),
    explains: (other) => other.requirement === 'REQUEST-1' && isAccepted(other),
  },
  // A refusal of valid calls, in place of the same refusal of another call.
  {
    isExplained: (one) => ofRefusals[statusIn(one)]?.test(one.requirement) === false,
    explains: (other, one) =>
      ofRefusals[statusIn(one)]?.test(other.requirement) === true && answerOf(other) === answerOf(one),
  },
  // An invalid key, or one without the scope, that is accepted elsewhere, where this operation let it through and refused
  // what came after the key.
  {
    anywhere: true,
    isExplained: (one) => one.requirement === 'AUTH-3' && isRefusedLater(one),
    explains: (other, one) =>
      other.requirement === 'AUTH-3' &&
      isAccepted(other) &&
      labelsOf(other).some((label) => labelsOf(one).includes(label)),
  },
  {
    anywhere: true,
    isExplained: (one) => one.requirement === 'SCOPE-1' && isRefusedLater(one),
    explains: (other) => other.requirement === 'SCOPE-1' && isAccepted(other),
  },
  // A refused call that changed the session, in place of what a later call finds changed.
  {
    isExplained: ({ requirement }) =>
      /^(?:AUTH|SCOPE|SESSION)-/.test(requirement) && requirement !== 'SESSION-4',
    explains: (other, one) => other.requirement === 'SESSION-4' && comesAfterRefusal(one, other),
  },
  // An error body that violates a must, in place of those alike that violate a should, as a server may have written them.
  {
    anywhere: true,
    isExplained: (one) =>
      one.level === 'should' && statusIn(one) >= 400 && /^(?:ERROR-1|CLIENT-2)$/.test(one.requirement),
    explains: (other, one) =>
      other.requirement === 'ERROR-1' &&
      other.level === 'must' &&
      bodyFormOf(other.exchange) === bodyFormOf(one.exchange) &&
      answerOf(other) === answerOf(one),
  },
  // The body of a 429, which one place writes for all operations.
  {
    anywhere: true,
    isExplained: (one) => one.requirement === 'ERROR-1' && statusIn(one) === 429,
    explains: (other, one) => other.requirement === 'RATE-1' && answerOf(other) === answerOf(one),
  },
  // A crash of a return that was never issued, in place of that of one that was consumed: neither is there.
  {
    isExplained: (one) => statusIn(one) >= 500 && sentOf(one).class === 'repeated call',
    explains: (other, one) =>
      other !== one && sentOf(other).class === 'unissued return' && answerOf(other) === answerOf(one),
  },
  // A key without the scope that is accepted, in place of valid calls that are refused for want of it: keys are mixed up.
  {
    anywhere: true,
    isExplained: (one) => isRefusedForScope(one),
    explains: (other) => other.requirement === 'SCOPE-1' && isAccepted(other),
  },
  // The key of a call in a sequence, which shows only that the sequence went on.
  {
    isExplained: ({ requirement }) => /^(?:SESSION|LOGIN)-/.test(requirement),
    explains: (other, one) =>
      other.requirement === ofCredentials[one.exchange.request.credential.kind] &&
      answerOf(other) === answerOf(one),
  },
  {
    isExplained: (one) => one.requirement in ofRequests && statusIn(one) >= 300,
    explains: (other, one) =>
      ofRequests[one.requirement]?.test(other.requirement) === true && answerOf(other) === answerOf(one),
  },
];

/**
 * Findings of which another one, of a more specific requirement, tells the same exchange. Passive checks show one of many
 * exchanges, so that the same response to the same case counts as the same exchange.
 */
export function primariesOf(all: readonly Sighting[]): ReadonlyMap<Sighting, Sighting> {
  const byExchange = groupBy(all, exchangeKey);
  const byOperation = groupBy(all, ({ operation }) => operation);
  const primaries = new Map<Sighting, Sighting>();
  for (const sighting of all) {
    const atOperation = byOperation.get(sighting.operation) ?? [];
    const primary =
      plainFailureOf(sighting, atOperation) ??
      explanationOf(sighting, atOperation, all) ??
      moreSpecific(sighting, byExchange.get(exchangeKey(sighting)) ?? []);
    if (primary !== undefined) primaries.set(sighting, primary);
  }
  return lastPrimaries(primaries);
}

function explanationOf(
  one: Sighting,
  atOperation: readonly Sighting[],
  all: readonly Sighting[],
): Sighting | undefined {
  for (const { anywhere, isExplained, explains } of explanations) {
    if (!isExplained(one)) continue;
    const found = (anywhere === true ? all : atOperation).find((other) => explains(other, one));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A primary may itself be explained by another. Where findings explain each other, one of them stands for all. */
export function lastPrimaries<T>(primaries: ReadonlyMap<T, T>): ReadonlyMap<T, T> {
  const last = new Map(primaries);
  for (const finding of primaries.keys()) {
    let end = last.get(finding);
    if (end === undefined) continue;
    const passed = new Set([finding]);
    for (let next = last.get(end); next !== undefined; next = last.get(end)) {
      passed.add(end);
      if (passed.has(next)) last.delete(end);
      else end = next;
    }
    last.set(finding, end);
  }
  return last;
}

function exchangeKey({ exchange }: Sighting): string {
  const { check, operation } = exchange.case;
  return [check, operation, exchange.operation, describeAnswer(exchange)].join('\u0000');
}

function moreSpecific(sighting: Sighting, others: readonly Sighting[]): Sighting | undefined {
  const rank = rankOf(sighting);
  const candidates = others.filter((other) => rankOf(other) < rank);
  return rank < 0 ? undefined : candidates.sort((a, b) => rankOf(a) - rankOf(b))[0];
}

/** -1 for requirements on what was asked. That a crash is one says more than that its body is not as it should be. */
function rankOf(sighting: Sighting): number {
  const isCrash = sighting.requirement === 'STATUS-1' && statusIn(sighting) >= 500;
  return isCrash ? general.indexOf('ERROR-1') - 0.5 : general.indexOf(sighting.requirement);
}

/** Whether calls before that of a finding got the refusal that another finding is about. */
function comesAfterRefusal({ exchange, steps = [] }: Sighting, { exchange: refused }: Sighting): boolean {
  return steps.some(
    (one) =>
      one.startedAt < exchange.startedAt &&
      one.operation === refused.operation &&
      one.request.credential.kind === refused.request.credential.kind &&
      one.response?.status === refused.response?.status,
  );
}

/** Whether a call with a key that holds the scope was answered 403, and not each time. */
export function isRefusedForScope(one: Sighting): boolean {
  const isOfScope = one.exchange.request.credential.kind === 'scoped' && one.answeredBy === undefined;
  const isPassing = !isSteady(one) || one.expected.includes('before and after');
  return statusIn(one) === 403 && isOfScope && isPassing;
}

function isMixUp(one: Sighting): boolean {
  return one.requirement === 'AUTH-5' && (one.company !== undefined || !isSteady(one));
}

function isAccepted(one: Sighting): boolean {
  return statusIn(one) === 200;
}

/** Whether a 200 has a body that is no JSON. */
function isBroken(one: Sighting): boolean {
  return (
    isAccepted(one) &&
    /^(?:SUCCESS-2|CLIENT-[12])$/.test(one.requirement) &&
    jsonFault(one.exchange) !== undefined
  );
}

function isBrokenAlike({ exchange: other }: Sighting, { exchange: one }: Sighting): boolean {
  return other.response?.status === 200 && jsonFault(other) === jsonFault(one);
}

/** Whether the service let a call through and refused what came after the key. */
function isRefusedLater(one: Sighting): boolean {
  return [400, 404, 409].includes(statusIn(one));
}

function labelsOf({ exchange, triggers = [] }: Sighting): readonly string[] {
  return [exchange.label, ...triggers];
}
