import { headerOf } from '../../evidence/answer.ts';
import { bodyFormOf, memberNamesOf } from '../../evidence/identify-responder.ts';
import { generatedValues, isSentAs } from '../../evidence/sent-values.ts';
import { keptAt } from '../../kept-at.ts';
import type { Exchange } from '../../model/exchange.ts';
import { describeRiders } from '../../requests/riders.ts';
import { tried } from '../../tried.ts';
import { byteFaultOf, ownWords, sentHeader } from './answer-text.ts';
import { cameOf, wrongOf } from './beyond-valid.ts';
import { cachedKind, isOfCredentials, missKind, statesAge } from './cached-answer.ts';
import { sentClasses, sentOf, withValue } from './cause.ts';
import {
  anotherResource,
  forAWhile,
  foundAtTimes,
  grantedKind,
  mixedUpLookups,
  sharedSession,
  shownKind,
} from './cause-fixes.ts';
import { atSomeMoments, isCached, isOfSpell, ofMoment } from './moments.ts';
import { answerOf, isFailure, isOfSequence, isPlain, isSteady, type Sighting, statusIn } from './sighting.ts';

type Test = (one: Sighting) => boolean;
type Relation = (other: Sighting, one: Sighting) => boolean;

/**
 * Facts about a finding that a row can require, by name. A row can also require the requirement or its area, the status or the
 * kind of failure, and for the class of what was sent, each as it is.
 */
const facts: Readonly<Record<string, Test>> = {
  'any-call': () => true,
  must: ({ level }) => level === 'must',
  should: ({ level }) => level === 'should',

  // What its check knows about the cause.
  'named-cause': ({ kind }) => kind !== undefined,
  cached: ({ kind }) => kind === cachedKind,
  'from-cache': isCached,
  'remembered-miss': ({ kind }) => kind === missKind,
  granted: ({ kind }) => kind === grantedKind,
  'shown-with-refusal': ({ kind }) => kind === shownKind,
  deviates: ({ deviation }) => deviation !== undefined,
  'another-resource': ({ deviation }) => deviation === anotherResource,
  'found-at-times': ({ deviation }) => deviation === foundAtTimes,
  'mixed-up-lookups': ({ deviation }) => deviation === mixedUpLookups,
  'shared-session': ({ deviation }) => deviation === sharedSession,

  // How often, and when.
  steady: isSteady,
  sure: isSure,
  'comes-and-goes': (one) => !isSteady(one) || [ofMoment, forAWhile].includes(one.deviation ?? ''),
  'of-moment': ({ deviation }) => deviation === ofMoment,
  'for-a-while': ({ deviation }) => deviation === forAWhile,
  'of-spell': isOfSpell,

  // In which company.
  company: ({ company }) => company !== undefined,
  'at-some-moments': ({ company }) => company === atSomeMoments,
  'after-a-call': ({ company }) => company?.startsWith('after ') === true,
  'with-a-header': ({ company }) => company?.startsWith('with ') === true,
  'with-riders': ({ company, exchange }) =>
    describeRiders(exchange).some((part) => company?.includes(part) === true),
  'beside-others': ({ company, deviation }) =>
    company?.endsWith(' under way') === true && deviation !== ofMoment,
  'beside-another-session': ({ company }) => company === 'with a call on another session under way',
  'left-behind': ({ requirement, company, deviation }) =>
    requirement === 'SURFACE-1' && company?.startsWith('after ') === true && deviation !== ofMoment,

  // What the call is.
  plain: ({ exchange }) => isPlain(exchange),
  reads: ({ exchange }) => exchange.request.method === 'GET',
  riders: ({ exchange }) => (exchange.neutral ?? []).length > 0,
  scoped: ({ exchange }) => exchange.request.credential.kind === 'scoped',
  isolated: isIsolated,
  sequence: isOfSequence,
  'names-session': ({ exchange }) => exchange.request.values['sessionId'] !== undefined,
  'of-issued': (one) => issuerOf(one) !== undefined,
  'as-no-body': isAsNoBody,
  'seen-defect': (one) => defectsOf(one).length > 0,
  'varies-origin': ({ exchange: { row = {} } }) => areAmong(originHeaders, Object.keys(row)),
  'rides-with-origin': ({ exchange: { neutral = [] } }) => areAmong(originHeaders, neutral),
  'varies-query': ({ exchange: { row = {} } }) => areAmong(['query'], Object.keys(row)),
  'varies-wire': ({ exchange: { row = {} } }) => areAmong(['wire'], Object.keys(row)),
  'varies-body': ({ exchange: { row = {} } }) => areAmong(['body'], Object.keys(row)),
  'sends-condition': ({ exchange }) =>
    ['if-none-match', 'if-modified-since'].some((name) => sentHeader(exchange, name) !== undefined),
  'in-chunks': ({ exchange }) => sentHeader(exchange, 'transfer-encoding') === 'chunked',
  'varies-language': ({ exchange }) => exchange.row?.['accept-language'] !== undefined,
  'keyed-call': ({ exchange }) => sentHeader(exchange, 'idempotency-key') !== undefined,
  'sends-client-ip': ({ exchange }) => sentHeader(exchange, 'client-ip') !== undefined,
  'awaits-100': ({ exchange }) => isSentAs(exchange, 'expectation'),
  'sends-h2c': ({ exchange }) => isSentAs(exchange, 'offer of HTTP/2'),
  'sends-two-packets': ({ exchange }) =>
    isSentAs(exchange, 'body in two packets') || isSentAs(exchange, 'head in two packets'),
  'varies-wire-or-body': ({ exchange: { row = {} } }) => areAmong(['wire', 'body'], Object.keys(row)),

  // What it is about.
  'of-keys': (one) => isOfCredentials(one.requirement),
  'of-any-key': (one) =>
    isOfCredentials(one.requirement) || one.exchange.request.credential.kind !== 'scoped',
  'of-bodies': ({ requirement }) => /^(?:SUCCESS-2|ERROR-1|CLIENT-[12])$/.test(requirement),
  'mixed-up-keys': (one) => one.requirement === 'AUTH-5' && !isCached(one),

  // The response.
  failed: isFailure,
  accepted: isAccepted,
  'let-through': (one) => isAccepted(one) || [404, 409].includes(statusIn(one)),
  'refused-later': (one) => [400, 403, 404, 409].includes(statusIn(one)),
  'refused-for-scope': isRefusedForScope,
  undeclared: (one) => [405, 406, 410, 411, 413, 414, 415, 422, 431].includes(statusIn(one)),
  'by-others': ({ answeredBy }) => answeredBy !== undefined,
  'by-front': ({ answeredBy }) => /^(?:proxy|firewall)$/.test(answeredBy?.role ?? ''),
  'page-asked-for': ({ exchange }) =>
    bodyFormOf(exchange) === 'html' && /\btext\/html\b/.test(sentHeader(exchange, 'accept') ?? ''),
  empty: ({ exchange }) => bodyFormOf(exchange) === 'empty',
  'cut-off': ({ exchange }) => ['characters', 'other'].includes(byteFaultOf(exchange) ?? ''),
  'breaks-off': ({ exchange }) => byteFaultOf(exchange) === 'broken',
  'breaks-off-compressed': ({ exchange }) => byteFaultOf(exchange) === 'broken compressed',
  'shows-cache-hit': ({ exchange }) =>
    statesAge(exchange) ||
    ['x-cache', 'cache-status', 'x-cache-status', 'cf-cache-status'].some((name) =>
      /\bhit\b/i.test(headerOf(exchange, name) ?? ''),
    ),
  'redirect-for-slash': (one) => redirectionOf(one.exchange) === 'trailing slash',
  'redirect-to-login': (one) => redirectionOf(one.exchange) === 'login',
  'redirect-to-https': (one) => redirectionOf(one.exchange) === 'https',
  'other-coding': ({ actual }) => actual.startsWith('200 in the coding'),
  'json-as-other-type': ({ actual }) =>
    /^JSON under the media type|^(?:200 with )?JSON without a media type/.test(actual),

  // The error text of the service.
  'says-locked-out': says(/\btoo many\b|\battempts?\b|\block(?:ed|out)\b|\btry again\b/i),
  'says-host': says(/\b(?:host|domain)\b/i),
  'says-csrf': says(/\bcsrf\b|\bforgery\b|authenticity token/i),
  'says-extension': says(/request extension|Extension of type/),

  // The description of the call.
  'sends-page': ({ exchange }) => /[?&]page=/.test(exchange.request.path),
  'sends-brackets': sends(/(?:\[|%5B)\w*(?:\]|%5D)=/i),
  'sends-suffix': ({ requirement, exchange }) =>
    requirement.startsWith('RESOURCE') && /\/[\w~-]+\.[a-z]{1,5}$/i.test(exchange.request.path),
  'sends-at-the-same-time': sends(/at the same time/),
  'sends-media-type': sends(/Content-Type: application\//i),
  'sends-other-letters': sends(/\baccents\b|\bemoji\b|outside ASCII|many scripts/),
  // A body that was made smaller holds no letters but those that count.
  'sends-long-text': sends(/letters more|much longer|much larger|length of|a{32}/),
  'sends-undecodable': sends(/not UTF-8|lone surrogate|percent sign/),
  'sends-encoded-twice': ({ exchange }) => /%25[\da-f]{2}/i.test(exchange.request.path),
  // A long body is told in part only.
  'sends-control-characters': (one) =>
    sends(/\bNUL\b|%00|control characters/)(one) ||
    one.exchange.request.body?.text.includes('\\u0000') === true,
  'sends-deep-json': sends(/\blevels\b|opening brackets/),
  'sends-other-case': sends(/\bother case\b/),
};

/** Relations between two findings that a row can require. */
const relations: Readonly<Record<string, Relation>> = {
  'same-operation': (other, one) => other.exchange.operation === one.exchange.operation,
  'same-requirement': (other, one) => other.requirement === one.requirement,
  'same-status': (other, one) => statusIn(other) === statusIn(one),
  'same-answer': (other, one) => answerOf(other) === answerOf(one),
  'same-came': (other, one) => cameOf(other) === cameOf(one),
  'same-wrong': (other, one) => wrongOf(other) === wrongOf(one),
  'same-words': isAlike,
  'same-refusal': (other, one) =>
    statusIn(one) >= 400 && ownWords(one.exchange) !== '' && isAlike(other, one),
  'same-company': (other, one) => other.company === one.company,
  'same-members': (other, one) =>
    String(memberNamesOf(other.exchange)) === String(memberNamesOf(one.exchange)),
  elsewhere: (other, one) => other.exchange.case.check !== one.exchange.case.check,
  'same-kind-of-key': (other, one) =>
    other.exchange.request.credential.kind === one.exchange.request.credential.kind,
  'same-way': (other, one) => waysOf(other).length > 0 && String(waysOf(other)) === String(waysOf(one)),
  'fewer-ways': (other, one) => {
    const [ways, more] = [waysOf(other), waysOf(one)];
    const isTold = ways.length === more.length && other.company === undefined && one.company !== undefined;
    const isFewer = ways.length > 0 && (ways.length < more.length || isTold);
    return isFewer && ways.every((way) => more.includes(way));
  },
  'same-label': (other, one) => labelsOf(other).some((label) => labelsOf(one).includes(label)),
  'both-come-and-go': (other, one) => [other, one].every((each) => facts['comes-and-goes']?.(each)),
  'no-longer-body': (other, one) => bodyBytes(other) > 0 && bodyBytes(other) <= bodyBytes(one),
  'no-more-defects': (other, one) => defectsOf(other).every((defect) => defectsOf(one).includes(defect)),
  'among-its-steps': ({ exchange }, { steps = [] }) =>
    steps.some(({ operation }) => operation === exchange.operation),
  'refused-before': (other, one) => comesAfterRefusal(one, other),
  'refused-after': (other, one) => comesAfterRefusal(other, one),
};

function says(words: RegExp): Test {
  return ({ exchange }) => words.test(ownWords(exchange));
}

function sends(words: RegExp): Test {
  return (one) => words.test(withValue(sentOf(one), false));
}

const originHeaders = ['origin', 'referer', 'sec-fetch-site'];

function areAmong(wanted: readonly string[], names: readonly string[]): boolean {
  return names.length > 0 && names.every((name) => wanted.includes(name));
}

/** Whether a check looked for the plainest call; one that watches the calls of others shows a call that may hold anything. */
export function isIsolated({ exchange, check }: Sighting): boolean {
  return exchange.case.check === check;
}

/** Whether a call was answered so more than once, and in every try. */
export function isSure(one: Sighting): boolean {
  return isSteady(one) && one.seen.of > 1 && one.deviation !== forAWhile;
}

function isAccepted(one: Sighting): boolean {
  return [200, 206].includes(statusIn(one));
}

/** Whether parsers treat the body of a call as missing. */
function isAsNoBody(one: Sighting): boolean {
  const { requirement, exchange, triggers = [] } = one;
  const { body } = exchange.request;
  if (requirement === 'REQUEST-3') return body?.json === 'null' && triggers.length <= 1;
  return requirement === 'REQUEST-2' && (sentOf(one).class === 'media type' || body?.text.trim() === '');
}

/** Whether a call with a key that holds the scope was answered 403, and not each time. */
export function isRefusedForScope(one: Sighting): boolean {
  const isOfScope = one.exchange.request.credential.kind === 'scoped' && one.answeredBy === undefined;
  return statusIn(one) === 403 && isOfScope && (!isSteady(one) || one.deviation === forAWhile);
}

/** The call of another operation that issued what a call uses. */
export function issuerOf({ exchange, steps = [] }: Sighting): Exchange | undefined {
  return steps.find(
    (one) =>
      one.operation !== exchange.operation && one.request.method === 'POST' && one.response?.status === 200,
  );
}

function redirectionOf(exchange: Exchange): 'trailing slash' | 'login' | 'https' | undefined {
  const location = headerOf(exchange, 'location') ?? '';
  const [asked = ''] = exchange.request.path.split('?');
  const to = location.replace(/^https?:\/\/[^/]*/i, '').split('?')[0] ?? '';
  if (to === asked && /^https:/i.test(location)) return 'https';
  if (to !== asked && to.replace(/\/$/, '') === asked.replace(/\/$/, '')) return 'trailing slash';
  return /log-?in|sign-?in|auth/i.test(to) ? 'login' : undefined;
}
function defectsOf({ exchange: { request } }: Sighting): readonly string[] {
  const { method, body, path, credential } = request;
  const isMade = generatedValues(request).length > 0;
  const isCoded = request.headers.some(([name]) => name === 'content-encoding');
  return [
    ...(method === 'POST' && (body === undefined || body.json === 'empty') ? ['no body'] : []),
    ...(body?.json === 'malformed' || isCoded ? ['malformed body'] : []),
    ...(tried(decodeURIComponent, path) === undefined
      ? ['unreadable path']
      : isMade
        ? ['unknown value']
        : []),
    ...(credential.kind === 'invalid' || credential.kind === 'unscoped' ? [credential.kind] : []),
  ];
}

function bodyBytes({ exchange }: Sighting): number {
  return exchange.request.body?.bytes ?? 0;
}

/** What goes with a call that may stand for a key, and with which company that is known to be due to it. */
function waysOf({ exchange: { row = {}, neutral = [] }, company }: Sighting): readonly string[] {
  const riders = company === undefined ? [] : neutral.map((name) => `header ${name}`);
  const ways = [row['way'] ?? [], riders].flat();
  // A session that a made-up cookie begins is that of a cookie of the service.
  return ways.map((way) => (way === 'own cookie' ? 'header cookie' : way));
}

function labelsOf({ exchange, triggers = [] }: Sighting): readonly string[] {
  return [exchange.label, ...triggers];
}

function isAlike(other: Sighting, one: Sighting): boolean {
  return cameOf(other) === cameOf(one) && ownWords(other.exchange) === ownWords(one.exchange);
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

/** The test for a pattern. Each of its terms must hold: one of the names separated by `|`, or the absence of a name after `!`. */
function parsed<Given extends unknown[]>(
  pattern: string,
  find: (name: string) => ((...given: Given) => boolean) | undefined,
): (...given: Given) => boolean {
  const terms = pattern.split(' ').map((term) =>
    term.split('|').map((name) => {
      const test = find(name.replace('!', ''));
      if (test === undefined) throw new Error(`no fact is called ${name}`);
      return name.startsWith('!') ? (...given: Given) => !test(...given) : test;
    }),
  );
  return (...given) => terms.every((names) => names.some((test) => test(...given)));
}

/** Facts of a finding by name, kept because many rows require the same ones. */
const known = new WeakMap<Sighting, Map<string, boolean>>();

/** Whether a finding is as a pattern says, such as `AUTH-2|AUTH-3 accepted !company`. */
export function findingLike(pattern: string): Test {
  return parsed(pattern, (name) => {
    const test = facts[name] ?? (ofValues.test(name) ? (one) => valuesOf(one).includes(name) : undefined);
    return (
      test &&
      ((one) =>
        keptAt(
          keptAt(known, one, () => new Map()),
          name,
          () => test(one),
        ))
    );
  });
}

/** Whether two findings are to each other as a pattern says, such as `same-operation !refused-after`. */
export function pairLike(pattern: string): Relation {
  return parsed(pattern, (name) => relations[name]);
}

/** A requirement or its area, a status, a kind of failure, or a class of what was sent. */
const ofValues = new RegExp(
  `^(?:[A-Z]+(?:-\\d)?|[1-5]\\d\\d|timeout|reset|malformed-response|${[...sentClasses].join('|').replaceAll(' ', '-')})$`,
);

function valuesOf(one: Sighting): readonly string[] {
  const { requirement, exchange } = one;
  const came = String(exchange.failure?.kind ?? statusIn(one));
  return [requirement, requirement.replace(/-\d+$/, ''), came, sentOf(one).class.replaceAll(' ', '-')];
}
