import { describeAnswer } from '../../evidence/answer.ts';
import { groupBy } from '../../group-by.ts';
import { cameOf, excessOf, wrongOf } from './beyond-valid.ts';
import { cachedKind, isOfCredentials, missKind } from './cached-answer.ts';
import { explanationOf } from './explanations.ts';
import { isIsolated, isSure } from './facts.ts';
import { isOfDocument, isOfSequence, isPlain, isSteady, type Sighting, statusIn } from './sighting.ts';

/** A finding, the differences of its call from a valid one, its response, and the defect. */
type Told = ReturnType<typeof toldOf>;

function toldOf(sighting: Sighting) {
  return { sighting, excess: excessOf(sighting), came: cameOf(sighting), wrong: wrongOf(sighting) };
}

/** Requirements on every response, each less specific than one on particular requests; the least specific last. */
const general = ['SUCCESS-3', 'SUCCESS-2', 'ERROR-1', 'ERROR-2', 'SUCCESS-1', 'STATUS-1'];

/**
 * Findings of which another one tells the cause better: of the same wrong response at the same operation the one whose call
 * has least beyond a valid one, or whose company is known where a response comes and goes, or whose requirement says most.
 */
export function primariesOf(all: readonly Sighting[]): ReadonlyMap<Sighting, Sighting> {
  const sightings = all.filter((one) => !isOfDocument(one));
  const told = sightings.map(toldOf);
  const byOperation = groupBy(told, ({ sighting }) => sighting.exchange.operation);
  const byExchange = groupBy(told, ({ sighting }) => exchangeKey(sighting));
  const ofHeaders = told.filter(isOfHeaders);
  const explanations = new Map(sightings.map((one) => [one, explanationOf(one, sightings)]));
  const primaries = new Map<Sighting, Sighting>();
  for (const one of told) {
    const isExplained = (other: Told): boolean => explanations.get(other.sighting) === one.sighting;
    const beside = byOperation.get(one.sighting.exchange.operation) ?? [];
    const alike = byExchange.get(exchangeKey(one.sighting)) ?? [];
    const primary =
      explanations.get(one.sighting) ??
      bestOf([...beside, ...ofHeaders].filter((other) => !isExplained(other) && tellsBetter(other, one))) ??
      bestOf(alike.filter((other) => !isExplained(other) && isMoreSpecific(other, one)));
    if (primary !== undefined) primaries.set(one.sighting, primary);
  }
  return lastPrimaries(primaries);
}

/** Whether a finding of the same wrong response shows the cause of another one. */
function tellsBetter(other: Told, one: Told): boolean {
  if (other === one || one.came === undefined || other.came !== one.came) return false;
  // A requirement on every response covers every kind of defect.
  if (other.wrong !== one.wrong && (rankOf(one.sighting) < 1 || isIsolated(one.sighting))) return false;
  return [isOfAnything, isPlainer, isGraver, isOfKnownCompany].some((tells) => tells(other, one));
}

/** Whether headers alone led to a response: the code that reads them does so for all operations. */
function isOfHeaders({ sighting: { requirement, exchange }, excess }: Told): boolean {
  const sent = new Set(exchange.request.headers.map(([name]) => name));
  return requirement === 'CLIENT-1' && excess.size > 0 && [...excess].every((name) => sent.has(name));
}

/** Whether all that one call has beyond a valid one is in another call, so that the rest of that one has nothing to do with it. */
function isPlainer({ sighting: other, excess }: Told, { sighting: one, excess: more }: Told): boolean {
  // Where a requirement on every response is violated, any value will do.
  const isAny = rankOf(one) >= 1;
  const isWithin = [...excess].every(
    (name) => more.has(name) || (isAny && more.has(name.split('=')[0] ?? '')),
  );
  // A header that leads to a response for one key does so for every call that has it.
  const isTold = isOfCredentials(other.requirement) && one.requirement !== 'CLIENT-1';
  if (!isWithin || (other.company !== undefined && !isTold)) return false;
  // Earlier calls of a sequence do not decide about keys.
  if (isOfSequence(other) && isOfCredentials(one.requirement)) return false;
  // A passive check does not know which part of a call matters, nor which calls a crash affects.
  const tellsOfValidCall = isPlain(other.exchange) && statusIn(other) !== 500;
  if (!isIsolated(other) && (one.company !== undefined || !tellsOfValidCall)) return false;
  // One that comes and goes explains nothing that another call shows each time.
  if (!isSteady(other) && isSure(one)) return false;
  const isAlone = one.company !== undefined && other.company === undefined;
  return isAlone || excess.size < more.size || rankOf(other) < rankOf(one);
}
function isGraver({ sighting: other }: Told, { sighting: one }: Told): boolean {
  return other.requirement === one.requirement && other.level === 'must' && one.level === 'should';
}

/** Whether one finding knows the circumstances of a response that the other has without a known reason. */
function isOfKnownCompany(known: Told, unknown: Told): boolean {
  const [other, one] = [known.sighting, unknown.sighting];
  const isOpen = !isSure(one) || !isIsolated(one) || one.requirement === other.requirement;
  const isUnknown = one.company === undefined || !isSure(one);
  const isKnown = other.company !== undefined || other.kind === missKind;
  return isOpen && isUnknown && isKnown && !isPlainer(unknown, known);
}

/** Whether a check that watches the calls of others saw what another check looked into, or one of a more specific requirement saw. */
function isOfAnything({ sighting: other }: Told, { sighting: one }: Told): boolean {
  const isWeaker = other.level === 'should' && one.level === 'must';
  // A should says nothing about a must on another question.
  const isOther = isWeaker && rankOf(one) < 1 && other.requirement !== one.requirement;
  if (isIsolated(one) || rankOf(one) < -1 || one.kind === cachedKind || isOther) return false;
  const tellsMore = isIsolated(other) || rankOf(other) < rankOf(one);
  return tellsMore && (!isPlain(one.exchange) || isPlain(other.exchange) || !isSure(one));
}
function bestOf(told: readonly Told[]): Sighting | undefined {
  return told.toSorted(
    ({ sighting: a, excess: ofA }, { sighting: b, excess: ofB }) =>
      Number(isSteady(b)) - Number(isSteady(a)) || ofA.size - ofB.size || rankOf(a) - rankOf(b),
  )[0]?.sighting;
}

/** A primary may itself be explained by another. If findings explain each other, one of them represents all. */
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
  // A should on the text of a body has a separate fix from the must that the same response violates.
  const isApart = other.level === 'should' && one.level === 'must' && /^HYGIENE/.test(other.requirement);
  return !isApart && rankOf(one) >= 1 && rankOf(other) < rankOf(one);
}

/** Lower for a more specific requirement: negative for those on a good key or a valid call; a crash is more specific than its body. */
function rankOf(one: Sighting): number {
  if (one.requirement === 'SUCCESS-1' && isPlain(one.exchange) && !one.exchange.neutral && isSteady(one))
    return -2;
  if (/^(?:AUTH-[14]|SCOPE-2)$/.test(one.requirement) && one.exchange.row?.['query'] === undefined) return -1;
  if (isOfSequence(one)) return Number(`0.${one.requirement.at(-1)}`);
  const isCrash = one.requirement === 'STATUS-1' && statusIn(one) >= 500;
  return 1 + (isCrash ? general.indexOf('ERROR-1') - 0.5 : general.indexOf(one.requirement));
}
