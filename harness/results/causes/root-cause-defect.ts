import { bodyFormOf } from '../../evidence/identify-responder.ts';
import { type KnownResponder, responders } from '../../evidence/responders.ts';
import type { CaseResult, Finding, Responder, RootCauseSubject } from '../../model/report.ts';
import { cachedHeadline, cachedKind, isOfCredentials, missHeadline, missKind } from './cached-answer.ts';
import { answerText, sentOf } from './cause.ts';
import { cutBodyOf, isToldByWords, placeOfCause, withValue } from './fix-of-cause.ts';
import { type OtherRoutes, otherRouteOf } from './other-route.ts';
import { isPlain } from './plain-failure.ts';

/** A finding with the case that reports it. */
export interface Sighting {
  readonly result: CaseResult;
  readonly finding: Finding;
}

/** The defect that a finding shows, in terms that know neither operation nor input. */
export interface Defect {
  /** Equal for findings that one fix removes. */
  readonly key: readonly string[];
  readonly headline: string;
  /** What was sent, by which the headline of several findings counts the further kinds. */
  readonly sent?: string;
  readonly subject: RootCauseSubject;
  readonly answeredBy?: Responder;
  readonly fix: string;
}

/** Statuses that limiters in front of a service use instead of 429. */
const throttlingStatuses = [403, 420, 502, 503, 504, 509, 529];

/** The defect that a finding shows; `all` are the findings of the run, by which throttling is recognised. */
export function defectOf(
  { result, finding }: Sighting,
  all: readonly Sighting[],
  routes: OtherRoutes = new Map(),
): Defect {
  if (isOfDocument(finding)) return documentDefect(finding, all);
  const { answeredBy } = finding;
  const known = responders.find(({ name }) => name === answeredBy?.name);
  const throttled = throttlingStatus(finding, all);
  if (throttled !== undefined) {
    const who = answeredBy?.name ?? 'The service';
    return {
      key: ['throttling', who],
      headline: `${who} throttles with ${throttled}; the contract has 429`,
      subject: subjectOf(answeredBy),
      ...(answeredBy === undefined ? {} : { answeredBy }),
      fix: known?.throttling ?? 'Answer 429 with a PublicErrorResponse body where a client is too fast.',
    };
  }
  if (answeredBy !== undefined && !isOfOperation({ result, finding }))
    return inFrontDefect(finding, answeredBy, known);
  const cached = cachedBeside({ result, finding }, all);
  if (cached !== undefined)
    return { key: [cachedKind], headline: cachedHeadline, subject: 'service', fix: cached.fix ?? '' };
  if (finding.kind === missKind)
    return { key: [missKind], headline: missHeadline, subject: 'service', fix: finding.fix ?? '' };
  const cut = cutBodyOf({ result, finding });
  if (cut !== undefined) return { key: ['cut off', cut.headline], subject: 'service', ...cut };
  const route = otherRouteOf({ result, finding }, routes);
  if (route !== undefined) {
    const sent = withValue(sentOf({ ...finding, requirement: result.requirement }), true);
    return {
      key: ['route', route],
      headline: `${sent} is answered 200, with a response like those of ${route}`,
      subject: 'service',
      fix: finding.fix ?? '',
    };
  }
  const { company, level } = finding;
  const place = placeOfCause({ result, finding });
  return {
    key:
      place === undefined
        ? [
            result.requirement,
            level,
            howOf(result.requirement, finding),
            ...(company === undefined ? [] : [company.replace(/\d+/g, '#')]),
          ]
        : ['place', place, answeredBy?.name ?? ''],
    ...headlineOf({ result, finding }),
    subject: subjectOf(answeredBy),
    ...(answeredBy === undefined ? {} : { answeredBy }),
    fix: finding.fix ?? '',
  };
}

/** The finding that shows a cache, or another one at the operation that the same cache explains. */
function cachedBeside({ result, finding }: Sighting, all: readonly Sighting[]): Finding | undefined {
  if (finding.kind === cachedKind) return finding;
  if (finding.kind !== undefined || !isOfCredentials(result.requirement)) return undefined;
  return all.find(
    (one) =>
      one.finding.kind === cachedKind &&
      one.result.operation === result.operation &&
      one.finding.exchange.response?.status === finding.exchange.response?.status,
  )?.finding;
}

/**
 * Whether a response that something else wrote says that the operation is missing, crashes, or refuses a key or a body
 * with the wrong status, and not only that the writer has pages of its own.
 */
function isOfOperation({ result, finding: { exchange, seen, answeredBy } }: Sighting): boolean {
  if (result.requirement === 'SURFACE-1') return isPlain(exchange) && seen.times === seen.of;
  if (answeredBy?.role !== 'framework' && answeredBy?.role !== 'server') return false;
  return (
    [413, 415, 422, 500].includes(exchange.response?.status ?? 0) ||
    /^(?:AUTH|SCOPE)/.test(result.requirement)
  );
}

/** Requirements on what a response holds: what was sent has nothing to do with it. */
const onContents = /^(?:ERROR-2|SUCCESS-3|SURFACE-2|HYGIENE|RATE)/;

/** The defect with the value that shows it and the service's own words, company first. */
function headlineOf({ result, finding }: Sighting): Pick<Defect, 'headline' | 'sent'> {
  const { requirement } = result;
  const { exchange, actual } = finding;
  const company = isToldByWords({ result, finding }) ? undefined : finding.company;
  const rule = finding.headline ?? finding.message;
  const isSuccess = exchange.failure === undefined && exchange.response?.status === 200;
  const sent = sentOf({ ...finding, requirement });
  if (requirement === 'ERROR-2')
    return { headline: `${rule}: ${withValue(sent, false)} is answered with ${actual}` };
  if (onContents.test(requirement)) return { headline: rule };
  if (requirement === 'SUCCESS-2') {
    const isOfValue = sent.class === 'prototype name' || sent.class === 'path value';
    return {
      headline: isOfValue ? `${withValue(sent, true)} is answered 200 with ${actual}` : `${rule}: ${actual}`,
    };
  }
  if (requirement === 'ERROR-1') return { headline: `${rule}: a call ${answerText(exchange)}` };
  const subject = withValue(sent, company === undefined);
  const before = company === undefined ? '' : `${company.charAt(0).toUpperCase()}${company.slice(1)}, `;
  if (isSuccess && !actual.startsWith('200 with') && sent.class !== 'fields in the query') {
    // A sequence of calls shows these, whatever the last of them holds.
    const isOfSequence = /^(?:SESSION|LOGIN)/.test(requirement);
    const shown = sent.value === undefined || company !== undefined || isOfSequence ? '' : ` (${sent.value})`;
    return {
      headline: company === undefined ? `${rule}${shown}` : `${before}${subject} is answered 200`,
      sent: sent.what,
    };
  }
  if (sent.class === 'repeated call' && company === undefined)
    return { headline: `${withValue(sent, true)} ${answerText(exchange)}`, sent: sent.what };
  if (/^(?:SESSION|LOGIN)/.test(requirement) && (exchange.response?.status ?? 0) >= 500)
    return { headline: `The call “${exchange.label}” ${answerText(exchange)}` };
  if (/^(?:SESSION|LOGIN)/.test(requirement))
    return { headline: `${rule}: the call “${exchange.label}” ${answerText(exchange)}` };
  const answer = isSuccess ? `is answered ${actual}` : answerText(exchange);
  return { headline: `${before}${subject} ${answer}`, sent: sent.what };
}

/** A response of something other than the service. */
function inFrontDefect(finding: Finding, answeredBy: Responder, known: KnownResponder | undefined): Defect {
  const { exchange } = finding;
  const { name, role } = answeredBy;
  const { status = 0 } = exchange.response ?? {};
  const subject = subjectOf(answeredBy);
  if (role === 'firewall' || (status === 403 && role !== 'framework')) {
    const who = role === 'firewall' ? name : `A firewall in ${name}`;
    return {
      key: ['in front', name, 'blocks'],
      headline: `${who} blocks some requests in front of the service`,
      subject,
      answeredBy,
      fix: exemptFromRule,
    };
  }
  if (status === 429) {
    return {
      key: ['in front', name, 'throttles'],
      headline: `${name} answers 429 with its own error ${bodyFormOf(exchange) === 'html' ? 'page' : 'response'}`,
      subject,
      answeredBy,
      fix: known?.throttling ?? known?.fix ?? exemptFromRule,
    };
  }
  const isTooLong = known?.longTargets !== undefined && (status === 414 || status === 431);
  return {
    key: ['in front', name, isTooLong ? 'limits the length' : 'answers'],
    headline: isTooLong
      ? `${name} refuses path values that are longer than its limit`
      : `${name} answers some requests itself, with its own error ${bodyFormOf(exchange) === 'html' ? 'page' : 'response'}`,
    subject,
    answeredBy,
    fix: (isTooLong ? known.longTargets : known?.fix) ?? exemptFromRule,
  };
}

const exemptFromRule =
  'Exempt the API from the rule that blocks (ModSecurity: SecRuleRemoveById for the location), let it answer with a PublicErrorResponse body, or exclude the classes of values below.';

function subjectOf(answeredBy: Responder | undefined): RootCauseSubject {
  return answeredBy === undefined || answeredBy.role === 'framework' ? 'service' : 'in front of the service';
}

/** How the requirement was violated, without what depends on operation, input, or leniency. */
function howOf(requirement: string, { exchange, kind = '' }: Finding): string {
  const { failure, response } = exchange;
  if (failure !== undefined || response === undefined) return 'no answer';
  const { status } = response;
  if (/^(?:ERROR-1|SUCCESS-2)$/.test(requirement)) return `${bodyFormOf(exchange)} ${kind}`;
  if (/^(?:SUCCESS-3|ERROR-2|HYGIENE)/.test(requirement)) return kind;
  if (requirement === 'STATUS-1' && status < 500) return String(status);
  if (status >= 500) return '5xx';
  // Where a lenient parser lets a request through, what comes next decides the status.
  if (/^(?:REQUEST|RESOURCE|LOGIN)-/.test(requirement)) return 'let through';
  return `${Math.floor(status / 100)}xx`;
}

/**
 * The status with which the sender of a response throttles: it came with load and went with a pause, at several operations
 * and not at every try. Other pages of a proxy that throttles belong to the same place of its configuration.
 */
function throttlingStatus({ exchange, answeredBy }: Finding, all: readonly Sighting[]): number | undefined {
  if (exchange.failure !== undefined) return undefined;
  const status = exchange.response?.status ?? 0;
  if (throttlingStatuses.includes(status) && isPassing(status, undefined, all)) return status;
  if (answeredBy === undefined || subjectOf(answeredBy) === 'service' || status === 403) return undefined;
  return throttlingStatuses.find((one) => isPassing(one, answeredBy.name, all));
}

function isPassing(status: number, responder: string | undefined, all: readonly Sighting[]): boolean {
  const passing = all.filter(
    ({ finding: { exchange, seen, answeredBy } }) =>
      exchange.response?.status === status &&
      seen.times < seen.of &&
      (responder === undefined || answeredBy?.name === responder),
  );
  return new Set(passing.map(({ result }) => result.operation)).size >= 3;
}

function isOfDocument({ exchange }: Finding): boolean {
  return exchange.case.check === 'surface/supplied-document-matches';
}

/** One kind of deviation is one root cause, wherever the document has it. */
function documentDefect(finding: Finding, all: readonly Sighting[]): Defect {
  const { kind = '', message, fix = '' } = finding;
  const defect = kindOfDeviation(finding);
  const same = deviationsByKind(all).get(defect) ?? [];
  const places = new Set(same.map(({ finding }) => componentOf(finding.kind ?? '') ?? finding.kind ?? ''));
  const component = componentOf(kind);
  const where = component === undefined ? '' : `, in ${component.slice(1)}`;
  const isOne = places.size === 1;
  const isSame = same.every(({ finding }) => finding.message === message);
  const headline = isSame
    ? message
    : wordsOf(message)
        .replace('The # body', 'The body of some statuses')
        .replace('#', 'some statuses')
        .replace(/\ban? \*|\*/, 'the named schema');
  return {
    key: ['document', defect],
    headline: isOne ? `${headline}${where}` : `${headline}, at ${places.size} places`,
    subject: 'OpenAPI document',
    fix: `${fix} ${isOne ? `Place: ${[...places].join('')}` : `First of the places: ${kind}`}`.trim(),
  };
}

const deviations = new WeakMap<readonly Sighting[], ReadonlyMap<string, readonly Sighting[]>>();

/** Grouped once per run: a document can deviate at thousands of places. */
function deviationsByKind(all: readonly Sighting[]): ReadonlyMap<string, readonly Sighting[]> {
  const known = deviations.get(all);
  if (known !== undefined) return known;
  const grouped = new Map<string, Sighting[]>();
  for (const sighting of all) {
    if (!isOfDocument(sighting.finding)) continue;
    const kind = kindOfDeviation(sighting.finding);
    const group = grouped.get(kind) ?? [];
    grouped.set(kind, group);
    group.push(sighting);
  }
  deviations.set(all, grouped);
  return grouped;
}

/** Evidence of earlier versions names no kind. */
function kindOfDeviation({ deviation, message }: Finding): string {
  return deviation ?? wordsOf(message);
}

/** Which status, name or value differs is a matter of the place. */
function wordsOf(message: string): string {
  return message.replace(/\d+|“[^”]*”|"[^"]*"/g, '#').replace(/\b[A-Z]\w+(?:Request|Response)\b/g, '*');
}

function componentOf(pointer: string): string | undefined {
  return /^\/components\/[^/]+\/[^/]+/.exec(pointer)?.[0];
}
