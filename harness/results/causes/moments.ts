import { endOf, startOf, statusOf } from '../../evidence/answer.ts';
import { fieldsSent } from '../../evidence/field-limit.ts';
import { isOfAbsence, type Outage } from '../../evidence/outages.ts';
import {
  anyOperation,
  isGood,
  longWait,
  type Moments,
  markOf,
  type Spell,
  type Unsteady,
} from '../../evidence/spell-ledger.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Finding } from '../../model/report.ts';
import { sentHeader } from './answer-text.ts';
import { cachedFix, cachedKind } from './cached-answer.ts';
import { forAWhile, noResponse } from './cause-fixes.ts';
import { isPlain, isSteady, ofValidCalls, type Sighting } from './sighting.ts';

/** The deviation of a response that is due to its time, not to the request. */
export const ofMoment = 'of its moment';

/** The deviation of a response that any call would have got because the service was unavailable. */
export const ofOutage = 'of an outage';

/** The deviation of a response that is due to the number of header fields, and not to which they are. */
export const ofFields = 'number of header fields';

/** Milliseconds from which on a call may have waited for something. */
const leastWait = 500;
/** Minimum wait of another call, as a share of the wait of valid calls. */
const sameWait = 0.85;

/** The changes to a finding that is due to its time: a valid call got the same response then, or waited as long for it. */
export function changesOfMoment(finding: Sighting, moments: Moments): Partial<Finding> {
  const { requirement, exchange, company, deviation } = finding;
  if (onContents.test(requirement) || (deviation !== undefined && deviation !== forAWhile)) return {};
  const outage = moments.outages.find((one) => isDuring(one, exchange));
  if (outage !== undefined)
    return { company: companyOfOutage(outage), deviation: ofOutage, fix: fixOfOutage(outage) };
  // Some servers count the path among the headers.
  if (exchange.response?.status === 431 && requirement !== 'RESOURCE-2')
    return { company: 'with many or long header fields', deviation: ofFields, fix: raiseHeaderLimit };
  if (isOverLimit(finding, moments)) {
    const { most = 0 } = moments.fieldLimit ?? {};
    return { company: `with more than ${most} header fields`, deviation: ofFields, fix: raiseFieldLimit };
  }
  // A way around the key that was found to matter needs no store.
  const isStored =
    exchange.response?.status === 200 &&
    exchange.row?.['way'] === undefined &&
    moments.stored.includes(exchange.operation);
  if (isStored && requirement === 'SCOPE-1') return { kind: cachedKind, fix: cachedFix };
  if (isDecision(exchange) && (finding.kind !== cachedKind || !isSteady(finding))) {
    const isOfKey = isDecidedByMoment(finding, moments);
    if (isOfKey && isStored) return { kind: cachedKind, fix: cachedFix };
    const isBlocked = moments.blocked.includes(exchange.request.credential.description);
    const company = isBlocked ? 'for a while after the same key was answered 403' : atSomeMoments;
    return isOfKey ? { company, deviation: ofMoment } : {};
  }
  if (deviation !== undefined) return {};
  const came = statusOf(exchange) ?? exchange.failure?.kind;
  const unsteady = moments.unsteady.find((one) => one.operation === exchange.operation && one.came === came);
  if ((ofValidCalls.test(requirement) || requirement === 'CLIENT-1') && unsteady !== undefined)
    return { company: atSomeMoments, deviation: ofMoment, fix: fixOfInstances(unsteady) };
  const alike = moments.spells.filter((one) => one.came === came);
  const spell =
    alike.find((one) => coversCall(one, finding)) ??
    alike.find((one) => isAsLong(one, finding)) ??
    (isOfAnyCall(finding, alike, moments) ? alike.find(({ isLasting }) => !isLasting) : undefined);
  if (spell === undefined || company !== undefined) return {};
  const same = alike.filter((one) => isOfOneMoment(one, spell));
  return { company: companyOf(spell, same), deviation: ofMoment, fix: fixOf(spell, same) };
}

function isDuring({ from, to }: Outage, exchange: Exchange): boolean {
  const end = endOf(exchange);
  return end >= from && end <= to && isOfAbsence(statusOf(exchange) ?? exchange.failure?.kind);
}

const timeOf = (ms: number): string => new Date(ms).toISOString().slice(11, 19);

function companyOfOutage({ from, to, begunBy, isPartial }: Outage): string {
  if (isPartial) return `at ${timeOf(from)} UTC at several operations`;
  if (begunBy === undefined) return `from ${timeOf(from)} to ${timeOf(to)} UTC at every operation`;
  return `for ${Math.ceil((to - from) / 1000)} s after ${callOf(begunBy)} got ${begunBy.came}`;
}

/** A call that is due to something else carries as much as any. */
const longestLabel = 80;

function callOf({ label }: { readonly label: string }): string {
  return label.length > longestLabel ? 'a call' : `the call “${label}”`;
}

function fixOfOutage({ came, from, to, times, operations, begunBy, isPartial }: Outage): string {
  if (isPartial)
    return `Find out which instance was stopped or replaced at ${timeOf(from)} UTC: ${times} calls of ${operations} operations got ${came} within ${Math.ceil((to - from) / 1000)} s, and no other call of the run did. Take an instance out of rotation first, and stop it only after it has answered the requests that it accepted.`;
  const what = `all ${times} calls of ${operations} operations got ${came} from ${timeOf(from)} to ${timeOf(to)} UTC, and later as many calls as before were served in the same time, so a rate limit was not the cause`;
  return begunBy === undefined
    ? `Find out what was restarted or replaced then, and how long the proxy excludes a backend that was unavailable (Apache: \`retry\`; nginx: \`fail_timeout\`; HAProxy: \`inter\` and \`rise\`; Caddy: \`fail_duration\`): ${what}. If nothing was, a call just before made the proxy give up the backend: nginx counts each connection that the service closes early (\`max_fails=0\`). Replace instances one at a time, and stop each only after it has answered the requests that it accepted.`
    : `${begunBy.came === 504 ? `Find out why ${callOf(begunBy)} took longer than the proxy waits for a response, or let it wait longer (Caddy: \`response_header_timeout\`; nginx: \`proxy_read_timeout\`; HAProxy: \`timeout server\`).` : `Answer ${callOf(begunBy)} itself, with 400 if it is refused, instead of closing the connection or dying, and look for a limit on the size of a head (fasthttp: \`ReadBufferSize\`). If the call is innocent, let the proxy keep idle connections for less time than the service does.`} The proxy considered the backend broken: ${what}. Do not let one failed call take a backend out of rotation (Caddy: \`max_fails\` and \`fail_duration\`; nginx: \`max_fails\`; Envoy: \`consecutive_gateway_failure\`).`;
}

function isOverLimit({ exchange }: Finding, { fieldLimit }: Moments): boolean {
  if (fieldLimit === undefined || exchange.response?.status !== fieldLimit.status) return false;
  return fieldsSent(exchange) > fieldLimit.most;
}

/** The facts without a limit on header fields, if a call with fewer fields also got its status because of its headers. */
export function withoutDoubts(moments: Moments, findings: readonly Finding[]): Moments {
  const isOfHeader = ({ exchange }: Finding): boolean =>
    Object.keys(exchange.row ?? {}).some((factor) =>
      exchange.request.headers.some(([name]) => name === factor),
    );
  const isOfLimit = ({ exchange }: Finding): boolean =>
    exchange.response?.status === moments.fieldLimit?.status;
  const isDoubtful = findings.some((one) => isOfLimit(one) && isOfHeader(one) && !isOverLimit(one, moments));
  return isDoubtful ? { ...moments, fieldLimit: undefined } : moments;
}

const raiseFieldLimit =
  'Raise the limit on the number of header fields to 100, in the service and in everything in front of it: proxies and browsers add their own fields, and each of these calls succeeds with fewer fields, whichever they are. Apache: `LimitRequestFields`; HAProxy: `tune.http.maxhdr`; Varnish: `http_max_hdr`; Tomcat: `maxHeaderCount` of the Connector; gunicorn: `--limit-request-fields`; Node.js: `server.maxHeadersCount`; Undertow: `MAX_HEADERS`.';

const raiseHeaderLimit =
  'Raise the header size limit to 16 KB, in the service and in everything in front of it, or answer 400 if it is exceeded: cookies, tokens and fields that proxies add make headers long. Node.js: `--max-http-header-size`; Spring Boot: `server.max-http-request-header-size`; Tomcat: `maxHttpRequestHeaderSize` of the Connector; Jetty: `setRequestHeaderSize`; gunicorn: `--limit-request-field_size`; nginx: `large_client_header_buffers`; Apache: `LimitRequestFieldSize`; HAProxy: `tune.bufsize`.';

function fixOfInstances({ times, of, came }: Unsteady): string {
  return `Compare the instances of the service: one valid call was answered ${came} in ${times} of ${of} calls and 200 in the others, with no other call of the operation under way. Look for an instance with another build, other routes, settings or data, such as a deployment that stopped halfway, a replica that is behind, or a cache of its own: the access log shows which instance answers so.`;
}

/** Operations at which calls must fail now and then before all calls do. */
const fewestFailing = 3;

/** Whether calls of all kinds fail now and then, and this one is such a call: equal ones were answered as well. */
function isOfAnyCall({ exchange, seen }: Finding, alike: readonly Spell[], { changing }: Moments): boolean {
  const operations = [exchange, ...alike].map(({ operation }) => operation);
  const isService = new Set(operations).size >= fewestFailing;
  return !isSteady({ seen }) || (isService && (seen.of === 1 || changing.has(markOf(exchange))));
}

/** The company of a response that came now and then, for no reason that is known. */
export const atSomeMoments = 'at some moments';

/** The company of a response that occurred only among concurrent calls. */
export const crowd = 'with other calls of these operations under way';

/** Requirements on the contents of a response, regardless of the request. */
const onContents = /^(?:ERROR-[12]|SUCCESS|SURFACE-2|HYGIENE|RATE)/;

/** Whether something else than the key decided on it: the same call had another answer at another time. */
function isDecidedByMoment({ exchange, seen, deviation }: Finding, { wavering, blocked }: Moments): boolean {
  const { operation, request, row } = exchange;
  const { kind, description } = request.credential;
  // A response that was stored for another call with the same key of the call depends on no moment.
  if (exchange.response?.status === 200 && sentHeader(exchange, 'idempotency-key') !== undefined)
    return false;
  const own = wavering.filter(({ key }) => key === description);
  if (blocked.includes(description) || own.some((one) => one.operation === anyOperation)) return true;
  // One try does not tell a steady answer.
  const isSeldom = !isSteady({ seen }) || seen.of === 1 || deviation === forAWhile;
  if (kind !== 'none' && isSeldom && wavering.length > 0) return true;
  // Something else in a call without a good key may be the reason why it is accepted.
  return row?.['way'] === undefined && own.some((one) => one.operation === operation);
}

/** Whether the valid call of the operation had failed likewise, and did not succeed again before the call. */
function coversCall(spell: Spell, { exchange, seen }: Finding): boolean {
  const isWithin = startOf(exchange) >= spell.from && (spell.isLasting || startOf(exchange) <= spell.to);
  // A call that always gets this response may be the one that makes concurrent calls fail.
  const isOpen =
    spell.isLasting || spell.times > 1 || isPlain(exchange) || !isSteady({ seen }) || seen.of === 1;
  return spell.operation === exchange.operation && isWithin && isOpen;
}

function hasWaited({ ms, usualMs }: Spell): boolean {
  return ms >= leastWait && ms >= longWait * usualMs;
}

function isAsLong(spell: Spell, { exchange }: Finding): boolean {
  return hasWaited(spell) && exchange.durationMs >= sameWait * spell.ms;
}

/** Whether two stretches may have begun at one moment, or end the same wait. */
function isOfOneMoment(one: Spell, other: Spell): boolean {
  if (hasWaited(one) || hasWaited(other)) return hasWaited(one) && hasWaited(other);
  if (!one.isLasting || !other.isLasting) return one.isLasting === other.isLasting;
  return Math.max(one.servedAt, other.servedAt) < Math.min(one.from, other.from);
}

function companyOf(spell: Spell, same: readonly Spell[]): string {
  if (isRestart(same)) return atSomeMoments;
  const { ms } = spell;
  const about = ms < 950 ? `${Math.round(ms / 100) * 100} ms` : `${Math.round(ms / 1000)} s`;
  if (hasWaited(spell)) return `after a wait of about ${about}`;
  if (!spell.isLasting) return spell.isOfCrowd ? crowd : atSomeMoments;
  const operations = new Set(same.map(({ operation }) => operation));
  const begunBy = earliest(same)?.begunBy;
  if (begunBy !== undefined) return `from the call “${begunBy}” on`;
  return operations.size > 1
    ? 'from one moment on'
    : `after calls of the operation were answered, ${spell.until}`;
}

/** The responses while a service is unavailable. */
const ofAbsentService: readonly unknown[] = [502, 'reset', 'refused'];
/** Milliseconds within which a service is back after a restart. */
const longestRestartMs = 5_000;

/** Whether calls failed in one short stretch as they do while a service is away, and never before or after. */
function isRestart(same: readonly Spell[]): boolean {
  const isAway = same.every(
    ({ came, isLasting, isOfCrowd }) => ofAbsentService.includes(came) && !isLasting && !isOfCrowd,
  );
  return isAway && same.reduce((sum, { times }) => sum + times, 0) > 1 && lengthOf(same) <= longestRestartMs;
}

function lengthOf(spells: readonly Spell[]): number {
  const [from, to] = [spells.map((one) => one.from), spells.map((one) => one.to)];
  return Math.max(...to) - Math.min(...from);
}

function earliest(spells: readonly Spell[]): Spell | undefined {
  return spells.toSorted((a, b) => a.from - b.from)[0];
}

function fixOf(spell: Spell, same: readonly Spell[]): string {
  const first = earliest(same) ?? spell;
  const times = same.reduce((sum, one) => sum + one.times, 0);
  const operations = [...new Set(same.map(({ operation }) => operation))];
  const calls = `${times} valid calls`;
  const where = operations.length > 3 ? `${operations.length} operations` : operations.join(', ');
  const began = `The first was sent at ${new Date(first.from).toISOString()}; before it, the operation had answered ${first.until || 'nothing'}${first.after.length === 0 ? '' : `, and the last calls that were refused were ${first.after.join(', ')}`}.`;
  const took = `took ${first.ms} ms (usually ${first.usualMs} ms)`;
  if (isRestart(same))
    return `Find out what was restarted or replaced then. Let it answer the requests that it accepted before it stops, and send no calls to its successor before that can answer: ${calls} of ${where} failed in a row within ${lengthOf(same)} ms, and those after them were answered 200. ${began}`;
  // A gateway that gives up has waited for its own time-out.
  if (hasWaited(spell) && spell.came !== 504)
    return `Release what a call acquires, such as a pooled connection, a permit or a lock, in a finally block, even if the call is refused or fails, and provide capacity for concurrent calls: ${calls} of ${where} failed and ${took}, as if they waited for an exhausted resource. ${began}`;
  if (spell.isLasting && first.begunBy !== undefined)
    return `Look for what this call leaves behind, such as a lock that it still holds when it fails (a mutex poisoned by a panic), an open transaction, a connection that is not released, or a corrupted state, unless a resource ran out at that moment: after it, ${calls} of ${where} failed and ${took}, and none succeeded. ${began}`;
  if (spell.isLasting)
    return `Release what a call acquires, even if the call is refused or fails, and look for a resource that fills up or runs out, such as a queue without a consumer, a pool, a quota or a disk: ${calls} of ${where} failed and ${took}, and none succeeded after that. ${began}`;
  if (spell.isOfCrowd)
    return `Provide capacity for concurrent calls, and answer 429 to the excess: ${calls} of ${where} failed and ${took}, each while other calls of its operation were under way, and were answered 200 otherwise. Look for a limit on concurrent calls, a connection pool, a lock without a wait, a row that two calls change, or an id that is counted or read before it is written. ${began}`;
  if (spell.came === 502 || spell.came === 504)
    return `${noResponse} ${calls} of ${where} failed and ${took}, and others were answered 200. ${began}`;
  if (spell.came === 503)
    return `Raise the limit on concurrent calls or on their rate, and answer 429 to the excess: ${calls} of ${where} were answered 503 and others 200, as by a service that sheds load. If there is no such limit, look for an instance, a pool or another service that is unavailable at times. ${began}`;
  return `Look for shared state and races, such as a locked database, a connection pool, an id that is counted, or a row that is read before it is written: ${calls} of ${where} failed and ${took}, and others were answered 200. ${began}`;
}

/** Whether a cache is known to have answered; not if intermittent decisions on a key explain the same response. */
export function isCached({ kind, deviation }: Pick<Finding, 'kind' | 'deviation'>): boolean {
  return kind === cachedKind && deviation !== ofMoment;
}

/** Whether a finding shows one of the stretches in which valid calls failed. */
export function isOfSpell(finding: Finding): boolean {
  return isOfAnything(finding) && !(finding.deviation === ofMoment && isDecision(finding.exchange));
}

/** Whether the contents of a call have nothing to do with its response. */
export function isOfAnything({ deviation }: Pick<Finding, 'deviation'>): boolean {
  return [ofFields, ofOutage, ofMoment].includes(deviation ?? '');
}

/** Whether a response says that a key is good for the call, or not. */
function isDecision({ request, response }: Exchange): boolean {
  return (isGood(request.credential.kind) ? [401] : [200, 401, 403]).includes(response?.status ?? 0);
}
