import { isSafe, type Operation } from '../../spec/operation.ts';
import { callKey, statusOf } from '../evidence/answer.ts';
import type { Reduced } from '../fuzzing/reduce.ts';
import type { Exchange } from '../model/exchange.ts';
import { profileSettings } from '../sampling/profile.ts';
import { seededRandom } from '../seeded-random.ts';
import {
  type Answered,
  type CallChanges,
  type CallSpec,
  isExpected,
  type RequestContext,
  type SendingAttempt,
} from './call-spec.ts';
import { clientHeaders, rareHeaders } from './client-headers.ts';
import type { KeyRing } from './key-ring.ts';
import { inCompany, mostTogether } from './noticed-values.ts';

/**
 * A value of a factor that a conforming service may not notice: the factor is a header in lower case, `authorization` with the
 * kind of a key as its value, or `query` with one parameter.
 */
export type Rider = readonly [factor: string, value: string];

/** A factor whose values ride along on calls. */
interface RidingFactor {
  readonly factor: string;
  readonly values: readonly string[];
  /** Whether it fits a call of an operation; any if absent. */
  readonly fits?: (operation: Operation, spec: RidingSpec) => boolean;
  /** A call without any value of it is one to be sent as well, however few calls there are. */
  readonly isOptional?: true;
  /** Statuses by which a conforming service may refuse its values; the call is then sent without them. */
  readonly refusals?: readonly number[];
}

/** What decides which factors ride on a call. */
type RidingSpec = Pick<CallSpec, 'expects' | 'body'>;

const ofHeaders: readonly RidingFactor[] = Object.entries(clientHeaders).map(([factor, values]) => ({
  factor,
  values: Object.values(values),
}));

// Half of them ride on each call: common servers take a hundred headers.
const ofRareHeaders: readonly RidingFactor[] = Object.entries(rareHeaders).map(([factor, values]) => ({
  factor,
  values,
  isOptional: true,
}));

const special: readonly RidingFactor[] = [
  // A condition of a write may be one that the service tests.
  { factor: 'if-none-match', values: ['"never-issued"', 'W/"never-issued", "nor-this"'], fits: isSafe },
  // Recipients must read the form of RFC 850 as well (RFC 9110 section 5.6.7).
  {
    factor: 'if-modified-since',
    values: ['Sat, 29 Oct 1994 19:43:31 GMT', 'Saturday, 29-Oct-94 19:43:31 GMT'],
    fits: isSafe,
  },
  // Nothing of a refusal can be left out: not a part of it, and not its body.
  { factor: 'range', values: ['bytes=0-9'], fits: isRefused },
  { factor: 'prefer', values: ['return=minimal'], fits: isRefused },
  {
    factor: 'transfer-encoding',
    values: ['chunked'],
    fits: (operation, spec) => mediaTypeOf(operation, spec) !== undefined,
  },
  {
    factor: 'content-type',
    // A client that leaves it to its library sends JSON as text. Where the key is good, many services look at it first.
    values: ['application/json;charset=utf-8', 'Application/JSON', 'text/plain;charset=UTF-8'],
    fits: (operation, spec) =>
      mediaTypeOf(operation, spec) === 'application/json' && spec.expects?.includes(401) === true,
    refusals: [400, 403, 415],
  },
  { factor: 'x-correlation-id', values: ['order "42"'], refusals: [400] },
  {
    factor: 'query',
    // The last one is a question mark without a query.
    values: ['utm_source=mail', 'callback=go', 'page=1', ''],
    refusals: [400],
  },
];

const factors: readonly RidingFactor[] = [...ofHeaders, ...ofRareHeaders, ...special];

function isRefused(_operation: Operation, { expects = [] }: RidingSpec): boolean {
  return !expects.includes(200);
}

/** The media type of the body that a call sends; undefined where it sends none. */
function mediaTypeOf({ requestSchema }: Operation, { body }: RidingSpec): string | undefined {
  if (body === 'none' || requestSchema === undefined) return undefined;
  return body === undefined ? 'application/json' : body.contentType;
}

/** Whether a call that expects some statuses tells a refusal of what rides along from its own response. */
function tellsRefusals({ expects = [] }: RidingSpec, refusals: readonly number[]): boolean {
  return refusals.length === 0 || expects.filter((status) => !refusals.includes(status)).length === 1;
}

/** Calls of one step in which each of as many values rides along; further ones are left to the checks of clients. */
export const riderRows = 4;

/** The values that ride along on the nth call of a step, for which each factor has a start of its own. */
interface StepRows {
  readonly factors: readonly RidingFactor[];
  readonly starts: readonly number[];
  calls: number;
}

/** The factors that rode along on a call for which a conforming service may have refused it so. */
export function refusedFactors({ neutral = [], response }: Exchange): readonly string[] {
  return factors.flatMap(({ factor, refusals = [] }) =>
    neutral.includes(factor) && refusals.includes(response?.status ?? 0) ? [factor] : [],
  );
}

/** The kinds of keys that a valid call may carry in place of its usual one, or of none. */
function otherKeys({ auth, scope }: Operation, { scoped, unscoped }: KeyRing): readonly string[] {
  const isUsual = auth === 'api-key';
  if (isUsual && (scope !== undefined || scoped === undefined)) return [];
  return [
    ...(scoped === undefined || isUsual ? [] : ['scoped']),
    ...(unscoped === undefined ? [] : ['unscoped']),
  ];
}

/** What rode along on a call. */
export function ridersOf({ neutral = [], request }: Exchange): readonly Rider[] {
  return neutral.map((name) => [name, sentValue(name, request)]);
}

function sentValue(factor: string, { credential, headers, path }: Exchange['request']): string {
  if (factor === 'authorization') return credential.kind;
  if (factor === 'query') return path.slice(path.search(lastParameter) + 1);
  return headers.find(([sent]) => sent === factor)?.[1] ?? '';
}

const lastParameter = /[?&][^?&]*$/;

/** The path of a call without a query parameter that rode along. */
export function pathWithoutRider({
  neutral = [],
  request: { path },
}: Pick<Exchange, 'neutral' | 'request'>): string {
  return neutral.includes('query') ? path.replace(lastParameter, '') : path;
}

/** What rode along, as people write it. */
export function describeRiders(exchange: Exchange): readonly string[] {
  return ridersOf(exchange).map(([factor, value]) => {
    if (factor === 'authorization') return `the ${exchange.request.credential.description}`;
    if (factor !== 'query') return `${factor}: ${value}`;
    return value === '' ? 'a question mark without a query' : `the query parameter ${value}`;
  });
}

/** Calls with less of what rides along, at the most. */
const mostWithFewer = 16;

type RidingContext = Pick<RequestContext, 'seed' | 'profile' | 'target' | 'disguise' | 'keys'>;

/** Sends what a wrong response calls for, as far as there is room. */
interface FollowUps extends Noticing {
  affords(requests: number): boolean;
  search<T>(act: () => Promise<T>): Promise<T>;
  notices(value: Rider, operation?: Operation): void;
  fewestValues<T>(
    parts: readonly T[],
    riderOf: (part: T) => Rider,
    stillFails: (some: readonly T[]) => Promise<boolean>,
    budget: number,
  ): Promise<Reduced<readonly T[]>>;
}

/** Knows which factors the target was seen to notice at so many operations that they ride along no more. */
interface Noticing {
  isNoticedEverywhere(factor: string): boolean;
}

/**
 * What a service may not notice, on the calls of one attempt that expect a status. Each call of a step takes other values than
 * the one before it, so that a step that is sent often meets every value of every factor, and these in changing company.
 */
export class RideAlong {
  readonly #context: RidingContext;
  readonly #for: SendingAttempt;
  /** By step. */
  readonly #rows = new Map<string, StepRows>();
  /** Factors that turned out to matter, and so ride along no more. */
  readonly #noticed = new Set<string>();

  constructor(context: RidingContext, sendingFor: SendingAttempt) {
    this.#context = context;
    this.#for = sendingFor;
  }

  /**
   * What rides along on a call that expects a status, but for what it or the target file sets. A call that an earlier attempt
   * made has what it had then.
   */
  on(spec: CallSpec, earlier: readonly Exchange[], client: Noticing): readonly Rider[] {
    const { target, disguise } = this.#context;
    if (spec.neutral !== undefined || disguise !== undefined) return [];
    const same = earlier.find((one) => callKey(one) === callKey(spec));
    if (same !== undefined) return ridersOf(same);
    const own = new Set([
      ...target.headers.map(([name]) => name.toLowerCase()),
      ...Object.keys(spec.headers ?? {}),
      ...(spec.credential === undefined ? [] : ['authorization']),
      ...(spec.query === undefined ? [] : ['query']),
    ]);
    const operation = spec.operation ?? this.#for.operation;
    return this.#next(operation, spec).filter(
      ([name]) => !own.has(name) && !this.#noticed.has(name) && !client.isNoticedEverywhere(name),
    );
  }

  /** The values for the next call of its step. */
  #next(operation: Operation, spec: CallSpec): readonly Rider[] {
    const rows = this.#rowsOf(`${operation.id} ${spec.step ?? spec.label}`, operation);
    const nth = rows.calls;
    rows.calls += 1;
    const { loadsCalls } = profileSettings[this.#context.profile];
    return rows.factors.flatMap(({ factor, values, fits, isOptional, refusals = [] }, at) => {
      // One more choice, where there is room: the value of the harness, or none.
      const none = isOptional === true || !loadsCalls ? 1 : 0;
      const choices = Math.min(values.length + none, riderRows);
      const value = values[((rows.starts[at] ?? 0) + nth + Math.floor(nth / choices) * at) % choices];
      const rides = fits?.(operation, spec) !== false && tellsRefusals(spec, refusals);
      return value === undefined || !rides ? [] : [[factor, value] as const];
    });
  }

  #rowsOf(step: string, called: Operation): StepRows {
    const known = this.#rows.get(step);
    if (known !== undefined) return known;
    const { keys, seed } = this.#context;
    const others = otherKeys(called, keys);
    const random = seededRandom(seed, 'riders', this.#for.check, this.#for.operation.id, step);
    const ofKeys = { factor: 'authorization', values: others, isOptional: true } as const;
    const riding = others.length === 0 ? factors : [...factors, ofKeys];
    const rows = { factors: riding, starts: riding.map(() => Math.floor(random() * 1_000)), calls: 0 };
    this.#rows.set(step, rows);
    return rows;
  }

  /**
   * Makes a call with what rides along, but for what it is refused for. After an unexpected answer, makes it without; where
   * that is answered as expected, and a repetition is not, finds the fewest values that cause the answer. The last wrong
   * answer decides.
   */
  async call(
    chosen: readonly Rider[],
    spec: CallSpec,
    send: (changes: CallChanges) => Promise<Answered>,
    client: FollowUps,
  ): Promise<Answered> {
    const { operation = this.#for.operation } = spec;
    let riding = chosen;
    let wrong = await send({ neutral: riding });
    // A query, the last of the factors, is refused more often than a header.
    for (const factor of refusedFactors(wrong.exchange).toReversed()) {
      const rider = riding.find(([name]) => name === factor);
      riding = riding.filter((one) => one !== rider);
      this.#noticed.add(factor);
      wrong = await send({ neutral: riding });
      if (refusedFactors(wrong.exchange).length > 0) continue;
      if (rider !== undefined) client.notices(rider, operation);
      break;
    }
    // What has acted meets another state the next time, which says nothing of the headers.
    const hasActed = !isSafe(operation) && statusOf(wrong.exchange) === 200;
    if (isExpected(wrong.exchange, spec) || hasActed || !client.affords(mostWithFewer)) return wrong;
    return client.search(async () => {
      const others = riding.filter(([factor]) => !client.isNoticedEverywhere(factor));
      if (others.length < riding.length) {
        riding = others;
        wrong = await send({ neutral: riding });
        if (isExpected(wrong.exchange, spec)) return wrong;
      }
      const plain = await send({ neutral: [] });
      if (!isExpected(plain.exchange, spec)) return plain;
      const stillFails = async (neutral: readonly Rider[]): Promise<boolean> => {
        const answered = await send({ neutral });
        if (isExpected(answered.exchange, spec)) return false;
        wrong = answered;
        return true;
      };
      if (!(await stillFails(riding))) return wrong;
      const { input } = await client.fewestValues(riding, (one) => one, stillFails, mostWithFewer);
      const isCompany = input.length > mostTogether;
      for (const [name] of isCompany ? riding : input) {
        this.#noticed.add(name);
        if (isCompany) client.notices([name, inCompany]);
      }
      return wrong;
    });
  }
}
