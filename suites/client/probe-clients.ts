import { baseUrlParts } from '../../harness/base-url-parts.ts';
import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { Step } from '../../harness/checks/step.ts';
import { isBlockedInFront, isOk, statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { unlessInconclusive } from '../../harness/requests/inconclusive-error.ts';
import { anyFactor, mostTogether, readerOf } from '../../harness/requests/noticed-values.ts';
import type { Rider } from '../../harness/requests/riders.ts';
import type { Planned } from '../../harness/sampling/profile.ts';
import { countByProfile, type StepPlan } from '../../harness/sampling/step-plan.ts';
import { isSafe, sharedResource } from '../../spec/operation.ts';
import { isExcludedQuery } from '../resource/path-values.ts';
import { deviationOf, mayBeRefused, plainerThan, valuesOf } from './client-answers.ts';
import { callWith, withOtherTraits } from './client-call.ts';
import {
  contractNames,
  factorsOf,
  ownTraits,
  parameter,
  simplerForms,
  smallerQueries,
  type Trait,
} from './client-traits.ts';
import { coveringRows } from './covering-rows.ts';

/** Calls of different clients at each operation: a row each, or one that is loaded with what all rows hold. */
const rows: ReadonlyArray<Planned & { readonly isLoaded?: true }> = [
  { joined: 'all', isLoaded: true },
  ...Array<Planned>(5).fill({ weight: 'medium' }),
];
/** The same as a plan. */
export const plannedRows: StepPlan = { times: countByProfile(rows) };
/** Milliseconds before the rows at an operation: what a cache keeps and what falls asleep show after different times. */
const apartMs = [0, 400, 800, 1_200, 2_400];
/** Maximum calls with fewer traits in one attempt. */
const mostIsolated = 60;
/** Refused values of any factors after which operations that share values leave out all that may be refused. */
const refusedOfAny = 3;
/** Refused values of a factor after which the others are omitted: the target refuses all that it does not know. */
const refusedValues = 2;

type ClientSteps = Readonly<Record<'client' | 'valid' | 'isolated' | 'cleanup', Step>>;

/**
 * Calls an operation as the clients of its rows do. Where one deviates, finds the fewest traits that cause it, sends these
 * once more beside a plain valid call, and goes on without them: they would hide what the others show.
 */
export async function probeClients(client: CaseClient, steps: ClientSteps): Promise<void> {
  const operation = client.caseOperation;
  const { origin } = baseUrlParts(client.baseUrl);
  const factors = factorsOf(operation, new URL(origin), client.keys).map((factor) =>
    factor?.map((traits) => [traits].flat().filter(isIncludedBy(client))),
  );
  const names = isSafe(operation) ? await contractNames(client) : [];
  const send = traitSearch(client, steps);
  if (client.earlier.length > 0) {
    const known = factors.flatMap((factor) => factor?.flat() ?? []);
    const all = [...known, ...Object.values(simplerForms), ...names, ...ownTraits(client)];
    const byValue = new Map(all.map((trait) => [riderOf(trait).join(), trait]));
    for (const { row } of client.earlier)
      await send.again(
        valuesOf(row).flatMap(
          ({ factor, id }) => byValue.get([factor, id].join()) ?? (factor === 'query' ? parameter(id) : []),
        ),
      );
    return;
  }
  const place = client.operations.findIndex(({ id }) => id === operation.id);
  const covering = coveringRows(place, factors.length);
  // A row that is sent alone is another one at each operation, so that every value of each factor is sent somewhere.
  const turn = client.turn(place + 2 * Math.floor(place / covering.length));
  const sent = client.chosen(rows);
  for (const [at, { isLoaded }] of sent.entries()) {
    const row = covering[(isLoaded ? turn : at) % covering.length] ?? [];
    // Calls on sessions and logins hold up others.
    if (sharedResource(operation) === undefined) await client.spaced(apartMs[at] ?? 0);
    const all = [
      ...factors.flatMap((factor, column) => factor?.[row[column] ?? 0] ?? []),
      ...(at === sent.length - 1 ? names : []),
    ];
    const slots = new Set(all.map(({ slot }) => slot));
    const traits = all.filter(({ givesWayTo }) => givesWayTo === undefined || !slots.has(givesWayTo));
    if (!(await send.row(isLoaded ? withOtherTraits(traits, factors) : traits))) return;
  }
  for (const trait of ownTraits(client)) if (!(await send.row([trait]))) return;
}

/** The target file may exclude the query of a trait, by a class of its value. */
const isIncludedBy =
  (client: CaseClient) =>
  ({ query }: Trait): boolean =>
    !isExcludedQuery(client, query);

const riderOf = ({ factor, id }: Trait): Rider => [factor, id];

const refuserOf = (trait: Trait): string => readerOf(riderOf(trait));

const refusedRider = (trait: Trait): Rider => [refuserOf(trait), trait.id];

/** Sends rows, each again without the traits that cause a deviation; false where the plain valid call fails too. */
function traitSearch(client: CaseClient, steps: ClientSteps) {
  const operation = client.caseOperation;
  /** Traits that deviate by themselves, or that are refused. */
  const known = new Set<Trait>();
  /** Found causes by what refuses them, and the status that excused the last of them. */
  const found = new Map<string, number>();
  const excused = new Map<string, number>();
  let asked = 0;

  const call = async (step: Step, traits: readonly Trait[]): Promise<Exchange> => {
    const changes = await callWith(traits, () => client.validBody());
    const { exchange, id } = await client.issue('sessionId', step, changes);
    // At once, as a target may allow few open ones; where that fails, the end of the run tries again.
    if (operation.role === 'creates-session' && isOk(exchange) && id !== undefined) {
      const ends = { operation: client.withRole('ends-session'), parameters: { sessionId: String(id) } };
      await unlessInconclusive(() => client.call(steps.cleanup, ends));
    }
    return exchange;
  };
  const deviates = (exchange: Exchange): boolean => deviationOf(exchange, operation) !== undefined;
  const isRefusable = (exchange: Exchange): boolean => mayBeRefused(exchange, operation, client.exchanges);
  const isPlainAccepted = async (): Promise<boolean> => isOk(await call(steps.valid, []));
  /** Found before, or of a factor whose values the target refuses, unless none may be refused as it refuses them. */
  const isKnown = (trait: Trait): boolean => {
    const status = excused.get(refuserOf(trait));
    const mayBeOfFactor = status === undefined || trait.allows?.includes(status) === true;
    return known.has(trait) || (mayBeOfFactor && (found.get(refuserOf(trait)) ?? 0) >= refusedValues);
  };
  /** The values that joined calls omit because the target refused them at other operations. */
  const isLeftOut = (trait: Trait): boolean => {
    const refuser = refuserOf(trait);
    const isRefused =
      client.isLeftOut(anyFactor, refusedOfAny) ||
      client.isLeftOut(refuser, refusedValues) ||
      client.isLeftOut(refuser, trait.id);
    return trait.allows !== undefined && isRefused;
  };
  /** Whether the values that rule out a reason to refuse the traits are accepted. */
  const isPlainerTaken = async (traits: readonly Trait[]): Promise<boolean> => {
    for (const other of plainerThan(traits)) if (!deviates(await call(steps.isolated, [other]))) return true;
    return false;
  };
  /** Finds the fewest traits that cause a deviation, the suspects first; false where the plain valid call fails too. */
  const isolate = async (
    traits: readonly Trait[],
    suspects: readonly Trait[],
    exchange: Exchange,
  ): Promise<boolean> => {
    let smallest = exchange;
    const stillFails = async (some: readonly Trait[]): Promise<boolean> => {
      const next = await call(steps.isolated, some);
      const isSame = deviationOf(next, operation) === deviationOf(exchange, operation);
      if (isSame) smallest = next;
      return isSame;
    };
    const fewest = await client.fewestValues(traits, refusedRider, stillFails, mostIsolated - asked);
    // If no call distinguishes the suspects, such as for lack of room, all of them count.
    const isUntold = smallest === exchange && traits.length > 1 && suspects.length > 0;
    for (const trait of isUntold ? suspects : fewest.input) known.add(trait);
    if (isUntold) return true;
    asked += fewest.asked;
    for (const trait of fewest.input) {
      const refuser = refuserOf(trait);
      found.set(refuser, client.isNoticed(refuser) ? refusedValues : (found.get(refuser) ?? 0) + 1);
      excused.delete(refuser);
    }
    if (isRefusable(smallest) && !(await isPlainerTaken(fewest.input))) {
      for (const trait of fewest.input) {
        const refuser = refuserOf(trait);
        excused.set(refuser, statusOf(smallest) ?? 0);
        client.noticesRefusal([refuser, trait.id]);
        client.noticesRefusal([anyFactor, refuser === trait.factor ? `${refuser} ${trait.id}` : 'pages']);
      }
      return true;
    }
    if (!(await isPlainAccepted())) return false;
    const simpler = fewest.input.map((trait) => simplerForms[trait.id] ?? trait);
    const [only, ...others] = simpler;
    if (only?.factor === 'query' && others.length === 0 && (statusOf(exchange) ?? 0) >= 500) {
      const reduced = await client.smallest(only, {
        smaller: (one) => [...smallerQueries(one)].filter(isIncludedBy(client)),
        keyOf: ({ query = '' }) => query,
        stillFails: (one) => stillFails([one]),
        budget: mostIsolated - asked,
      });
      asked += reduced.asked;
      simpler.splice(0, 1, reduced.input);
    }
    const isSimpler = String(simpler.map(riderOf)) !== String(fewest.input.map(riderOf));
    await call(steps.isolated, isSimpler && (await stillFails(simpler)) ? simpler : fewest.input);
    return true;
  };
  /** Sends once more what an earlier attempt found, beside a plain valid call. */
  const again = async (traits: readonly Trait[]): Promise<void> => {
    if (!(await isPlainAccepted())) return;
    for (const step of [steps.client, steps.isolated]) await call(step, traits);
  };
  /** Goes on without what causes a deviation until there is none; false where the plain valid call fails too. */
  const search = async (row: readonly Trait[], deviating: Exchange): Promise<boolean> => {
    let [traits, exchange] = [row, deviating];
    while (asked < mostIsolated) {
      const isRefused = isRefusable(exchange);
      const isBlocked = isBlockedInFront(exchange);
      const status = statusOf(exchange) ?? 0;
      const suspects = traits.filter((one) => (isBlocked ? one.isBlocked : one.allows?.includes(status)));
      // Without the values that other operations refuse, the call shows whether they are the cause here as well.
      const noticed = isRefused
        ? suspects.filter((one) => client.isNoticed(refuserOf(one)) || isLeftOut(one))
        : [];
      if (isRefused && isBlocked && suspects.length > 0) {
        // Which traits a firewall blocks is not worth any requests.
        for (const trait of suspects) known.add(trait);
      } else if (noticed.length > 0) for (const trait of noticed) known.add(trait);
      else {
        if (traits.length > mostTogether && traits.some(({ factor }) => client.isNoticedInCompany(factor)))
          return searchHalves(traits);
        if (!(await isPlainAccepted())) return false;
        const ordered = isRefused
          ? [...traits.filter((one) => !suspects.includes(one)), ...suspects]
          : traits;
        if (!(await isolate(ordered, isRefused ? suspects : [], exchange))) return false;
      }
      traits = traits.filter((trait) => !isKnown(trait));
      if (traits.length === 0 || asked >= mostIsolated) return true;
      exchange = await call(steps.isolated, traits);
      if (!deviates(exchange)) return true;
    }
    return true;
  };
  /** Sends fewer traits at once where the target refuses so many together; false where the plain valid call fails too. */
  const searchHalves = async (traits: readonly Trait[]): Promise<boolean> => {
    const middle = Math.ceil(traits.length / 2);
    for (const half of [traits.slice(0, middle), traits.slice(middle)]) {
      asked += 1;
      const exchange = await call(steps.isolated, half);
      if (deviates(exchange) && !(await search(half, exchange))) return false;
    }
    return true;
  };
  const row = async (all: readonly Trait[]): Promise<boolean> => {
    if (asked >= mostIsolated) return true;
    return client.joined(async () => {
      const traits = all.filter((trait) => !isKnown(trait) && !isLeftOut(trait));
      const exchange = await call(steps.client, traits);
      return !deviates(exchange) || client.search(() => search(traits, exchange));
    });
  };
  return { row, again };
}
