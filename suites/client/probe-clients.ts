import { baseUrlParts } from '../../harness/base-url-parts.ts';
import type { Step } from '../../harness/checks/step.ts';
import { isBlockedInFront, statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type CallChanges, jsonBody } from '../../harness/requests/call-spec.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { InconclusiveError } from '../../harness/requests/inconclusive-error.ts';
import type { Count } from '../../harness/sampling/step-plan.ts';
import type { Operation } from '../../spec/operation.ts';
import { deviationOf, mayBeRefused } from './client-answers.ts';
import { asLargeAs, type Factor, factorsOf, forwardedBy, namedBy, type Trait } from './client-traits.ts';
import { coveringRows } from './covering-rows.ts';

/** Calls of different clients at each operation. */
const rows = 5;
/** The same by profile: the only one of a quick run joins what the others hold. */
export const rowsOf: Count = { quick: 1, standard: rows, deep: rows };
/** Maximum calls with one change in one attempt. */
const mostIsolated = 60;
/** Requests that show which traits of a row were refused. */
const requestsOfRefusal = 6;
/** Refused query parameters after which the others are omitted: the target refuses all that it does not know. */
const refusedParameters = 2;

type ClientSteps = Readonly<Record<'client' | 'valid' | 'isolated' | 'cleanup', Step>>;

/**
 * Calls an operation as the clients of its rows do. Where one deviates, sends its traits one by one, each failure twice
 * with a plain valid call in between, and omits the traits that caused it from later rows.
 */
export async function probeClients(
  client: CaseClient,
  operation: Operation,
  steps: ClientSteps,
): Promise<void> {
  const { origin } = baseUrlParts(client.baseUrl);
  const { host, protocol } = new URL(origin);
  const factors = factorsOf(operation, forwardedBy({ host, scheme: protocol.slice(0, -1) }));
  const place = client.operations.findIndex(({ id }) => id === operation.id);
  const known = new Set<Trait>();
  let areParametersRefused = false;
  let isolated = 0;

  const send = async (step: Step, traits: readonly Trait[]): Promise<Exchange> => {
    const changes = traits.flatMap(({ body }) => body ?? []);
    const valid = changes.length === 0 ? undefined : jsonBody(await client.validBody());
    const exchange = await client.call(step, {
      ...changesOf(traits, client),
      ...(valid && { body: changes.reduce((body, change) => change(body), valid), holdsFreshValues: true }),
      ...(traits.length === 0 ? {} : namedBy(traits)),
    });
    await cancel(client, operation, exchange, steps.cleanup);
    return exchange;
  };
  const isFine = (exchange: Exchange): boolean => deviationOf(exchange, operation) === undefined;
  const sendPlain = async (): Promise<boolean> => statusOf(await send(steps.valid, [])) === 200;

  /** Whether a body of the same size is accepted in another form, so that its size is no reason to refuse the trait. */
  const isTakenAsLarge = async (trait: Trait): Promise<boolean> => {
    for (const other of asLargeAs(namedBy([trait]).row)) {
      isolated += 1;
      if (isFine(await send(steps.isolated, [other]))) return true;
    }
    return false;
  };

  /** Finds the traits that alone cause a deviation; false where the plain valid call fails too. */
  const isolate = async (traits: readonly Trait[]): Promise<boolean> => {
    let refused = 0;
    for (const trait of traits) {
      if (isolated + 2 > mostIsolated) return true;
      isolated += 1;
      const exchange = await send(steps.isolated, [trait]);
      if (isFine(exchange)) continue;
      known.add(trait);
      if (!mayBeRefused(exchange, operation) || (await isTakenAsLarge(trait))) {
        isolated += 1;
        if (!(await sendPlain())) return false;
        await send(steps.isolated, [trait]);
      } else if (trait.query !== undefined) {
        refused += 1;
        if (refused < refusedParameters) continue;
        areParametersRefused = true;
        return true;
      }
    }
    return true;
  };

  const planned = client.times(steps.client);
  const isJoined = planned < rows;
  const all = coveringRows(place, factors.length);
  // The only row of a quick run is another one at each operation, so that every value of each factor is sent somewhere.
  const first = isJoined ? (place + 2 * Math.floor(place / rows)) % rows : 0;
  const rowsToSend = [...all.slice(first), ...all.slice(0, first)];
  for (const row of rowsToSend.slice(0, planned)) {
    const ofRow = factors.flatMap((factor, column) => factor?.[row[column] ?? 0] ?? []);
    const traits = isJoined ? withOtherNames(ofRow, factors) : ofRow;
    const fresh = (): readonly Trait[] =>
      traits.filter((trait) => !known.has(trait) && !(areParametersRefused && trait.query !== undefined));
    const sentTraits = fresh();
    const exchange = await send(steps.client, sentTraits);
    if (isFine(exchange)) continue;
    if (isJoined && isBlockedInFront(exchange)) {
      // The rules of a firewall are the same at all operations: which one it was is not worth the requests of other cases.
      for (const trait of sentTraits) if (trait.isBlocked === true) known.add(trait);
      const again = await send(steps.isolated, fresh());
      if (isFine(again) || isBlockedInFront(again)) return;
    }
    const isRefusal = mayBeRefused(exchange, operation);
    let suspects = isRefusal ? sentTraits.filter(({ allows }) => allows !== undefined) : sentTraits;
    if (isRefusal && !client.affords(requestsOfRefusal)) {
      // Which traits are refused is not worth the requests of other cases: the later rows go without all of them.
      for (const trait of suspects) known.add(trait);
      areParametersRefused = true;
      suspects = fresh();
      if (suspects.length === 0 || (isolated > 0 && !client.affords(1))) continue;
      isolated += 1;
      const again = await send(steps.isolated, suspects);
      if (isFine(again) || mayBeRefused(again, operation)) continue;
    }
    if (!(await sendPlain())) return;
    const before = known.size;
    if (!(await isolate(suspects))) return;
    const others = sentTraits.filter((trait) => !suspects.includes(trait));
    if (known.size === before && !(await isolate(others))) return;
    if (!(await sendPlain())) return;
    // A refusal, or a failure of one trait, hides what the others of the row would show.
    const rest = fresh();
    if (rest.length < sentTraits.length && rest.length > 0 && isolated + 1 < mostIsolated) {
      isolated += 1;
      if (!isFine(await send(steps.isolated, rest)) && !(await isolate(rest))) return;
    }
  }
}

/** Headers whose values are lists, with what separates two of them, and the words of a search. */
const lists: Readonly<Record<string, string>> = {
  accept: ', ',
  'accept-encoding': ', ',
  'accept-language': ', ',
  cookie: '; ',
  'user-agent': ' ',
  'x-forwarded-for': ', ',
  prefer: ', ',
  '?q': '+',
};

/**
 * The only row of a quick run also has the headers, query parameters and changes of the body of the others, each name
 * once and each list joined, but for what stands alone.
 */
function withOtherNames(row: readonly Trait[], factors: ReadonlyArray<Factor | undefined>): readonly Trait[] {
  const names = new Set<string>();
  const alone = new Set(row.filter(({ isAlone }) => isAlone).flatMap(namesOf));
  const isList = (name: string): boolean => name in lists && !alone.has(name);
  return [...row, ...factors.flatMap((factor) => factor?.flat() ?? [])].filter((trait, at, all) => {
    if (all.indexOf(trait) < at) return false;
    const own = namesOf(trait);
    const isOther =
      trait.isAlone !== true && own.length > 0 && own.every((name) => isList(name) || !names.has(name));
    const isSent = row.includes(trait) || isOther;
    if (isSent) for (const name of own) names.add(name);
    return isSent;
  });
}

function namesOf({ headers = {}, query, part }: Trait): readonly string[] {
  return [
    ...Object.keys(headers),
    ...(query === undefined ? [] : [nameOf(query)]),
    ...(part === undefined ? [] : [`body: ${part}`]),
  ];
}

function nameOf(query: string): string {
  return `?${query.split('=', 1)[0]}`;
}

function changesOf(traits: readonly Trait[], { keys }: CaseClient): CallChanges {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of traits.flatMap((trait) => Object.entries(trait.headers ?? {})))
    headers[name] =
      [headers[name], value].filter((one) => one !== undefined).join(lists[name] ?? '') || undefined;
  const query = joinedQuery(traits.flatMap((trait) => trait.query ?? []));
  const kind = traits.find((trait) => trait.credential !== undefined)?.credential;
  const { scoped, unscoped, invalid, unreadable } = keys;
  const credential =
    kind &&
    {
      scoped: scoped ?? unscoped,
      unscoped: unscoped ?? scoped,
      unknown: invalid[0],
      unreadable: unreadable[0],
    }[kind];
  return {
    headers,
    ...(query === '' ? {} : { query }),
    ...(credential === undefined ? {} : { credential }),
  };
}

/** Parameters one after the other, with the words of all searches in one. */
function joinedQuery(queries: readonly string[]): string {
  const isSearch = (query: string): boolean => nameOf(query) === '?q';
  const searches = queries.filter(isSearch).map((query) => query.slice('q='.length).split('&'));
  const words = searches.map(([first]) => first).join(lists['?q']);
  return [
    ...(searches.length === 0 ? [] : [`q=${words}`]),
    ...searches.flatMap(([, ...rest]) => rest),
    ...queries.filter((query) => !isSearch(query)),
  ].join('&');
}

/** Cancels a session at once, as a target may allow few open ones; where that fails, the end of the run tries again. */
async function cancel(
  client: CaseClient,
  { role }: Operation,
  exchange: Exchange,
  step: Step,
): Promise<void> {
  if (role !== 'creates-session' || statusOf(exchange) !== 200) return;
  const sessionId = client.lastValue('sessionId');
  if (typeof sessionId !== 'string' && typeof sessionId !== 'number') return;
  try {
    const operation = client.withRole('ends-session');
    await client.call(step, { operation, parameters: { sessionId: String(sessionId) } });
  } catch (error) {
    if (!(error instanceof InconclusiveError)) throw error;
  }
}
