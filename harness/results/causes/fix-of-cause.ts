import { endOf, startOf } from '../../evidence/answer.ts';
import { identifyResponder } from '../../evidence/identify-responder.ts';
import { textBesideJson } from '../../evidence/json-syntax.ts';
import type { KnownResponder } from '../../evidence/responders.ts';
import { responseIdsOf } from '../../evidence/response-ids.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { ResponseId } from '../../model/report.ts';
import { requestIdForm } from '../../requests/request-builder.ts';
import { bounded } from '../../visible-text.ts';
import { byteFaultOf, logIdOf, ownWords } from './answer-text.ts';
import { missKind } from './cached-answer.ts';
import { beginning, sentOf, withValue } from './cause.ts';
import { byteFixes, type CauseFix, fixes, fixesAlone, fixesInCompany } from './cause-fixes.ts';
import { findingLike, issuerOf } from './facts.ts';
import { isCached, isOfSpell } from './moments.ts';
import { isFailure, isOfSequence, type Sighting } from './sighting.ts';

/** Requirements on the contents of a response, which are fixed where it is written, regardless of the request. */
const onContents = /^(?:ERROR-[12]|SUCCESS-[23]|SURFACE-2|HYGIENE|RATE)/;

const answerOfAnother =
  'The answer belongs to another call, whose id it carries ({id}). Look for a cache whose key leaves out what the two calls differ in, such as the query or a header, or that keeps errors (nginx: `proxy_cache_key`, and `proxy_cache_valid 200` alone), and for state that concurrent calls share.';

/** Requirements on calls that must be refused. */
const ofRefusals = /^(?:AUTH-[23]|SCOPE-1|RESOURCE-1)$/;

/** Requirements that a body that is not JSON violates. */
const onBody = /^(?:ERROR-1|SUCCESS-2|RATE-1|CLIENT-1)$/;

/** The fix for the cause of a finding, with the place in the framework that answered; undefined if the cause is unknown. */
export function fixOfCause(sighting: Sighting): string | undefined {
  const { requirement, exchange, company = '', fix, kind, seen } = sighting;
  if (isCached(sighting) || kind === missKind || isOfSpell(sighting)) return undefined;
  const bytes = byteDefectOf(sighting);
  if (bytes !== undefined) return bytes.fix;
  const other = idOfAnotherCall(exchange);
  if (other !== undefined) return answerOfAnother.replace('{id}', `${other.header}: ${other.value}`);
  const framework = frameworkOf(exchange);
  const sent = sentOf(sighting);
  const row = rowOf(sighting);
  if (onContents.test(requirement) && sent.class !== 'prototype name' && row?.ofContents !== true) {
    if (framework === undefined || !requirement.startsWith('ERROR')) return undefined;
    // The findings of a shard have been through here before.
    const place = ` In ${framework.name}: ${beginning(framework.fix)}`;
    return fix?.endsWith(place) === true ? fix : `${fix}${place}`;
  }
  if (row === undefined) return undefined;
  const id = logIdOf(exchange);
  const isOfStep = isOfSequence(sighting) && sent.class !== 'repeated call';
  const texts: Readonly<Record<string, string>> = {
    id: id === undefined ? '' : ` (request ${id})`,
    what: isOfStep ? `the call “${exchange.label}”` : withValue(sent, false),
    company,
    who: sighting.answeredBy?.name ?? '',
    times: `${seen.times} of ${seen.of}`,
    method: exchange.request.method,
    issued: issuedText(sighting),
    words: ownWords(exchange) === '' ? '' : ` (“${ownWords(exchange)}”)`,
  };
  const text = row.fix.replaceAll(/\{(\w+)\}/g, (_, name: string) => texts[name] ?? '');
  return `${text}${placeOf(row, sighting)}`;
}

/** The id that this run gave another call, in the answer to this one. */
function idOfAnotherCall(exchange: Exchange): ResponseId | undefined {
  return responseIdsOf(exchange).find(({ value }) => requestIdForm.test(value));
}

/** Headline and fix for a response whose bytes are wrong. */
export function byteDefectOf({ requirement, exchange }: Sighting): ByteDefect | undefined {
  const fault = byteFaultOf(exchange);
  if (fault === undefined || !(fault.startsWith('broken') || onBody.test(requirement))) return undefined;
  // That a call was accepted which had to be refused is the graver defect.
  if (ofRefusals.test(requirement) && exchange.response?.status === 200) return undefined;
  const text = fault === 'text beside' ? textBesideJson(exchange.response?.body.text ?? '') : undefined;
  const words = text === undefined ? '' : `: “${bounded(text.replaceAll(/<[^>]*>/g, ''))}”`;
  return { ...byteFixes[fault], words };
}

type ByteDefect = Readonly<Record<'headline' | 'fix' | 'words', string>>;

/**
 * The one place that decides all responses like that of a finding, regardless of the violated requirement; undefined for none.
 * `all` are the findings of the run.
 */
export function placeOfCause(sighting: Sighting, all: readonly Sighting[]): string | undefined {
  const row = rowOf(sighting);
  const { place, ofContents, isOfThisAlone } = row ?? {};
  if (onContents.test(sighting.requirement) && ofContents !== true) return undefined;
  const isOfMore = (): boolean =>
    all.some((one) => isFailureLike(one, sighting) && rowOf(one)?.pattern !== row?.pattern);
  if (isOfThisAlone === true && isOfMore()) return undefined;
  return place?.replace('{riders}', (sighting.exchange.neutral ?? []).join(' '));
}

/** Whether a finding is of the same requirement and operation, and of a failure in the same words. */
function isFailureLike(one: Sighting, { requirement, operation, exchange }: Sighting): boolean {
  const isThere = one.requirement === requirement && one.operation === operation;
  return isThere && isFailure(one) && ownWords(one.exchange) === ownWords(exchange);
}

/** Whether the error text of the service names the cause, so that the company of the call is not needed. */
export function isToldByWords(sighting: Sighting): boolean {
  return rowOf(sighting)?.pattern.includes('says-') === true;
}

const [ofAny, ofCompany, ofCallAlone] = [fixes, fixesInCompany, fixesAlone].map((rows) =>
  Object.entries(rows).map(([pattern, row]) => ({
    ...(typeof row === 'string' ? { fix: row } : row),
    pattern,
    isOf: findingLike(pattern),
  })),
);
function rowOf(sighting: Sighting): (CauseFix & { readonly pattern: string }) | undefined {
  const others = sighting.company === undefined ? ofCallAlone : ofCompany;
  return [...(ofAny ?? []), ...(others ?? [])].find(({ isOf }) => isOf(sighting));
}

function issuedText(sighting: Sighting): string {
  const issuer = issuerOf(sighting);
  if (issuer === undefined) return '';
  const ms = Math.max(1, Math.round(startOf(sighting.exchange) - endOf(issuer)));
  return `${issuer.operation} issued the value in this call ${ms} ms earlier`;
}

/** Where to do it: in the framework that is known, or else in those that do so by default. */
function placeOf({ where = {} }: CauseFix, { exchange, answeredBy }: Sighting): string {
  const framework = frameworkOf(exchange);
  const names = framework?.name.split(' or ') ?? [];
  const all = Object.entries(where);
  const known = all.filter(([name]) => names.includes(name));
  // The shape of all errors of a service tells nothing about its framework.
  if (framework !== undefined && answeredBy !== undefined && known.length === 0)
    return ` In ${framework.name}: ${beginning(framework.fix)}`;
  const places = (known.length > 0 ? known : all).map(([name, place]) => `${name}: ${place}`);
  return places.length === 0 ? '' : ` ${known.length > 0 ? 'In ' : ''}${places.join('; ')}.`;
}

/** The framework or server whose default body the response has; it may well be the service's own. */
function frameworkOf(exchange: Exchange): KnownResponder | undefined {
  const responder = identifyResponder(exchange)?.responder;
  return responder?.role === 'framework' || responder?.role === 'server' ? responder : undefined;
}
