import { statesUsedUpLimit, statusOf } from '../../evidence/answer.ts';
import { bodyFormOf, respondersInHeaders } from '../../evidence/identify-responder.ts';
import { type KnownResponder, responders } from '../../evidence/responders.ts';
import { groupBy } from '../../group-by.ts';
import { keptAt } from '../../kept-at.ts';
import type { Responder } from '../../model/report.ts';
import { abridged } from '../../visible-text.ts';
import { answerText, ownWords } from './answer-text.ts';
import { partChangedBy } from './beyond-valid.ts';
import { cachedHeadline, cachedKind, isOfCredentials, missKind } from './cached-answer.ts';
import { sentOf, withValue } from './cause.ts';
import { forAWhile, noResponse, pageByTurns, scopeOfRequest, shownKind } from './cause-fixes.ts';
import { isRefusedForScope } from './facts.ts';
import { byteDefectOf, isToldByWords, placeOfCause } from './fix-of-cause.ts';
import { atSomeMoments, crowd, isCached, isOfAnything, isOfSpell, ofFields, ofOutage } from './moments.ts';
import { type OtherRoutes, otherRouteOf } from './other-route.ts';
import {
  isOfDocument,
  isOfSequence,
  isPlain,
  isSteady,
  ofValidCalls,
  onContents,
  type Sighting,
  statusIn,
} from './sighting.ts';
import { crashedFix, swallowedFix } from './swallowed-refusals.ts';

/** The defect that a finding shows, described without operation or input. */
export interface Defect {
  /** Equal for findings that one fix removes. */
  readonly key: readonly string[];
  readonly headline: string;
  /** The kind of request, by which the headline of several findings counts the other kinds. */
  readonly sent?: string;
  readonly answeredBy?: Responder | undefined;
  readonly fix: string;
}

/** Statuses that limiters in front of a service use instead of 429. */
const throttlingStatuses = [403, 420, 502, 503, 504, 509, 529];
/** Those of them that mostly mean something else. */
const unavailable = [502, 503, 504];

/** The defect that a finding shows; `all` are the findings of the run, and by those that nothing else explains throttling is recognised. */
export function defectOf(
  sighting: Sighting,
  all: readonly Sighting[],
  routes: OtherRoutes,
  unexplained: readonly Sighting[],
): Defect {
  if (isOfDocument(sighting)) return documentDefect(sighting, all);
  const { answeredBy, fix = '' } = sighting;
  const known = responders.find(({ name }) => name === answeredBy?.name);
  const inTurn =
    answeredBy && all.find((one) => one.deviation === pageByTurns && isOfSameFront(one, sighting));
  if (inTurn !== undefined) {
    const headline = `${answeredBy?.name} answers valid calls with a page under 403 now and then, whatever the pace`;
    return { key: [pageByTurns], headline, answeredBy, fix: inTurn.fix ?? '' };
  }
  const isAway = sighting.deviation === ofOutage;
  const throttled = isAway ? undefined : throttlingStatus(sighting, unexplained);
  if (throttled !== undefined) {
    const who = answeredBy?.name ?? 'The service';
    const text = sighting.exchange.response?.body.text ?? '';
    const exhausted = known?.exhausted?.body.test(text) === true ? known.exhausted.fix : undefined;
    const mayBeOutage =
      exhausted !== undefined || (known?.throttling === undefined && unavailable.includes(throttled));
    const headline = mayBeOutage
      ? `${who} answers ${throttled} for a while: a limit, or something that is unavailable`
      : `${who} throttles with ${throttled} instead of 429`;
    const remedy = exhausted ?? known?.throttling ?? `${ownThrottling}${throttlingInFront(sighting)}`;
    return { key: ['throttling', who], headline, answeredBy, fix: remedy };
  }
  if (sighting.kind === missKind || sighting.kind === shownKind)
    return { key: [sighting.kind], headline: sighting.message, fix };
  if (answeredBy !== undefined && sighting.deviation !== ofFields && !isAway && !isOfOperation(sighting))
    return inFrontDefect(sighting, answeredBy, known);
  const cached = cachedBeside(sighting, all);
  if (cached !== undefined) return { key: [cachedKind], headline: cachedHeadline, fix: cached.fix ?? '' };
  const bytes = byteDefectOf(sighting);
  if (bytes !== undefined) {
    const { headline, words, fix } = bytes;
    return { key: ['cut off', headline], headline: `${headline}${words}`, fix };
  }
  const route = otherRouteOf(sighting, routes);
  if (route !== undefined) {
    const sent = withValue(sentOf(sighting), true);
    const headline = `${sent} is answered 200, with a response like those of ${route}`;
    return { key: ['route', route], headline, fix };
  }
  const crashed = crashedFix(sighting, all);
  if (crashed !== undefined)
    return {
      key: ['crashed refusals', ownWords(sighting.exchange)],
      ...headlineOf(sighting),
      fix: crashed,
    };
  const swallowed = swallowedFix(sighting, all);
  const isAccepted = sighting.requirement === 'SCOPE-1' && statusOf(sighting.exchange) === 200;
  // A key without the scope is accepted where a key with the scope is sometimes refused.
  const isMixedUp = isAccepted && all.some(isRefusedForScope);
  return {
    key: swallowed === undefined ? keyOf(sighting, all) : ['swallowed', sighting.exchange.operation],
    ...(isMixedUp ? { headline: mixedUpHeadline } : headlineOf(sighting)),
    answeredBy,
    fix: swallowed ?? (isMixedUp ? scopeOfRequest : fix),
  };
}

function isOfSameFront(one: Sighting, other: Sighting): boolean {
  return one.answeredBy?.name === other.answeredBy?.name && statusIn(one) === statusIn(other);
}

const mixedUpHeadline =
  'At times a key counts as another one: a key without the scope is accepted, and one with it is refused';

function keyOf(sighting: Sighting, all: readonly Sighting[]): readonly string[] {
  const { requirement, level, company, answeredBy, deviation } = sighting;
  const place = placeOfCause(sighting, all);
  // A framework refuses bodies with several statuses, and one handler decides all of them.
  if (answeredBy?.role === 'framework' && [413, 415, 422].includes(statusIn(sighting)))
    return ['in front', answeredBy.name, 'answers'];
  if (place !== undefined) return ['place', place, answeredBy?.name ?? ''];
  // Of a header that decides on the body of errors, any value that does so may be the one that is shown.
  const told = requirement === 'ERROR-1' ? company?.replace(/:.*/, '') : company;
  const inCompany = told === undefined ? [] : [told.replace(/\d+/g, '#')];
  if (isOfAnything(sighting)) {
    // Failures now and then may have several causes; those from one moment on have one.
    const isDoubtful = (company === atSomeMoments || company === crowd) && isOfSpell(sighting);
    // A framework has several pages for one failure, depending on what the client accepts.
    const words = answeredBy?.role === 'framework' ? answeredBy.name : ownWords(sighting.exchange);
    return [deviation ?? '', ...inCompany, isDoubtful ? words : ''];
  }
  // Two causes are one only if the same values show both; calls of other clients are identified by their factors.
  const { row = {} } = sighting.exchange;
  const factors = requirement === 'CLIENT-1' ? Object.keys(row).map(partChangedBy).sort() : [];
  return [requirement, level, howOf(sighting), ...factors, ...inCompany];
}

/** The finding that shows a cache, or another one at the operation that the same cache explains. */
function cachedBeside(sighting: Sighting, all: readonly Sighting[]): Sighting | undefined {
  if (isCached(sighting)) return sighting;
  if (sighting.kind !== undefined || !isOfCredentials(sighting.requirement)) return undefined;
  return all.find(
    (one) => isCached(one) && one.operation === sighting.operation && statusIn(one) === statusIn(sighting),
  );
}

/**
 * Whether a response from another responder shows that the operation is missing, crashes, or refuses a key or a body
 * with the wrong status, not only that the responder has its own pages.
 */
function isOfOperation(sighting: Sighting): boolean {
  const { requirement, exchange, answeredBy } = sighting;
  if (requirement === 'SURFACE-1') return isPlain(exchange) && isSteady(sighting);
  if (answeredBy?.role !== 'framework' && answeredBy?.role !== 'server') return false;
  return [413, 415, 422, 500].includes(statusIn(sighting)) || /^(?:AUTH|SCOPE)/.test(requirement);
}

/** The defect with the value that shows it and the service's own words, company first. */
function headlineOf(sighting: Sighting): Pick<Defect, 'headline' | 'sent'> {
  const { requirement, exchange, actual, level, message } = sighting;
  const known = sighting.company ?? (sighting.deviation === forAWhile ? atSomeMoments : undefined);
  const company = isToldByWords(sighting) ? undefined : known;
  // Sessions depend on each other in several ways.
  const { headline: ruleOf = sighting.message } = sighting;
  const rule = isOnIndependence(sighting) ? sighting.message : ruleOf;
  const isSuccess = statusOf(exchange) === 200 || statusIn(sighting) === 206;
  const sent = sentOf(sighting);
  if (requirement === 'SUCCESS-5') return { headline: `${rule}: ${actual}` };
  // Comparing responses shows the defect of one, but not the part of its call that led to it.
  if (requirement === 'SUCCESS-4' && level === 'should') return { headline: `${message}: ${actual}` };
  if (requirement === 'ERROR-2')
    return { headline: `${rule}: ${withValue(sent, false)} is answered with ${actual}` };
  if (onContents.test(requirement)) return { headline: rule };
  if (requirement === 'SUCCESS-2') {
    const isOfValue = sent.class === 'prototype name' || sent.class === 'path value';
    const what = isOfValue ? `${withValue(sent, true)} is answered 200 with` : `${rule}:`;
    return { headline: `${what} ${actual}` };
  }
  if (requirement === 'ERROR-1') {
    const where = company === undefined ? '' : `${abridged(company)}, `;
    return { headline: `${rule}: ${where}a call ${answerText(exchange)}` };
  }
  const subject =
    isOfAnything(sighting) && company !== undefined
      ? subjectOfMoment(sighting)
      : withValue(sent, company === undefined);
  const before =
    company === undefined ? '' : `${company.charAt(0).toUpperCase()}${abridged(company.slice(1))}, `;
  if (isSuccess && !/^200 (?:with|in) /.test(actual) && sent.class !== 'fields in the query') {
    const shown = sent.value === undefined || isOfSequence(sighting) ? '' : ` (${sent.value})`;
    const butWith = rule.endsWith(' was not answered with 404') ? ' but with 200' : '';
    const headline =
      company === undefined ? `${rule}${butWith}${shown}` : `${before}${subject} is answered 200`;
    return { headline, sent: sent.what };
  }
  if (sent.class === 'repeated call' && company === undefined)
    return { headline: `${subject} ${answerText(exchange)}`, sent: sent.what };
  if (isOfSequence(sighting) && !isOfAnything(sighting)) {
    const call = `the call “${exchange.label}” ${answerText(exchange)}`;
    if (statusIn(sighting) < 500) return { headline: `${rule}: ${call}` };
    return { headline: company === undefined ? `T${call.slice(1)}` : `${before}${call}` };
  }
  const answer = isSuccess ? `is answered ${actual}` : answerText(exchange);
  const headline = `${before}${subject} ${answer}`;
  return isOfAnything(sighting) ? { headline } : { headline, sent: sent.what };
}

/** The call of a response that is due to its moment: any, or any with the same key. */
function subjectOfMoment(sighting: Sighting): string {
  const { kind, description } = sighting.exchange.request.credential;
  if (isOfSpell(sighting)) return 'a call';
  if (kind === 'none') return 'a call without a key';
  return kind === 'invalid' ? `a call with an invalid key (${description})` : 'a call with a good key';
}

const ownThrottling =
  'If a limit answers so, let it answer 429 with a PublicErrorResponse body; until then, `--rate` keeps a run below the limit. If nothing limits the rate, look in the logs for what was unavailable at these moments: a pool, an instance, a time limit on a cache or another service, or a gateway that takes the service for dead after one failure (let its kept connections idle for less time than the service keeps them, and allow more failures before it stops).';

/** The settings for the proxies that the headers reveal: a limiter with a JSON body cannot be distinguished from the service. */
function throttlingInFront({ exchange }: Sighting): string {
  // A gateway without a service behind it, which no limiter claims to be.
  if ([502, 504].includes(statusOf(exchange) ?? 0)) return '';
  return respondersInHeaders(exchange)
    .flatMap(({ responder: { name, throttling }, why }) =>
      throttling === undefined ? [] : [` If ${name} throttles (the response has ${why}): ${throttling}`],
    )
    .join('');
}
function inFrontDefect(sighting: Sighting, answeredBy: Responder, known: KnownResponder | undefined): Defect {
  const { name, role } = answeredBy;
  const status = statusIn(sighting);
  const page = bodyFormOf(sighting.exchange) === 'html' ? 'page' : 'response';
  const defect = (does: string, headline: string, fix: string = exemptFromRule): Defect => ({
    key: ['in front', name, does],
    headline,
    answeredBy,
    fix,
  });
  const isLong = status === 403 && sighting.exchange.request.path.length > longPath;
  if (known?.longTargets !== undefined && (status === 414 || status === 431 || isLong)) {
    const headline = `${name} refuses path values that are longer than its limit`;
    return defect('limits the length', headline, known.longTargets);
  }
  if (role === 'firewall' || (status === 403 && role !== 'framework')) {
    const who = role === 'firewall' ? name : `A firewall in ${name}`;
    return defect('blocks', `${who} blocks some requests in front of the service`);
  }
  if (status === 429)
    return defect(
      'throttles',
      `${name} answers 429 with its own error ${page}`,
      known?.throttling ?? known?.fix,
    );
  if (role === 'proxy' && (status === 502 || status === 504)) {
    const headline = `${name} got no response from the service${status === 504 ? ' in time' : ''}: ${withValue(sentOf(sighting), false)} ${answerText(sighting.exchange)}`;
    return defect('gets no response', headline, noResponse);
  }
  // A fix that names no status is for all.
  const isNamed =
    known === undefined || !/\b[45]\d\d\b/.test(known.fix) || known.fix.includes(String(status));
  const ownFix = isNamed ? known?.fix : `${known.fix} Do the same for ${status}.`;
  const isOrdinary = status === 404 && /^[\w./~-]+$/.test(sighting.exchange.request.path);
  const fix = isOrdinary ? (known?.intercepting ?? ownFix) : ownFix;
  // A framework is part of the service, whose developers look for the call.
  const which =
    role === 'framework' ? `: ${withValue(sentOf(sighting), false)} ${answerText(sighting.exchange)}` : '';
  return defect('answers', `${name} answers some requests itself, with its own error ${page}${which}`, fix);
}

/** Characters from which on a file system refuses a path. */
const longPath = 2_000;

const exemptFromRule =
  'Exempt the API from the rule that blocks (ModSecurity: SecRuleRemoveById for the location), let it answer 400 with a PublicErrorResponse body (ModSecurity: `SecRuleUpdateActionById 949110 "deny,status:400"`), or exclude the classes of values that it blocks. Where a key without the scope gets the page as well, pass on the 403 of the service as it is (nginx: no `error_page 403`, and `proxy_intercept_errors off`).';

/** Whether a response is that of the service, which its framework may have written. */
export function isOfService(answeredBy: Responder | undefined): boolean {
  return answeredBy === undefined || answeredBy.role === 'framework';
}

/** Whether it says in its own words how sessions depend on each other, which no clause does. */
function isOnIndependence({ requirement, level }: Sighting): boolean {
  return requirement === 'SESSION-5' && level === 'should';
}

/** How the requirement was violated, without what depends on operation, input, or leniency. */
function howOf(sighting: Sighting): string {
  const { requirement, exchange, kind = '', message } = sighting;
  const { failure, response } = exchange;
  if (isOnIndependence(sighting)) return message;
  if (failure !== undefined || response === undefined) return 'no answer';
  const { status } = response;
  if (/^(?:ERROR-1|SUCCESS-2)$/.test(requirement)) return `${bodyFormOf(exchange)} ${kind}`;
  if (/^(?:SUCCESS-3|ERROR-2|HYGIENE)/.test(requirement)) return kind;
  if (requirement === 'STATUS-1' && status < 500) return String(status);
  if (status >= 500) return '5xx';
  // If a lenient parser accepts a request, the next step decides the status.
  if (/^(?:REQUEST|RESOURCE|LOGIN)-/.test(requirement)) return 'let through';
  return `${Math.floor(status / 100)}xx`;
}

/**
 * The status with which the sender of a response throttles: it came with load and went with a pause, at several operations
 * and not at every try. Other pages of a proxy that throttles belong to the same place of its configuration.
 */
function throttlingStatus(sighting: Sighting, all: readonly Sighting[]): number | undefined {
  const { exchange, answeredBy } = sighting;
  if (exchange.failure !== undefined) return undefined;
  const status = statusIn(sighting);
  if (status === 403 && isBan(sighting, all)) return status;
  const isOfLimit = throttlingStatuses.includes(status) || (status >= 500 && statesUsedUpLimit(exchange));
  if (isOfLimit && isPassing(status, undefined, all)) return status;
  if (answeredBy === undefined || isOfService(answeredBy) || status === 403) return undefined;
  return throttlingStatuses.find((one) => isPassing(one, answeredBy.name, all));
}

/**
 * Whether a 403 answers all requests of a client for a while: calls without a good key and valid ones get it in the same
 * words, and no call without a good key is accepted, as it would be if keys were mixed up.
 */
function isBan(sighting: Sighting, all: readonly Sighting[]): boolean {
  const words = ownWords(sighting.exchange);
  const alike = all.filter((one) => statusIn(one) === 403 && ownWords(one.exchange) === words);
  const kindOf = ({ exchange }: Sighting): string => exchange.request.credential.kind;
  // A valid call of a sequence or among concurrent calls; one that carries more may be refused for that.
  const isValidForAWhile = (one: Sighting): boolean =>
    kindOf(one) === 'scoped' &&
    ofValidCalls.test(one.requirement) &&
    (one.exchange.neutral ?? []).length === 0 &&
    (one.company !== undefined || !isSteady(one) || one.deviation === forAWhile);
  return (
    words !== '' &&
    areAtSeveral(alike.filter((one) => ['none', 'invalid'].includes(kindOf(one)))) &&
    alike.some(isValidForAWhile) &&
    !all.some((one) => isOfCredentials(one.requirement) && statusIn(one) === 200)
  );
}

function isPassing(status: number, responder: string | undefined, all: readonly Sighting[]): boolean {
  const passing = all.filter(
    (one) =>
      statusIn(one) === status &&
      // A 403 may come and go with a header of the call; a limiter refuses plain calls as well.
      (status !== 403 || isPlain(one.exchange)) &&
      (!isSteady(one) || isPublicForAWhile(one)) &&
      (responder === undefined || one.answeredBy?.name === responder),
  );
  return areAtSeveral(passing);
}

/** Whether findings occur at so many operations that one place must be responsible for all of them. */
function areAtSeveral(some: readonly Sighting[]): boolean {
  return new Set(some.map(({ operation }) => operation)).size >= 3;
}

/** A valid call without a key, which nothing about keys, scopes or sessions can refuse for a while. */
function isPublicForAWhile({ deviation, exchange }: Sighting): boolean {
  return deviation === forAWhile && exchange.request.credential.kind === 'none';
}

/** One kind of deviation is one root cause, wherever the document has it. */
function documentDefect(sighting: Sighting, all: readonly Sighting[]): Defect {
  const { kind = '', message, fix = '' } = sighting;
  // Grouped once per run: a document can deviate at thousands of places.
  const byKind = keptAt(deviations, all, () => groupBy(all.filter(isOfDocument), (one) => one.deviation));
  const same = byKind.get(sighting.deviation) ?? [];
  const places = new Set(same.map((one) => componentOf(one.kind) ?? one.kind ?? ''));
  const component = componentOf(kind);
  const where = component === undefined ? '' : `, in ${component.slice(1)}`;
  const isOne = places.size === 1;
  // Which status, name or value differs is a matter of the place.
  const headline = same.every((one) => one.message === message)
    ? message
    : message
        .replace(/\d+|“[^”]*”|"[^"]*"/g, '#')
        .replace(/\b[A-Z]\w+(?:Request|Response)\b/g, '*')
        .replace('The # body', 'The body of some statuses')
        .replace('#', 'some statuses')
        .replace(/\ban? \*|\*/, 'the named schema');
  return {
    key: ['document', sighting.deviation ?? ''],
    headline: isOne ? `${headline}${where}` : `${headline}, at ${places.size} places`,
    fix: `${fix} ${isOne ? `Place: ${[...places].join('')}` : `First of the places: ${kind}`}`.trim(),
  };
}

const deviations = new WeakMap<readonly Sighting[], Map<string | undefined, Sighting[]>>();

function componentOf(pointer = ''): string | undefined {
  return /^\/components\/[^/]+\/[^/]+/.exec(pointer)?.[0];
}
