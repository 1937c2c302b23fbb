import { headerOf } from '../../evidence/answer.ts';
import { identifyResponder } from '../../evidence/identify-responder.ts';
import { textBesideJson } from '../../evidence/json-syntax.ts';
import type { KnownResponder } from '../../evidence/responders.ts';
import type { Exchange } from '../../model/exchange.ts';
import { describeRiders } from '../../requests/riders.ts';
import { bounded } from '../../visible-text.ts';
import { byteFaultOf, logIdOf, ownWords } from './answer-text.ts';
import { missKind } from './cached-answer.ts';
import { type Sent, sentOf } from './cause.ts';
import { aboutBodies, byteFixes, type CauseFix, causeFixes, validationFix } from './cause-fixes.ts';
import { isCached, isOfSpell } from './moments.ts';
import { isOfSequence, isPlain, isSteady, type Sighting, statusIn } from './sighting.ts';

/** Requirements on what a response holds, which are fixed where it is written, whatever was sent. */
const onContents = /^(?:ERROR-[12]|SUCCESS-[23]|SURFACE-2|HYGIENE|RATE)/;

/** Requirements that a body which is no JSON violates. */
const onBody = /^(?:ERROR-1|SUCCESS-2|RATE-1|CLIENT-1)$/;

/** What to do about the cause of a finding, and where in the framework that answered; undefined where the cause is not known. */
export function fixOfCause(sighting: Sighting): string | undefined {
  const { requirement, exchange, company = '', fix, kind, seen } = sighting;
  if (isCached(sighting) || kind === missKind || isOfSpell(sighting)) return undefined;
  const bytes = byteDefectOf(sighting);
  if (bytes !== undefined) return bytes.fix;
  const framework = frameworkOf(exchange);
  const sent = sentOf(sighting);
  // The error body to a body that the service refused differs from the others.
  if (requirement === 'ERROR-2' && statusIn(sighting) === 400 && aboutBodies.includes(sent.class))
    return `${validationFix.fix}${placeOf(validationFix, framework)}`;
  const row = causeFixes.find((one) => fits(one, sent, sighting));
  if (onContents.test(requirement) && sent.class !== 'prototype name' && row?.ofContents !== true) {
    if (framework === undefined || !requirement.startsWith('ERROR')) return undefined;
    // The findings of a shard have been through here before.
    const place = ` In ${framework.name}: ${beginning(framework.fix)}`;
    return fix?.endsWith(place) === true ? fix : `${fix}${place}`;
  }
  if (row === undefined) return undefined;
  const id = logIdOf(exchange);
  const texts: Readonly<Record<string, string>> = {
    id: id === undefined ? '' : ` (request ${id})`,
    what:
      isOfSequence(sighting) && sent.class !== 'repeated call'
        ? `the call “${exchange.label}”`
        : withValue(sent, false),
    company,
    who: sighting.answeredBy?.name ?? '',
    times: `${seen.times} of ${seen.of}`,
    method: exchange.request.method,
    issued: issuedText(sighting),
    words: ownWords(exchange) === '' ? '' : ` (“${ownWords(exchange)}”)`,
  };
  const text = row.fix.replaceAll(
    /\{(id|what|company|who|times|method|issued|words)\}/g,
    (_, name: string) => texts[name] ?? '',
  );
  return `${text}${placeOf(row, framework)}`;
}

/** What is to say of a response whose bytes are wrong. */
export function byteDefectOf({
  requirement,
  exchange,
}: Sighting): { readonly headline: string; readonly fix: string; readonly words: string } | undefined {
  const fault = byteFaultOf(exchange);
  if (fault === undefined || !(fault.startsWith('broken') || onBody.test(requirement))) return undefined;
  const text = fault === 'text beside' ? textBesideJson(exchange.response?.body.text ?? '') : undefined;
  return {
    ...byteFixes[fault],
    words: text === undefined ? '' : `: “${bounded(text.replaceAll(/<[^>]*>/g, ''))}”`,
  };
}

/** The one place that decides all responses like that of a finding, whatever requirement it violates; undefined for none. */
export function placeOfCause(sighting: Sighting): string | undefined {
  const { place, byHeaders, ofContents } = rowOf(sighting) ?? {};
  if (onContents.test(sighting.requirement) && ofContents !== true) return undefined;
  const names = byHeaders === true ? (sighting.exchange.neutral ?? []) : [];
  return place && [place, ...names].join(' ');
}

/** Whether the service's own words tell the cause, so that the company of the call need not. */
export function isToldByWords(sighting: Sighting): boolean {
  return rowOf(sighting)?.says !== undefined;
}

function rowOf(sighting: Sighting): CauseFix | undefined {
  const sent = sentOf(sighting);
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

function fits(row: CauseFix, sent: Sent, sighting: Sighting): boolean {
  const { exchange, answeredBy, company } = sighting;
  const { inCompany = false } = row;
  const isEqual = <T>(wanted: T | undefined, found: T | undefined): boolean =>
    wanted === undefined || wanted === found;
  return (
    (inCompany === 'either' || inCompany === (company !== undefined)) &&
    (row.byHeaders !== true || isOfHeaders(company, exchange)) &&
    (row.only === undefined || variesOnly(row.only, exchange, row.byHeaders === true)) &&
    isEqual(row.kind, sighting.kind) &&
    isEqual(row.requirement, sighting.requirement) &&
    (row.ofContents === undefined || onContents.test(sighting.requirement)) &&
    (row.actual === undefined || row.actual.test(sighting.actual)) &&
    (row.what === undefined || row.what.test(withValue(sent, false))) &&
    (row.says === undefined || row.says.test(ownWords(exchange))) &&
    (row.sent === undefined || row.sent.includes(sent.class)) &&
    (row.came === undefined || row.came.includes(exchange.failure?.kind ?? statusIn(sighting))) &&
    (row.plain !== true || (isPlain(exchange) && sighting.kind === undefined)) &&
    (row.ofIssued !== true || issuerOf(sighting) !== undefined) &&
    isEqual(row.byOthers, answeredBy !== undefined) &&
    (row.byFront !== true || /^(?:proxy|firewall)$/.test(answeredBy?.role ?? '')) &&
    isEqual(row.comesAndGoes, !isSteady(sighting)) &&
    (row.redirectsTo === undefined || row.redirectsTo === redirectionOf(exchange))
  );
}

function variesOnly(
  factors: readonly string[],
  { row = {}, neutral = [] }: Exchange,
  areRiders: boolean,
): boolean {
  const names = areRiders ? neutral : Object.keys(row);
  return names.length > 0 && names.every((name) => factors.includes(name));
}

/** The call of another operation that issued what a call uses. */
function issuerOf({ exchange, steps = [] }: Sighting): Exchange | undefined {
  return steps.find(
    (one) =>
      one.operation !== exchange.operation && one.request.method === 'POST' && one.response?.status === 200,
  );
}

function issuedText(sighting: Sighting): string {
  const issuer = issuerOf(sighting);
  if (issuer === undefined) return '';
  const [start, end] = [sighting.exchange, issuer].map(({ startedAt }) => Date.parse(startedAt));
  const ms = Math.max(1, Math.round((start ?? 0) - (end ?? 0) - issuer.durationMs));
  return `${issuer.operation} issued the value in this call ${ms} ms earlier`;
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
  if (framework !== undefined) {
    const place = where[framework.name];
    return ` In ${framework.name}: ${place === undefined ? beginning(framework.fix) : `${place}.`}`;
  }
  const places = Object.entries(where).map(([name, place]) => `${name}: ${place}`);
  return places.length === 0 ? '' : ` ${places.join('; ')}.`;
}

/** The framework or server whose default body the response has; it may well be the service's own. */
function frameworkOf(exchange: Exchange): KnownResponder | undefined {
  const responder = identifyResponder(exchange)?.responder;
  return responder?.role === 'framework' || responder?.role === 'server' ? responder : undefined;
}
