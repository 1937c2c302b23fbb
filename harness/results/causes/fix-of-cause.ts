import { headerOf } from '../../evidence/answer.ts';
import { identifyResponder } from '../../evidence/identify-responder.ts';
import type { KnownResponder } from '../../evidence/responders.ts';
import type { Exchange } from '../../model/exchange.ts';
import { describeRiders } from '../../requests/riders.ts';
import { cachedKind, missKind } from './cached-answer.ts';
import { type Cut, cutOf, logIdOf, ownWords, type Sent, sentOf } from './cause.ts';
import { aboutBodies, type CauseFix, causeFixes, cutFixes, validationFix } from './cause-fixes.ts';
import type { Sighting } from './root-cause-defect.ts';

/** Requirements on what a response holds, which are fixed where it is written, whatever was sent. */
const onContents = /^(?:ERROR-[12]|SUCCESS-[23]|SURFACE-2|HYGIENE|RATE)/;

/** Requirements that a body which is no JSON violates. */
const onBody = /^(?:ERROR-1|SUCCESS-2|RATE-1)$/;

/** What to do about the cause of a finding, and where in the framework that answered; undefined where the cause is not known. */
export function fixOfCause(sighting: Sighting): string | undefined {
  const {
    result: { requirement },
    finding,
  } = sighting;
  const { exchange, company, fix, kind } = finding;
  if (kind === cachedKind || kind === missKind) return undefined;
  const cut = cutBodyOf(sighting);
  if (cut !== undefined) return cut.fix;
  const framework = frameworkOf(exchange);
  const sent = sentOf({ ...finding, requirement });
  if (isOfValidation(requirement, sent, exchange))
    return `${validationFix.fix}${placeOf(validationFix, framework)}`;
  if (onContents.test(requirement) && sent.class !== 'prototype name') {
    if (framework === undefined || !requirement.startsWith('ERROR')) return undefined;
    // The findings of a shard have been through here before.
    const place = ` In ${framework.name}: ${beginning(framework.fix)}`;
    return fix?.endsWith(place) === true ? fix : `${fix}${place}`;
  }
  const row = rowOf(sent, sighting);
  if (row === undefined) return undefined;
  const text = row.fix
    .replaceAll('{id}', idText(exchange))
    .replaceAll('{what}', withValue(sent, false))
    .replaceAll('{company}', company ?? '')
    .replaceAll('{times}', `${finding.seen.times} of ${finding.seen.of}`)
    .replaceAll('{method}', exchange.request.method);
  return `${text}${placeOf(row, framework)}`;
}

/** Whether the error body to a body that the service refused differs from the others. */
function isOfValidation(requirement: string, sent: Sent, exchange: Exchange): boolean {
  return requirement === 'ERROR-2' && exchange.response?.status === 400 && aboutBodies.includes(sent.class);
}

/** What is to say of a body that is no JSON because it is cut off. */
export function cutBodyOf({
  result: { requirement },
  finding,
}: Sighting): (typeof cutFixes)[Cut] | undefined {
  const cut = onBody.test(requirement) ? cutOf(finding.exchange) : undefined;
  return cut === undefined ? undefined : cutFixes[cut];
}

/** The one place that decides all responses like that of a finding, whatever requirement it violates; undefined for none. */
export function placeOfCause(sighting: Sighting): string | undefined {
  const {
    result: { requirement },
    finding,
  } = sighting;
  if (onContents.test(requirement)) return undefined;
  const { place, byHeaders } = rowOf(sentOf({ ...finding, requirement }), sighting) ?? {};
  const names = byHeaders === true ? (finding.exchange.neutral ?? []) : [];
  return place && [place, ...names].join(' ');
}

/** Whether the service's own words tell the cause, so that the company of the call need not. */
export function isToldByWords(sighting: Sighting): boolean {
  const { requirement } = sighting.result;
  return rowOf(sentOf({ ...sighting.finding, requirement }), sighting)?.says !== undefined;
}

function rowOf(sent: Sent, sighting: Sighting): CauseFix | undefined {
  return causeFixes.find((one) => fits(one, sent, sighting));
}

/** What was sent with its value, at the beginning of a sentence or within one. */
export function withValue({ what, value }: Sent, isBeginning: boolean): string {
  const text = value === undefined ? what : `${what} (${value})`;
  return isBeginning ? text : beginning(text);
}

/** The text in lower case where it begins with an article, so that it can stand within a sentence. */
function beginning(text: string): string {
  return text.replace(/^(?:An?|The|[A-Z][a-z]+) /, (word) => word.toLowerCase());
}

function fits(
  {
    sent,
    came,
    redirectsTo,
    byOthers,
    comesAndGoes,
    says,
    kind,
    requirement,
    inCompany = false,
    byHeaders = false,
  }: CauseFix,
  { class: sentClass }: Sent,
  { result, finding: { exchange, answeredBy, company, seen, kind: found } }: Sighting,
): boolean {
  const answer = exchange.failure?.kind ?? exchange.response?.status ?? '';
  return (
    (inCompany === 'either' || inCompany === (company !== undefined)) &&
    (!byHeaders || isOfHeaders(company, exchange)) &&
    (kind === undefined || kind === found) &&
    (requirement === undefined || requirement === result.requirement) &&
    (says === undefined || says.test(ownWords(exchange))) &&
    (sent === undefined || sent.includes(sentClass)) &&
    (came === undefined || came.includes(answer)) &&
    (byOthers === undefined || byOthers === (answeredBy !== undefined)) &&
    (comesAndGoes === undefined || comesAndGoes === seen.times < seen.of) &&
    (redirectsTo === undefined || redirectsTo === redirectionOf(exchange))
  );
}

/** Whether what rode along makes the difference. */
function isOfHeaders(company: string | undefined, exchange: Exchange): boolean {
  return describeRiders(exchange).some((part) => company?.includes(part) === true);
}

function redirectionOf(exchange: Exchange): CauseFix['redirectsTo'] {
  const location = headerOf(exchange, 'location') ?? '';
  const [asked = ''] = exchange.request.path.split('?');
  const to = location.replace(/^https?:\/\/[^/]*/i, '').split('?')[0] ?? '';
  if (to === asked && /^https:/i.test(location)) return 'https';
  if (to !== asked && to.replace(/\/$/, '') === asked.replace(/\/$/, '')) return 'trailing slash';
  return /log-?in|sign-?in|auth/i.test(to) ? 'login' : undefined;
}

/** Where to do it: in the framework that is known, or else in those that do so by default. */
function placeOf({ where = {} }: CauseFix, framework: KnownResponder | undefined): string {
  if (framework !== undefined)
    return ` In ${framework.name}: ${where[framework.name] ?? beginning(framework.fix)}${where[framework.name] === undefined ? '' : '.'}`;
  const places = Object.entries(where).map(([name, place]) => `${name}: ${place}`);
  return places.length === 0 ? '' : ` ${places.join('; ')}.`;
}

/** The framework or server whose default body the response has; it may well be the service's own. */
function frameworkOf(exchange: Exchange): KnownResponder | undefined {
  const responder = identifyResponder(exchange)?.responder;
  return responder?.role === 'framework' || responder?.role === 'server' ? responder : undefined;
}

function idText(exchange: Exchange): string {
  const id = logIdOf(exchange);
  return id === undefined ? '' : ` for ${id}`;
}
