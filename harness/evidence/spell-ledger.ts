import { hash } from 'node:crypto';
import type { Operation } from '../../spec/operation.ts';
import { groupBy, groupsOf } from '../group-by.ts';
import { keptAt } from '../kept-at.ts';
import type { CredentialKind, Exchange } from '../model/exchange.ts';
import { tried } from '../tried.ts';
import { endOf, isBlockedInFront, startOf, statusOf } from './answer.ts';
import { FieldCounts, type FieldLimit } from './field-limit.ts';
import { type AnsweredCall, type Outage, outagesOf } from './outages.ts';
import { idHeadersOf } from './response-ids.ts';
import { generatedValues } from './sent-values.ts';

/** A stretch of time in which the valid call of an operation failed, though it had been answered with 200 before. */
export interface Spell {
  readonly operation: string;
  readonly came: number | string;
  /** When the last such call before was answered with 200, in milliseconds since the epoch. */
  readonly servedAt: number;
  /** When the first call failed, and when the last one had failed. */
  readonly from: number;
  readonly to: number;
  readonly times: number;
  /** Whether enough calls failed, and none was answered with 200 any more. */
  readonly isLasting: boolean;
  /** Median milliseconds of the failed calls, and of valid calls of the run that wait for nothing. */
  readonly ms: number;
  readonly usualMs: number;
  /** The earlier responses of the operation, such as `60 with 200, 3 with 400`. */
  readonly until: string;
  /** The last refusals and errors of any operation before, the latest first, such as `getPublicProduct 404`. */
  readonly after: readonly string[];
  /** The label of the call with which it began, where that was no valid call. */
  readonly begunBy?: string;
  /** Whether calls failed only while other calls of the failing operations were open. */
  readonly isOfCrowd: boolean;
}

/** An operation that sometimes accepted and sometimes refused one key, or none, with otherwise equal calls. */
export interface Wavering {
  readonly operation: string;
  readonly key: string;
}

/** A valid call that is refused intermittently, regardless of concurrent calls. */
export interface Unsteady {
  readonly operation: string;
  readonly came: number | string;
  readonly times: number;
  readonly of: number;
}

/** The time-dependent responses of a run. */
export interface Moments {
  readonly spells: readonly Spell[];
  readonly outages: readonly Outage[];
  readonly wavering: readonly Wavering[];
  /** Descriptions of good keys that are taken for bad right after each call that lacks the scope, and not otherwise. */
  readonly blocked: readonly string[];
  /** Reads that calls without a good key pass only where a store of answers holds that of the same URL. */
  readonly stored: readonly string[];
  /** Marks of calls that failed, and were answered as well. */
  readonly changing: ReadonlySet<string>;
  /** Valid calls that were refused and answered with 200 by turns, with no other call of their operation under way. */
  readonly unsteady: readonly Unsteady[];
  /** The number of header fields from which on all calls were refused. */
  readonly fieldLimit?: FieldLimit | undefined;
  /** Headers with ids that nearly all responses carry, so that one without them may not be from the service. */
  readonly idHeaders: readonly string[];
}

interface Call extends AnsweredCall {
  readonly start: number;
  /** Key, target and body of a valid call that does not depend on issued values. */
  readonly plain?: string | undefined;
  readonly mark: string;
  readonly kind: CredentialKind;
  /** The URL of a call that only reads. */
  readonly url?: string | undefined;
  /** The content of a 200, reduced to the parts in which two responses of one store are equal. */
  readonly body?: string | undefined;
}

/** How calls with one key were decided on that are equal otherwise. */
interface Decisions extends Wavering {
  readonly kind: CredentialKind;
  readonly came: Set<number>;
}

/** Calls that are kept; of a longer run, nothing is said. */
const mostCalls = 20_000;
/** Valid calls that fail to the end, from which on something has run out. */
const leastFailures = 3;
/** Share of the usual time from which on a call has waited for something. */
export const longWait = 10;
const mostNamed = 5;

/** When each operation failed, as far as its valid calls show it. */
export class SpellLedger {
  readonly #calls: Call[] = [];
  readonly #decisions = new Map<string, Decisions>();
  readonly #failed = new Set<string>();
  readonly #served = new Set<string>();
  readonly #ofKeys = new Map<string, Call[]>();
  readonly #fields = new FieldCounts();
  readonly #idHeaders = new Map<string, number>();
  #responses = 0;

  /** Notes an exchange; the order does not matter. */
  readonly observe = (exchange: Exchange): void => {
    const { operation, failure, label } = exchange;
    const came = statusOf(exchange) ?? failure?.kind ?? 'no answer';
    if (this.#calls.length > mostCalls) return;
    this.#noteDecision(exchange);
    this.#fields.note(exchange);
    if (exchange.response !== undefined) this.#responses += 1;
    for (const name of idHeadersOf(exchange)) this.#idHeaders.set(name, (this.#idHeaders.get(name) ?? 0) + 1);
    if (came === 'abandoned' || came === 'interrupted') return;
    const isValid = isValidCall(exchange);
    const mark = markOf(exchange);
    const plain = isValid ? plainOf(exchange) : undefined;
    const { method, path, credential } = exchange.request;
    const call = {
      ...{ operation, came, isValid, plain, label, mark, kind: credential.kind },
      url: method === 'GET' ? path : undefined,
      body: came === 200 ? hash('sha256', exchange.response?.body.text ?? '', 'base64') : undefined,
      start: startOf(exchange),
      end: endOf(exchange),
    };
    this.#calls.push(call);
    (isFailure(came) ? this.#failed : this.#served).add(mark);
    if (!isGood(credential.kind)) return;
    keptAt(this.#ofKeys, credential.description, () => []).push(call);
  };

  /** Calls of `operations` that take no key say nothing about keys. */
  entries(operations: readonly Pick<Operation, 'id' | 'auth' | 'scope'>[]): Moments {
    if (this.#calls.length > mostCalls) return noMoments;
    const calls = this.#calls.toSorted((a, b) => a.start - b.start);
    const open = new Set(operations.flatMap(({ id, auth }) => (auth === 'none' ? [id] : [])));
    const decisions = [...this.#decisions.values()].filter(({ operation }) => !open.has(operation));
    const byKey = groupBy(decisions, ({ key }) => key);
    const wavering = [...byKey.values()].flatMap(waveringOf);
    const guarded = new Set(calls.filter(({ came }) => came === 401).map(({ operation }) => operation));
    const isTold = ({ operation, came }: Call): boolean => guarded.has(operation) && came !== 404;
    const blocked = [...this.#ofKeys].flatMap(([key, own]) =>
      isBlockedByRefusals(own.filter(isTold)) ? [key] : [],
    );
    const served = calls.filter(({ isValid, came }) => isValid && came === 200);
    const usualMs = quantileMs(served, 0.25);
    const changing = new Set([...this.#failed].filter((mark) => this.#served.has(mark)));
    const byOperation = groupBy(calls, ({ operation }) => operation);
    const spells = [...byOperation.values()].flatMap((own) => spellsOf(own, calls, usualMs));
    const ofChance = calls.filter(({ isValid, mark }) => isValid || changing.has(mark));
    return {
      spells: spells.map((one) => ({ ...one, isOfCrowd: isOfCrowd(one, spells, calls, ofChance) })),
      outages: outagesOf(calls),
      wavering,
      blocked,
      stored: operations.flatMap(({ id, auth, scope }) =>
        auth !== 'none' && isStored(byOperation.get(id) ?? [], scope !== undefined) ? [id] : [],
      ),
      changing,
      unsteady: [...byOperation.values()].flatMap(unsteadyOf),
      fieldLimit: this.#fields.limit,
      idHeaders: [...this.#idHeaders].flatMap(([name, count]) =>
        count >= almostAll * this.#responses ? [name] : [],
      ),
    };
  }

  /** Whether the same call is accepted depends only on its key, and possibly on earlier calls on its connection. */
  #noteDecision(exchange: Exchange): void {
    const { operation, request, response, row = {}, neutral = [] } = exchange;
    const { kind, description } = request.credential;
    const status = response?.status ?? 0;
    const decision = isGood(kind) && status !== 401 ? 200 : status;
    const tells = isGood(kind)
      ? status > 0 && status < 500 && status !== 429
      : [200, 401, 403].includes(status);
    const isChanged = Object.keys(row).some((factor) => factor !== 'credential');
    if (!tells || isChanged || isBlockedInFront(exchange) || generatedValues(request).length > 0) return;
    const carried = request.headers.map(([name]) => name.toLowerCase()).sort();
    const { path, connection } = request;
    const mark = [operation, description, path.includes('?'), connection, ...neutral, carried].join('\0');
    const nothing = (): Decisions => ({ operation, key: description, kind, came: new Set() });
    keptAt(this.#decisions, mark, nothing).came.add(decision);
  }
}

/** Whether a call is a valid one and nothing else, also after another one that got an unexpected response. */
function isValidCall({ role, row = {} }: Exchange): boolean {
  const isWitness = role === 'witness' && String(Object.keys(row)) === 'company';
  return role === 'control' || role === 'setup' || isWitness;
}

/** Equal for calls that no service should distinguish, such as calls with different unknown values of plain letters. */
export function markOf({ operation, row, label, request }: Exchange): string {
  const { credential, path } = request;
  const made = generatedValues(request).map(([, value]) => value);
  const plain = made.filter((value) => /^[\w-]{1,64}$/.test(value));
  const shown = plain.reduce((text, value) => text.replace(value, '{}'), path);
  const { sequence, walk: _walk, ...varied } = row ?? {};
  const isTold = row !== undefined && sequence === undefined;
  const what = isTold ? varied : plain.length > 0 ? '' : label;
  return JSON.stringify([operation, credential.description, what, shown]);
}

/** Nothing is known. */
export const noMoments: Moments = {
  spells: [],
  outages: [],
  wavering: [],
  blocked: [],
  stored: [],
  changing: new Set(),
  unsteady: [],
  idHeaders: [],
};

/** Stands for all operations. */
export const anyOperation = '*';

function plainOf({ request, row }: Exchange): string | undefined {
  const { path, credential, values, body } = request;
  const isIssued = Object.values(values).some(
    ({ source }) => source === 'captured' || source === 'generated',
  );
  return isIssued || row !== undefined ? undefined : [credential.description, path, body?.text].join(' ');
}

/** Refusals of a call between two of its successes that show more than one outage. */
const leastTurns = 2;

function unsteadyOf(own: readonly Call[]): readonly Unsteady[] {
  const beside = othersUnderWay(own);
  const alone = own.filter((one) => one.plain !== undefined && beside.get(one) === 0);
  return groupsOf(alone, ({ plain }) => plain).flatMap((calls): readonly Unsteady[] => {
    const [{ operation }] = calls;
    const isRefusal = (came: Call['came']): boolean => came === 400 || came === 404;
    const turns = calls.filter(
      ({ came }, at) =>
        isRefusal(came) && calls[at - 1]?.came === 200 && calls.slice(at + 1).some((one) => one.came === 200),
    );
    const [turn] = turns;
    if (turn === undefined || turns.length < leastTurns) return [];
    const { came } = turn;
    return [{ operation, came, times: calls.filter((one) => one.came === came).length, of: calls.length }];
  });
}

/** Operations that must let a key through before one that wavers speaks for all. */
const fewestOpen = 3;

/**
 * The operations that waver with a key. All that let a bad key through do so where one of them wavers: a route may lack its
 * guard and let no key through each time, but all ask the same for a key.
 */
function waveringOf(all: readonly Decisions[]): readonly Wavering[] {
  const own = all.filter(({ came }) => came.size > 1);
  const open = all.filter(({ kind, came }) => !isGood(kind) && (came.has(200) || came.has(403)));
  const isOfAll =
    open.some(({ kind }) => kind === 'invalid') ||
    new Set(open.map(({ operation }) => operation)).size >= fewestOpen;
  return own.length > 0 && isOfAll ? own.map(({ key }) => ({ operation: anyOperation, key })) : own;
}

/** Whether a key is one that the service knows. */
export function isGood(kind: CredentialKind): boolean {
  return kind === 'scoped' || kind === 'unscoped';
}

/** Milliseconds after a 403 within which a call shows the after-effects of the refusal. */
const soon = 500;
/** Share of calls that show a rule, and the fewest that do. */
const almostAll = 0.9;
const fewest = 3;

/** Whether nearly all calls with a key soon after a 403 are answered 401, and nearly nothing else begins such answers. */
function isBlockedByRefusals(calls: readonly Call[]): boolean {
  const ordered = calls.toSorted((a, b) => a.start - b.start);
  const isRefused = (one: Call): boolean => one.came === 401;
  const holds = (some: readonly Call[], rule: (one: Call) => boolean): boolean =>
    some.length >= fewest && some.filter(rule).length >= almostAll * some.length;
  const lacking = ordered.filter(({ came }) => came === 403);
  const after = ordered.filter(({ start }) => lacking.some(({ end }) => end <= start && start - end < soon));
  const befores = ordered.filter((one, at) => !isRefused(one) && ordered[at + 1]?.came === 401);
  return holds(after, isRefused) && holds(befores, ({ came }) => came === 403);
}

/** The stretches between two successes of the valid call in which it failed in one way. */
function spellsOf(own: readonly Call[], all: readonly Call[], usualMs: number): readonly Spell[] {
  const valid = own.filter(({ isValid }) => isValid);
  const served = valid.filter(({ came }) => came === 200);
  if (served.length === 0) return [];
  const failed = valid.filter(({ came }) => isFailure(came));
  const streaks = groupsOf(failed, ({ came, start }) => [
    came,
    served.filter((one) => one.start < start).length,
  ]);
  return streaks.map((streak): Spell => {
    const [first] = streak;
    const earlier = served.filter(({ start }) => start < first.start);
    const servedAt = Math.max(...earlier.map(({ start }) => start));
    const begun = own.find(({ came, start }) => came === first.came && start > servedAt) ?? first;
    const hasWaited = ({ start, end }: Call): boolean => end - start >= longWait * usualMs;
    const isLasting = streak.length >= leastFailures && earlier.length === served.length;
    const isBefore = ({ start, came }: Call): boolean => start < first.start && !isFailure(came);
    const counts = groupBy(own.filter(isBefore), ({ came }) => Number(came));
    const after = all
      .filter((one) => isBefore(one) && one.came !== 200)
      .reverse()
      .map(({ operation, came }) => `${operation} ${came}`);
    return {
      operation: first.operation,
      came: first.came,
      servedAt,
      from: isLasting ? begun.start : first.start,
      to: Math.max(...streak.map(({ end }) => end)),
      times: streak.length,
      isLasting,
      ms: quantileMs(streak, 0.5),
      usualMs,
      until: [...counts]
        .sort(([a], [b]) => a - b)
        .map(([came, { length }]) => `${length} with ${came}`)
        .join(', '),
      after: [...new Set(after)].slice(0, mostNamed),
      // A 503, or a wait, says that something has run out, which any call may be the first to find.
      ...(begun.isValid || begun.came === 503 || hasWaited(begun) ? {} : { begunBy: begun.label }),
      isOfCrowd: false,
    };
  });
}

/** How likely a rule about failures may be by chance. */
const byChance = 0.01;

/** Whether a store of answers lets calls without a good key through, or those without the scope that the operation needs. */
function isStored(own: readonly Call[], isScoped: boolean): boolean {
  const byPath = own.map((one) => ({ ...one, url: one.url && pathIn(one.url) }));
  const ofStrangers = (kind: CredentialKind): boolean => !isGood(kind);
  const ofScope = (kind: CredentialKind): boolean => isScoped && kind === 'unscoped';
  return [ofStrangers, ofScope].some((lacks) => [own, byPath].some((calls) => areStored(calls, lacks)));
}

function pathIn(url: string): string {
  const [path = ''] = url.split('?');
  return tried(decodeURIComponent, path) ?? path;
}

/**
 * Whether all accepted calls with a key that is not enough had the bytes that another key got by the same URL before, and too
 * many were refused by other URLs for chance.
 */
function areStored(own: readonly Call[], lacks: (kind: CredentialKind) => boolean): boolean {
  const fillers = groupBy(
    own.filter(
      ({ kind, body, url }) => isGood(kind) && !lacks(kind) && body !== undefined && url !== undefined,
    ),
    ({ url }) => url,
  );
  const fillersOf = (call: Call): readonly Call[] =>
    (fillers.get(call.url) ?? []).filter(({ start }) => start <= call.start);
  const lacking = own.filter(
    ({ kind, url, came }) => lacks(kind) && url !== undefined && [200, 401, 403].includes(Number(came)),
  );
  const accepted = lacking.filter(({ came }) => came === 200);
  const filled = lacking.filter((call) => fillersOf(call).length > 0);
  const isFromStore = (call: Call): boolean => fillersOf(call).some(({ body }) => body === call.body);
  return accepted.every(isFromStore) && (filled.length / lacking.length) ** accepted.length < byChance;
}

/** Whether all calls that failed as those of a spell, and may succeed as well, had others of these operations under way. */
function isOfCrowd(
  { came }: Spell,
  spells: readonly Spell[],
  all: readonly Call[],
  ofChance: readonly Call[],
): boolean {
  const operations = new Set(spells.filter((one) => one.came === came).map(({ operation }) => operation));
  const beside = othersUnderWay(all.filter(({ operation }) => operations.has(operation)));
  const failed = ofChance.filter((one) => one.came === came && operations.has(one.operation));
  const least = Math.min(...failed.map((one) => beside.get(one) ?? 0));
  const crowded = [...beside.values()].filter((others) => others >= least).length;
  return least > 0 && (crowded / beside.size) ** failed.length < byChance;
}

/** How many others of some calls, given in their order, were under way when each began. */
function othersUnderWay(calls: readonly Call[]): ReadonlyMap<Call, number> {
  let open: Call[] = [];
  const beside = new Map<Call, number>();
  for (const call of calls) {
    open = open.filter(({ end }) => end > call.start);
    beside.set(call, open.length);
    open.push(call);
  }
  return beside;
}

function isFailure(came: number | string): boolean {
  return typeof came === 'string' || came >= 500;
}

function quantileMs(calls: readonly Call[], share: number): number {
  const durations = calls.map(({ start, end }) => end - start).sort((a, b) => a - b);
  return Math.round(durations[Math.floor(durations.length * share)] ?? 0);
}
