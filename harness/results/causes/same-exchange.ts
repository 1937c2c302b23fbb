import { describeAnswer } from '../../evidence/answer.ts';
import type { Finding } from '../../model/report.ts';
import { sentOf } from './cause.ts';
import { grantedKind } from './cause-fixes.ts';
import { plainFailureOf } from './plain-failure.ts';
import type { Sighting } from './root-cause-defect.ts';

/** Requirements on every response, each less specific than one on what was asked; the least specific last. */
const general = ['SUCCESS-3', 'SUCCESS-2', 'ERROR-1', 'ERROR-2', 'SUCCESS-1', 'STATUS-1'];

/** Whose violation explains others at the same operation: without authentication, no key and no scope is refused. */
const explains: Readonly<Record<string, readonly string[]>> = {
  'AUTH-3': ['AUTH-2'],
  'SCOPE-1': ['AUTH-2', 'AUTH-3'],
};

/** Who is refused, by the status of the refusal, whatever else a call at the operation asks. */
const refuses: Readonly<Record<number, RegExp>> = { 401: /^AUTH-[14]$/, 403: /^SCOPE-2$/ };

/**
 * Whose server error explains the same response of the operation to less specific requests: an unknown value is what many
 * unusual values are, and a request with several defects has each of them.
 */
const explainsCrash: Readonly<Record<string, RegExp>> = {
  'RESOURCE-2': /^(?:RESOURCE-1|SESSION-2)$/,
  'ERROR-3': /^(?:AUTH|SCOPE|REQUEST|RESOURCE)-/,
  'STATUS-1': /^(?:AUTH|SCOPE|REQUEST|RESOURCE|SESSION|LOGIN)-|^ERROR-3$/,
};

/**
 * Findings of which another one, of a more specific requirement, tells the same exchange. Passive checks show one of many
 * exchanges, so that the same response to the same case counts as the same exchange.
 */
export function primariesOf(sightings: readonly Sighting[]): ReadonlyMap<Finding, Sighting> {
  const byAnswer = new Map<string, Sighting[]>();
  const byOperation = new Map<string, Sighting[]>();
  for (const sighting of sightings) {
    const key = answerKey(sighting);
    byAnswer.set(key, [...(byAnswer.get(key) ?? []), sighting]);
    const { operation } = sighting.result;
    byOperation.set(operation, [...(byOperation.get(operation) ?? []), sighting]);
  }
  const primaries = new Map<Finding, Sighting>();
  for (const sighting of sightings) {
    const atOperation = byOperation.get(sighting.result.operation) ?? [];
    const primary =
      plainFailureOf(sighting, atOperation) ??
      companyOf(sighting, atOperation) ??
      keyMixUpOf(sighting, sightings) ??
      explanationOf(sighting, atOperation) ??
      grantOf(sighting, sightings) ??
      missingBodyOf(sighting, atOperation) ??
      refusalOf(sighting, atOperation) ??
      letThrough(sighting, sightings) ??
      credentialOf(sighting, atOperation) ??
      crashOf(sighting, atOperation) ??
      moreSpecific(sighting, byAnswer.get(answerKey(sighting)) ?? []);
    if (primary !== undefined) primaries.set(sighting.finding, primary);
  }
  return lastPrimaries(primaries);
}

/** A primary may itself be explained by another. Where findings explain each other, one of them stands for all. */
export function lastPrimaries(primaries: ReadonlyMap<Finding, Sighting>): ReadonlyMap<Finding, Sighting> {
  const last = new Map(primaries);
  for (const finding of primaries.keys()) {
    let end = last.get(finding);
    if (end === undefined) continue;
    const passed = new Set([finding]);
    for (let next = last.get(end.finding); next !== undefined; next = last.get(end.finding)) {
      passed.add(end.finding);
      if (passed.has(next.finding)) last.delete(end.finding);
      else end = next;
    }
    last.set(finding, end);
  }
  return last;
}

function answerKey({ finding: { exchange } }: Sighting): string {
  const { check, operation } = exchange.case;
  return [check, operation, exchange.operation, describeAnswer(exchange)].join('\u0000');
}

function moreSpecific(sighting: Sighting, others: readonly Sighting[]): Sighting | undefined {
  const rank = rankOf(sighting);
  if (rank < 0) return undefined;
  const candidates = others.filter((other) => rankOf(other) < rank);
  return candidates.sort((a, b) => rankOf(a) - rankOf(b))[0];
}

/** -1 for requirements on what was asked. That a crash is one says more than that its body is not as it should be. */
function rankOf({ result: { requirement }, finding: { exchange } }: Sighting): number {
  if (requirement === 'STATUS-1' && (exchange.response?.status ?? 0) >= 500)
    return general.indexOf('ERROR-1') - 0.5;
  return general.indexOf(requirement);
}

function explanationOf(sighting: Sighting, others: readonly Sighting[]): Sighting | undefined {
  if (!isAccepted(sighting)) return undefined;
  for (const requirement of explains[sighting.result.requirement] ?? []) {
    const found = others.find((other) => other.result.requirement === requirement && isAccepted(other));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The call that gives a key the scope, in place of each acceptance that follows. */
function grantOf(sighting: Sighting, all: readonly Sighting[]): Sighting | undefined {
  const isOfGrant = ({ finding }: Sighting): boolean => finding.kind === grantedKind;
  return sighting.result.requirement === 'SCOPE-1' && isAccepted(sighting) && !isOfGrant(sighting)
    ? all.find(isOfGrant)
    : undefined;
}

/**
 * The acceptance of a missing body, in place of that of a body under another media type than JSON: parsers pass such a body
 * by, and leave none.
 */
function missingBodyOf(sighting: Sighting, others: readonly Sighting[]): Sighting | undefined {
  const { result, finding } = sighting;
  if (result.requirement !== 'REQUEST-2' || !isAccepted(sighting)) return undefined;
  if (sentOf({ ...finding, requirement: 'REQUEST-2' }).class !== 'media type') return undefined;
  return others.find((other) => other.result.requirement === 'REQUEST-1' && isAccepted(other));
}

/** The finding that good calls of the operation are refused, in place of one on the same refusal of another call. */
function refusalOf({ result, finding }: Sighting, others: readonly Sighting[]): Sighting | undefined {
  const isRefused = refuses[finding.exchange.response?.status ?? 0];
  if (isRefused === undefined || isRefused.test(result.requirement)) return undefined;
  return others.find(
    (one) => isRefused.test(one.result.requirement) && crashKey(one.finding) === crashKey(finding),
  );
}

/**
 * The acceptance of an invalid key elsewhere, where this operation let the same key through as well, and what comes after
 * the key decided the status.
 */
function letThrough({ result, finding }: Sighting, all: readonly Sighting[]): Sighting | undefined {
  const { exchange } = finding;
  if (result.requirement !== 'AUTH-3' || ![400, 404, 409].includes(exchange.response?.status ?? 0))
    return undefined;
  const acceptances = all.filter((one) => one.result.requirement === 'AUTH-3' && isAccepted(one));
  return acceptances.find(
    (one) =>
      triggersOf(one.finding).some((label) => triggersOf(finding).includes(label)) && one.finding !== finding,
  );
}

function triggersOf({ exchange, triggers = [] }: Finding): readonly string[] {
  return [exchange.label, ...triggers];
}

/** The finding about the key of a call in a sequence, of which the sequence tells only that it went on. */
function credentialOf({ result, finding }: Sighting, others: readonly Sighting[]): Sighting | undefined {
  if (!/^(?:SESSION|LOGIN)-/.test(result.requirement)) return undefined;
  const requirement = { none: 'AUTH-2', invalid: 'AUTH-3', unscoped: 'SCOPE-1', scoped: undefined }[
    finding.exchange.request.credential.kind
  ];
  return others.find(
    (one) => one.result.requirement === requirement && crashKey(one.finding) === crashKey(finding),
  );
}

/**
 * The crash of a valid call in company that a crash of other calls, which comes and goes, is: those of a run meet, too. So do
 * the calls that show the identity of another key.
 */
function companyOf(sighting: Sighting, others: readonly Sighting[]): Sighting | undefined {
  const { seen, exchange, company } = sighting.finding;
  const { requirement } = sighting.result;
  const sameInCompany = others.find(
    ({ finding, result }) => result.requirement === requirement && finding.company !== undefined,
  );
  if (requirement === 'AUTH-5' && company === undefined && sameInCompany !== undefined) return sameInCompany;
  if (rankOf(sighting) < 0 || seen.times === seen.of || (exchange.response?.status ?? 0) < 500)
    return undefined;
  return others.find(
    ({ finding }) => finding.company !== undefined && crashKey(finding) === crashKey(sighting.finding),
  );
}

/**
 * The identity of another key that calls under way at once get, in place of a decision on keys anywhere that comes and goes:
 * what mixes up two keys gives the one what the other may have, and refuses it what it may have itself.
 */
function keyMixUpOf(sighting: Sighting, all: readonly Sighting[]): Sighting | undefined {
  const { result, finding } = sighting;
  const { seen, answeredBy, exchange } = finding;
  const isOnKeys =
    /^(?:AUTH|SCOPE)-/.test(result.requirement) || [401, 403].includes(exchange.response?.status ?? 0);
  const isSteady = seen.times === seen.of;
  if (!isOnKeys || isSteady || answeredBy !== undefined || isMixUp(sighting)) return undefined;
  return all.find(isMixUp);
}

function isMixUp({ result, finding }: Sighting): boolean {
  const { company, seen } = finding;
  return result.requirement === 'AUTH-5' && (company !== undefined || seen.times < seen.of);
}

function crashOf({ result, finding }: Sighting, others: readonly Sighting[]): Sighting | undefined {
  const explained = explainsCrash[result.requirement];
  if (explained === undefined || (finding.exchange.response?.status ?? 0) < 500) return undefined;
  const answer = crashKey(finding);
  return others.find(
    (other) => explained.test(other.result.requirement) && crashKey(other.finding) === answer,
  );
}

function crashKey({ exchange, answeredBy }: Finding): string {
  return `${describeAnswer(exchange)} ${answeredBy?.name ?? ''}`;
}

function isAccepted({ finding }: Sighting): boolean {
  return finding.exchange.response?.status === 200;
}
