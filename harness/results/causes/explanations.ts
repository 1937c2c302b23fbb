import { describeAnswer } from '../../evidence/answer.ts';
import { bodyFormOf, memberNamesOf } from '../../evidence/identify-responder.ts';
import { groupBy } from '../../group-by.ts';
import type { Exchange } from '../../model/exchange.ts';
import { tried } from '../../tried.ts';
import { byteFaultOf, ownWords } from './answer-text.ts';
import { cachedKind, isOfCredentials, missKind } from './cached-answer.ts';
import { cameOf, factsOf, wrongOf } from './call-facts.ts';
import { sentOf } from './cause.ts';
import { anotherResource, forAWhile, grantedKind, sharedSession } from './cause-fixes.ts';
import { atSomeMoments, isCached, isOfSpell, ofMoment } from './moments.ts';
import {
  answerOf,
  isFailure,
  isOfDocument,
  isOfSequence,
  isPlain,
  isSteady,
  type Sighting,
  statusIn,
} from './sighting.ts';

/** A finding, what its call has beyond a valid one, what came, and what is wrong with it. */
interface Told {
  readonly sighting: Sighting;
  readonly facts: ReadonlySet<string>;
  readonly came: string | undefined;
  readonly wrong: string;
}

/** Requirements on every response, each less specific than one on what was asked; the least specific last. */
const general = ['SUCCESS-3', 'SUCCESS-2', 'ERROR-1', 'ERROR-2', 'SUCCESS-1', 'STATUS-1'];

/** When one finding stands for another with another response, or at another operation. */
interface Explanation {
  /** Findings of other operations may explain it as well. */
  readonly anywhere?: true;
  readonly isExplained: (one: Sighting) => boolean;
  readonly explains: (other: Sighting, one: Sighting) => boolean;
}

/** The first that fits counts. */
const explanations: readonly Explanation[] = [
  // A cache, in place of the same response of the operation without a proof, and of what a session no longer shows.
  {
    isExplained: (one) => one.kind === undefined && isOnKeys(one),
    explains: (other, one) => isCached(other) && statusIn(other) === statusIn(one),
  },
  // Bodies alike of which one violates a must, in place of those that violate a should, under any status if they come and go.
  {
    anywhere: true,
    isExplained: (one) => one.level === 'should' && isOnBodies(one),
    explains: (other, one) =>
      other.level === 'must' &&
      isOnBodies(other) &&
      (cameOf(other) === cameOf(one) || (comesAndGoes(other) && comesAndGoes(one))) &&
      wrongOf(other) === wrongOf(one),
  },
  // A shape that the errors of a status have, in place of what one of them lacks.
  {
    anywhere: true,
    isExplained: (one) => one.requirement === 'ERROR-2' && one.level === 'should',
    explains: (other) => other.requirement === 'ERROR-2' && other.level === 'must',
  },
  // The body of a 429, which one place writes for all operations.
  {
    anywhere: true,
    isExplained: (one) => one.requirement === 'ERROR-1' && statusIn(one) === 429,
    explains: (other, one) => other.requirement === 'RATE-1' && answerOf(other) === answerOf(one),
  },
  // A status that the contract does not have, in place of its body, and of the same status where nobody looked into it.
  {
    anywhere: true,
    isExplained: (one) =>
      isUndeclared(one) &&
      (/^ERROR-[12]$/.test(one.requirement) || (one.requirement === 'STATUS-1' && !isIsolated(one))),
    explains: (other, one) =>
      !/^ERROR-[12]$/.test(other.requirement) &&
      isIsolated(other) &&
      other.level === 'must' &&
      answerOf(other) === answerOf(one),
  },
  // A body that is too long, in place of a proxy that cannot send all of it, as the service has refused it before its end.
  {
    anywhere: true,
    isExplained: (one) => statusIn(one) === 502 || one.exchange.failure?.kind === 'reset',
    explains: ({ exchange }, one) =>
      exchange.response?.status === 413 &&
      bodyBytes(exchange) > 0 &&
      bodyBytes(exchange) <= bodyBytes(one.exchange),
  },
  // One defect, in place of several of which it is one, and of a body that is no JSON without the coding that it has.
  {
    anywhere: true,
    isExplained: (one) =>
      (one.requirement === 'ERROR-3' && (isFailure(one) || isUndeclared(one))) ||
      (isFailure(one) && sentOf(one).class === 'compressed body'),
    explains: (other, one) => {
      const defects = defectsOf(other);
      const all = defectsOf(one);
      const isOfMore = other.requirement === 'ERROR-3' || defects.length === 0;
      return (
        !isOfMore &&
        isIsolated(other) &&
        isAlike(other, one) &&
        defects.every((defect) => all.includes(defect))
      );
    },
  },
  // The memory of a missing resource, in place of a known one that is missing for a while.
  {
    anywhere: true,
    isExplained: (one) =>
      one.requirement === 'SURFACE-1' && statusIn(one) === 404 && !isSure(one) && one.kind !== missKind,
    explains: (other) => other.kind === missKind,
  },
  // A stack trace, which names files.
  {
    isExplained: ({ requirement }) => requirement === 'HYGIENE-3',
    explains: (other, one) => other.requirement === 'HYGIENE-1' && statusIn(other) === statusIn(one),
  },
  // Two keys that are mixed up, in place of a decision on keys that comes and goes: the one gets what the other may have,
  // and is refused what it may have itself.
  {
    anywhere: true,
    isExplained: (one) =>
      (isOfCredentials(one.requirement) || [401, 403].includes(statusIn(one))) &&
      comesAndGoes(one) &&
      one.answeredBy === undefined &&
      !isMixUp(one),
    explains: (other, one) =>
      isMixUp(other) && (other.company !== undefined || !isSteady(other) || one.deviation !== undefined),
  },
  {
    isExplained: (one) =>
      isOfCredentials(one.requirement) &&
      isAccepted(one) &&
      (one.company === undefined || one.company === atSomeMoments),
    explains: (other, one) => other.requirement === 'AUTH-5' && one.requirement !== 'AUTH-5',
  },
  {
    anywhere: true,
    isExplained: (one) => isRefusedForScope(one),
    explains: (other) => other.requirement === 'SCOPE-1' && isAccepted(other),
  },
  {
    isExplained: (one) =>
      one.exchange.request.credential.kind === 'scoped' &&
      statusIn(one) === 403 &&
      one.answeredBy === undefined,
    explains: (other) => other.requirement === 'SCOPE-1' && isAccepted(other),
  },
  // No key that is enough at some moments, in place of one that lacks the scope, and of a bad one elsewhere.
  {
    anywhere: true,
    isExplained: (one) =>
      /^(?:AUTH-3|SCOPE-1)$/.test(one.requirement) && isAccepted(one) && one.kind !== grantedKind,
    explains: (other, one) =>
      other.requirement === 'AUTH-2' &&
      isAccepted(other) &&
      other.deviation === ofMoment &&
      (one.requirement === 'AUTH-3' || other.exchange.operation === one.exchange.operation),
  },
  // A bad key that is taken for a good one, in place of the good one that is taken for a bad one now and then.
  {
    anywhere: true,
    isExplained: (one) => one.requirement === 'AUTH-4' && statusIn(one) === 401 && comesAndGoes(one),
    explains: (other) => other.requirement === 'AUTH-3' && isAccepted(other),
  },
  // A call that fails beside others or after another one, in place of calls that fail likewise now and then.
  {
    anywhere: true,
    isExplained: (one) =>
      isFailure(one) && (one.deviation === ofMoment || !isSure(one)) && !isBesideOthers(one),
    explains: (other, one) =>
      isFailure(other) && (isBesideOthers(other) || isLeftBehind(other)) && isAlike(other, one),
  },
  // A valid call that is refused beside others, in place of the same refusal after something.
  {
    isExplained: (one) => one.company?.startsWith('after ') === true,
    explains: (other, one) => isBesideOthers(other) && isInSameWords(other, one),
  },
  // A wrong 200 that another call leaves behind, in place of the same one to a client whose calls came after such a call.
  {
    isExplained: (one) => one.requirement === 'CLIENT-1' && one.company === undefined && isAccepted(one),
    explains: (other, one) => isLeftBehind(other) && isAlike(other, one),
  },
  // A refusal at some moments, in place of the same one where it came with each try.
  {
    anywhere: true,
    isExplained: (one) => isOfCredentials(one.requirement) && one.deviation === undefined,
    explains: (other, one) =>
      other.deviation === ofMoment && other.requirement === one.requirement && isInSameWords(other, one),
  },
  // A valid call of a sequence that is refused, in place of the same refusal of one that carries more, or comes later.
  {
    anywhere: true,
    isExplained: (one) => /^(?:CLIENT|SURFACE)-1$/.test(one.requirement),
    explains: (other, one) =>
      isOfSequence(other) &&
      (other.exchange.neutral ?? []).length === 0 &&
      other.exchange.request.credential.kind === 'scoped' &&
      isInSameWords(other, one),
  },
  // Calls that fail at some moments, in place of one that failed so once, whatever went with it.
  {
    anywhere: true,
    isExplained: (one) => isFailure(one) && one.company !== undefined && !isSure(one) && !isOfSpell(one),
    explains: (other, one) => other.company === atSomeMoments && isOfSpell(other) && isAlike(other, one),
  },
  // The call that gives a key the scope, in place of each acceptance that follows.
  {
    anywhere: true,
    isExplained: (one) => one.requirement === 'SCOPE-1' && isAccepted(one) && one.kind !== grantedKind,
    explains: ({ kind }) => kind === grantedKind,
  },
  // The same header that leads to the same refusal, whatever else the call has.
  {
    isExplained: ({ level, company }) => level === 'should' && company?.startsWith('with ') === true,
    explains: (other, one) =>
      other.level === 'must' && other.company === one.company && isInSameWords(other, one),
  },
  // A key that is accepted where nothing after it refuses the call, in place of where something does.
  {
    anywhere: true,
    isExplained: (one) => /^(?:AUTH-[23]|SCOPE-1)$/.test(one.requirement) && isRefusedLater(one),
    explains: (other, one) => isAccepted(other) && isOfSameKey(other, one),
  },
  // A call without a body that is let through, in place of one whose body is blank, null or under another media type: of
  // such a body, parsers leave none.
  {
    isExplained: (one) => isLetThrough(one) && isAsNoBody(one),
    explains: (other) => other.requirement === 'REQUEST-1' && isLetThrough(other),
  },
  // A refusal under 200, in place of the acceptance of what it refuses.
  {
    isExplained: isAccepted,
    explains: (other, one) =>
      other.requirement === 'SUCCESS-4' &&
      String(memberNamesOf(other.exchange)) === String(memberNamesOf(one.exchange)),
  },
  // An answer about something else, in place of the change that reads do not show.
  {
    anywhere: true,
    isExplained: ({ requirement }) => requirement === 'SESSION-3',
    explains: ({ exchange, kind, deviation }, { steps = [] }) =>
      (kind === cachedKind || deviation === anotherResource || deviation === sharedSession) &&
      steps.some(({ operation }) => operation === exchange.operation),
  },
  // A cancel that fails without a refusal before it, in place of one that fails after a refusal.
  {
    isExplained: ({ requirement }) => requirement === 'SESSION-4',
    explains: (other, one) =>
      other.requirement === 'SESSION-2' && isInSameWords(other, one) && !comesAfterRefusal(other, one),
  },
  // A refused call that changed the session, in place of what a later call finds changed, and of a refusal that should not have.
  {
    anywhere: true,
    isExplained: ({ requirement, level }) =>
      /^(?:AUTH|SCOPE|SESSION)-/.test(requirement) && (requirement !== 'SESSION-4' || level === 'should'),
    explains: (other, one) =>
      other.requirement === 'SESSION-4' &&
      (one.requirement === 'SESSION-4' ? other.level === 'must' : comesAfterRefusal(one, other)),
  },
  // A key that is accepted without its scope, in place of a call of a sequence that is.
  {
    anywhere: true,
    isExplained: (one) =>
      isOfSequence(one) && isAccepted(one) && one.exchange.request.credential.kind !== 'scoped',
    explains: (other, one) =>
      isOfCredentials(other.requirement) &&
      isAccepted(other) &&
      other.exchange.request.credential.kind === one.exchange.request.credential.kind,
  },
  // An id that creates at once share, in place of one that creates in turn do, as of a clock.
  {
    isExplained: ({ requirement, level, deviation }) =>
      requirement === 'SESSION-5' && level === 'should' && deviation === sharedSession,
    explains: ({ requirement, level }) => requirement === 'SESSION-5' && level === 'must',
  },
  // Another resource than the requested one, in place of an unknown one that is found, and of what sequences show beside.
  {
    isExplained: (one) =>
      (one.requirement === 'RESOURCE-1' || (isOfSequence(one) && one.level === 'should')) && isAccepted(one),
    explains: ({ deviation }) => deviation === anotherResource,
  },
  // A session that is another one from its first read on, in place of the same after later calls.
  {
    isExplained: ({ requirement, deviation }) =>
      /^SESSION-[2-5]$/.test(requirement) && deviation === anotherResource,
    explains: ({ requirement, deviation }) => requirement === 'SESSION-1' && deviation === anotherResource,
  },
  // A body that ends where its length says, in place of the next response, which begins with the rest.
  {
    isExplained: ({ exchange }) => byteFaultOf(exchange) === 'broken',
    explains: ({ exchange }) => ['characters', 'other'].includes(byteFaultOf(exchange) ?? ''),
  },
  // Any response that breaks off, in place of a compressed one that does.
  {
    anywhere: true,
    isExplained: ({ exchange }) => byteFaultOf(exchange) === 'broken compressed',
    explains: ({ exchange }) => byteFaultOf(exchange) === 'broken',
  },
  // An empty success, in place of an empty error, at times.
  {
    isExplained: (one) =>
      one.requirement === 'ERROR-1' && bodyFormOf(one.exchange) === 'empty' && !isSteady(one),
    explains: (other) => other.requirement === 'SUCCESS-2' && bodyFormOf(other.exchange) === 'empty',
  },
];

/**
 * Findings of which another one tells the cause better: of the same wrong response at the same operation the one whose call
 * has least beyond a valid one, or whose company is known where a response comes and goes, or whose requirement says most.
 */
export function primariesOf(all: readonly Sighting[]): ReadonlyMap<Sighting, Sighting> {
  const told = all
    .filter((one) => !isOfDocument(one))
    .map(
      (sighting): Told => ({
        sighting,
        facts: factsOf(sighting),
        came: cameOf(sighting),
        wrong: wrongOf(sighting),
      }),
    );
  const byOperation = groupBy(told, ({ sighting }) => sighting.exchange.operation);
  const byExchange = groupBy(told, ({ sighting }) => exchangeKey(sighting));
  const ofHeaders = told.filter(isOfHeaders);
  const primaries = new Map<Sighting, Sighting>();
  for (const one of told) {
    const beside = byOperation.get(one.sighting.exchange.operation) ?? [];
    const alike = byExchange.get(exchangeKey(one.sighting)) ?? [];
    const primary =
      explanationOf(one, beside, told) ??
      bestOf([...beside, ...ofHeaders].filter((other) => tellsBetter(other, one))) ??
      bestOf(alike.filter((other) => isMoreSpecific(other, one)));
    if (primary !== undefined) primaries.set(one.sighting, primary.sighting);
  }
  return lastPrimaries(primaries);
}

function explanationOf(one: Told, beside: readonly Told[], all: readonly Told[]): Told | undefined {
  for (const { anywhere, isExplained, explains } of explanations) {
    if (!isExplained(one.sighting)) continue;
    const found = (anywhere === true ? all : beside).find(
      (other) => other !== one && explains(other.sighting, one.sighting),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a finding of the same wrong response tells the cause of another one. */
function tellsBetter(other: Told, one: Told): boolean {
  if (other === one || one.came === undefined || other.came !== one.came) return false;
  // What violates a requirement on every response is wrong in whichever way.
  if (other.wrong !== one.wrong && (rankOf(one.sighting) < 1 || isIsolated(one.sighting))) return false;
  return [isOfAnything, isPlainer, isGraver, isOfKnownCompany].some((tells) => tells(other, one));
}

/** Whether nothing refused a body: what comes next decides the status. */
function isLetThrough(one: Sighting): boolean {
  return isAccepted(one) || [404, 409].includes(statusIn(one));
}

/** Whether parsers take the body of a call for none. */
function isAsNoBody(one: Sighting): boolean {
  const { requirement, exchange, triggers = [] } = one;
  const { body } = exchange.request;
  if (requirement === 'REQUEST-3') return body?.json === 'null' && triggers.length <= 1;
  return requirement === 'REQUEST-2' && (sentOf(one).class === 'media type' || body?.text.trim() === '');
}

/** Whether headers alone led to a response: what reads them does so for all operations. */
function isOfHeaders({ sighting: { requirement, exchange }, facts }: Told): boolean {
  const sent = new Set(exchange.request.headers.map(([name]) => name));
  return requirement === 'CLIENT-1' && facts.size > 0 && [...facts].every((fact) => sent.has(fact));
}

/** Whether all that one call has beyond a valid one is in another call, so that the rest of that one has nothing to do with it. */
function isPlainer({ sighting: other, facts }: Told, { sighting: one, facts: more }: Told): boolean {
  // Where a requirement on every response is violated, any value will do.
  const isAny = rankOf(one) >= 1;
  const isWithin = [...facts].every(
    (fact) => more.has(fact) || (isAny && more.has(fact.split('=')[0] ?? '')),
  );
  // What a key is told in company of a header, any call is told that has the header.
  const isTold = isOfCredentials(other.requirement) && one.requirement !== 'CLIENT-1';
  if (!isWithin || (other.company !== undefined && !isTold)) return false;
  // What came before in a sequence does not decide on keys.
  if (isOfSequence(other) && isOfCredentials(one.requirement)) return false;
  // A check that watches does not know what goes with a call.
  if (!isIsolated(other) && (one.company !== undefined || !tellsOfValidCall(other))) return false;
  // One that comes and goes explains nothing that another call shows each time.
  if (!isSteady(other) && isSure(one)) return false;
  const isAlone = one.company !== undefined && other.company === undefined;
  return isAlone || facts.size < more.size || rankOf(other) < rankOf(one);
}

/** Whether it is the must of a requirement beside its should. */
function isGraver({ sighting: other }: Told, { sighting: one }: Told): boolean {
  return other.requirement === one.requirement && other.level === 'must' && one.level === 'should';
}

/** Whether a check looked for the plainest call; one that watches the calls of others shows a call that may hold anything. */
function isIsolated({ exchange, check }: Sighting): boolean {
  return exchange.case.check === check;
}

/** Of a crash, a check that watches does not say which calls it hits. */
function tellsOfValidCall(one: Sighting): boolean {
  return isPlain(one.exchange) && statusIn(one) !== 500;
}

/** Whether it is known what goes with a response that another call got without a known reason. */
function isOfKnownCompany(known: Told, unknown: Told): boolean {
  const { sighting: other } = known;
  const { sighting: one } = unknown;
  const isOpen = !isSure(one) || !isIsolated(one) || one.requirement === other.requirement;
  const isUnknown = one.company === undefined || !isSure(one);
  return (
    isOpen &&
    isUnknown &&
    (other.company !== undefined || other.kind === missKind) &&
    !isPlainer(unknown, known)
  );
}

/** Whether a check that watches the calls of others saw what another check looked into, or one of a more specific requirement saw. */
function isOfAnything({ sighting: other }: Told, { sighting: one }: Told): boolean {
  if (
    isIsolated(one) ||
    rankOf(one) < -1 ||
    one.kind === cachedKind ||
    lendsLevel(other, one) ||
    !(isIsolated(other) || rankOf(other) < rankOf(one))
  )
    return false;
  return !isPlain(one.exchange) || isPlain(other.exchange) || !isSure(one);
}

/** Whether a should would stand for a must on another question, of which the same answer says nothing. */
function lendsLevel(other: Sighting, one: Sighting): boolean {
  return (
    rankOf(one) < 1 &&
    other.requirement !== one.requirement &&
    other.level === 'should' &&
    one.level === 'must'
  );
}

/** Whether a call was answered so more than once, and in every try. */
function isSure(one: Sighting): boolean {
  return isSteady(one) && one.seen.of > 1 && one.deviation !== forAWhile;
}

/** The finding that says most of several. */
function bestOf(told: readonly Told[]): Told | undefined {
  return told.toSorted(
    ({ sighting: a, facts: ofA }, { sighting: b, facts: ofB }) =>
      Number(isSteady(b)) - Number(isSteady(a)) || ofA.size - ofB.size || rankOf(a) - rankOf(b),
  )[0];
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

/** Passive checks show one of many exchanges, so that the same response to the same case counts as the same exchange. */
function exchangeKey({ exchange }: Sighting): string {
  const { check, operation } = exchange.case;
  return [check, operation, exchange.operation, describeAnswer(exchange)].join('\u0000');
}

function isMoreSpecific({ sighting: other }: Told, { sighting: one }: Told): boolean {
  // A should on what a body says is fixed apart from the must that the same response violates.
  const isApart = other.level === 'should' && one.level === 'must' && /^HYGIENE/.test(other.requirement);
  return !isApart && rankOf(one) >= 1 && rankOf(other) < rankOf(one);
}

/** 0 for requirements on what was asked, less for those on a good key or a valid call. That a crash is one says more than that its body is not as it should be. */
function rankOf(one: Sighting): number {
  if (one.requirement === 'SUCCESS-1' && isPlain(one.exchange) && !one.exchange.neutral && isSteady(one))
    return -2;
  if (/^(?:AUTH-[14]|SCOPE-2)$/.test(one.requirement)) return -1;
  if (isOfSequence(one)) return Number(`0.${one.requirement.at(-1)}`);
  const isCrash = one.requirement === 'STATUS-1' && statusIn(one) >= 500;
  return 1 + (isCrash ? general.indexOf('ERROR-1') - 0.5 : general.indexOf(one.requirement));
}

/** Whether calls before that of a finding were refused as the one that another finding is about, for their key or body. */
function comesAfterRefusal({ exchange, steps = [] }: Sighting, { exchange: refused }: Sighting): boolean {
  return steps.some(
    (one) =>
      one.startedAt < exchange.startedAt &&
      one.operation === refused.operation &&
      [400, 401, 403].includes(one.response?.status ?? 0),
  );
}

/** Whether a call with a key that holds the scope was answered 403, and not each time. */
export function isRefusedForScope(one: Sighting): boolean {
  const isOfScope = one.exchange.request.credential.kind === 'scoped' && one.answeredBy === undefined;
  return statusIn(one) === 403 && isOfScope && (!isSteady(one) || one.deviation === forAWhile);
}

/** Whether an error has a status that the contract does not have, and that says what was refused. */
function isUndeclared(one: Sighting): boolean {
  return [405, 406, 410, 411, 413, 414, 415, 422, 431].includes(statusIn(one));
}

function bodyBytes({ request }: Exchange): number {
  return request.body?.bytes ?? 0;
}

/** What is wrong with a call, as far as it can be seen. */
function defectsOf({ exchange: { request } }: Sighting): readonly string[] {
  const { method, body, path, values, credential } = request;
  const made = Object.values(values).some(({ source }) => source === 'generated');
  const isCoded = request.headers.some(([name]) => name === 'content-encoding');
  return [
    ...(method === 'POST' && (body === undefined || body.json === 'empty') ? ['no body'] : []),
    ...(body?.json === 'malformed' || isCoded ? ['malformed body'] : []),
    ...(tried(decodeURIComponent, path) === undefined ? ['unreadable path'] : made ? ['unknown value'] : []),
    ...(credential.kind === 'invalid' || credential.kind === 'unscoped' ? [credential.kind] : []),
  ];
}

/** Whether a check sought and found that it takes others under way. */
function isBesideOthers({ company, deviation }: Sighting): boolean {
  return company?.endsWith(' under way') === true && deviation !== ofMoment;
}

/** Whether a check sought and found the call before that leads to it. */
function isLeftBehind({ requirement, company, deviation }: Sighting): boolean {
  return requirement === 'SURFACE-1' && company?.startsWith('after ') === true && deviation !== ofMoment;
}

function isAlike(one: Sighting, other: Sighting): boolean {
  return cameOf(one) === cameOf(other) && ownWords(one.exchange) === ownWords(other.exchange);
}

/** Whether both are refused for the same reason, which the service has words for. */
function isInSameWords(one: Sighting, other: Sighting): boolean {
  return statusIn(one) >= 400 && ownWords(one.exchange) !== '' && isAlike(one, other);
}

/** Whether it is about a key, by its requirement or by the key of its call. */
function isOnKeys({ requirement, exchange }: Sighting): boolean {
  return isOfCredentials(requirement) || exchange.request.credential.kind !== 'scoped';
}

function isMixUp(one: Sighting): boolean {
  return one.requirement === 'AUTH-5' && !isCached(one);
}

/** Whether a call had another answer in another try, or at another moment of the run. */
function comesAndGoes(one: Sighting): boolean {
  return !isSteady(one) || one.deviation === ofMoment || one.deviation === forAWhile;
}

function isAccepted(one: Sighting): boolean {
  return [200, 206].includes(statusIn(one));
}

/** Whether it objects to what a body is, and not to what it says. */
function isOnBodies({ requirement }: Sighting): boolean {
  return /^(?:SUCCESS-2|ERROR-1|CLIENT-[12])$/.test(requirement);
}

/** Whether the service may have let a call through and refused what came after the key. */
function isRefusedLater(one: Sighting): boolean {
  return [400, 403, 404, 409].includes(statusIn(one));
}

/** Whether two keys lack the same, or are let through by one operation. */
function isOfSameKey(other: Sighting, one: Sighting): boolean {
  const isThere = other.exchange.operation === one.exchange.operation;
  if (other.requirement !== one.requirement) return isThere && other.requirement === 'AUTH-2';
  if (isThere || one.requirement === 'SCOPE-1') return true;
  // Elsewhere, a 403 is the wrong status for a key that is refused.
  return statusIn(one) !== 403 && labelsOf(other).some((label) => labelsOf(one).includes(label));
}

function labelsOf({ exchange, triggers = [] }: Sighting): readonly string[] {
  return [exchange.label, ...triggers];
}
