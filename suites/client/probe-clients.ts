import { baseUrlParts } from '../../harness/base-url-parts.ts';
import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { Step } from '../../harness/checks/step.ts';
import { isBlockedInFront, statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { jsonBody } from '../../harness/requests/call-spec.ts';
import { unlessInconclusive } from '../../harness/requests/inconclusive-error.ts';
import type { StepPlan } from '../../harness/sampling/step-plan.ts';
import { type Operation, sharedResource } from '../../spec/operation.ts';
import { isExcludedValue } from '../resource/path-values.ts';
import { deviationOf, mayBeRefused, plainerThan } from './client-answers.ts';
import { bodyWith, changesOf, withOtherTraits } from './client-call.ts';
import { factorsOf, ownTraits, type Trait } from './client-traits.ts';
import { coveringRows } from './covering-rows.ts';

/** Calls of different clients at each operation. */
const rows = 5;
/** The same as a plan: the only one of a run that samples joins what the others hold. */
export const plannedRows: StepPlan = { times: rows, strength: 'one' };
/** Milliseconds before the rows at an operation: what a cache keeps and what falls asleep show after different times. */
const apartMs = [0, 400, 800, 1_200, 2_400];
/** Maximum calls with fewer traits in one attempt. */
const mostIsolated = 60;
/** Requests that show which traits of a row were refused. */
const requestsOfRefusal = 6;
/** Refused query parameters after which the others are omitted: the target refuses all that it does not know. */
const refusedParameters = 2;

type ClientSteps = Readonly<Record<'client' | 'valid' | 'isolated' | 'cleanup', Step>>;

/**
 * Calls an operation as the clients of its rows do. Where one deviates, finds the fewest traits that cause it, sends these
 * once more beside a plain valid call, and goes on without them: they would hide what the others show.
 */
export async function probeClients(
  client: CaseClient,
  operation: Operation,
  steps: ClientSteps,
): Promise<void> {
  // The target file may exclude the query of a trait, by a class of its value.
  const isIncluded = ({ query }: Trait): boolean =>
    !isExcludedValue(client, 'query', query?.split(/=(.*)/s, 2)[1] ?? '', '');
  const factors = factorsOf(operation, new URL(baseUrlParts(client.baseUrl).origin)).map((factor) =>
    factor?.map((traits) => [traits].flat().filter(isIncluded)),
  );
  const place = client.operations.findIndex(({ id }) => id === operation.id);
  const planned = client.times(steps.client);
  const isJoined = planned < rows;
  // The only row of a quick run is another one at each operation, so that every value of each factor is sent somewhere.
  const first = isJoined ? client.turn(place + 2 * Math.floor(place / rows)) % rows : 0;
  const covering = coveringRows(place, factors.length);
  const search = new TraitSearch(client, operation, steps, isJoined);
  for (const [at, row] of [...covering.slice(first), ...covering.slice(0, first)]
    .slice(0, planned)
    .entries()) {
    // Calls on sessions and logins hold up others.
    if (sharedResource(operation) === undefined) await client.spaced(apartMs[at] ?? 0);
    const all = factors.flatMap((factor, column) => factor?.[row[column] ?? 0] ?? []);
    const slots = new Set(all.map(({ slot }) => slot));
    const traits = all.filter(({ givesWayTo }) => givesWayTo === undefined || !slots.has(givesWayTo));
    if (!(await search.send(isJoined ? withOtherTraits(traits, factors) : traits))) return;
  }
  for (const trait of ownTraits(client)) if (!(await search.send([trait]))) return;
}

class TraitSearch {
  readonly #client: CaseClient;
  readonly #operation: Operation;
  readonly #steps: ClientSteps;
  /** Later rows belong to other operations, so that it is not worth the requests to tell what a firewall blocks. */
  readonly #isJoined: boolean;
  /** Traits that deviate by themselves, or that are refused. */
  readonly #known = new Set<Trait>();
  #refusedParameters = 0;
  #asked = 0;

  constructor(client: CaseClient, operation: Operation, steps: ClientSteps, isJoined: boolean) {
    this.#client = client;
    this.#operation = operation;
    this.#steps = steps;
    this.#isJoined = isJoined;
  }

  /** Sends a row, and again without the traits that cause a deviation; false where the plain valid call fails too. */
  async send(row: readonly Trait[]): Promise<boolean> {
    for (let step = this.#steps.client; this.#asked < mostIsolated; step = this.#steps.isolated) {
      const traits = row.filter((trait) => !this.#isKnown(trait));
      if (traits.length === 0 && step === this.#steps.isolated) return true;
      const exchange = await this.#call(step, traits);
      if (this.#deviationOf(exchange) === undefined) return true;
      const isRefused = mayBeRefused(exchange, this.#operation, this.#client.exchanges);
      const isBlocked = isBlockedInFront(exchange);
      const suspects = traits.filter((one) => (isBlocked ? one.isBlocked : one.allows) !== undefined);
      if (isRefused && !(isBlocked ? !this.#isJoined : this.#client.affords(requestsOfRefusal))) {
        // Which traits are refused is not worth the requests of other cases.
        if (suspects.length === 0) return true;
        for (const trait of suspects) this.#known.add(trait);
        continue;
      }
      if (!(await this.#isPlainAccepted())) return false;
      const others = traits.filter((trait) => !suspects.includes(trait));
      if (!(await this.#isolate(isRefused ? [...suspects, ...others] : traits, exchange))) return false;
    }
    return true;
  }

  /** Finds the fewest traits that cause a deviation; false where the plain valid call fails too. */
  async #isolate(traits: readonly Trait[], exchange: Exchange): Promise<boolean> {
    let smallest = exchange;
    const stillFails = async (some: readonly Trait[]): Promise<boolean> => {
      const next = await this.#call(this.#steps.isolated, some);
      const isSame = this.#deviationOf(next) === this.#deviationOf(exchange);
      if (isSame) smallest = next;
      return isSame;
    };
    const { input, asked } = await this.#client.fewest(traits, stillFails, mostIsolated - this.#asked);
    this.#asked += asked;
    for (const trait of input) this.#known.add(trait);
    if (
      mayBeRefused(smallest, this.#operation, this.#client.exchanges) &&
      !(await this.#isPlainerTaken(input))
    ) {
      this.#refusedParameters += input.filter(({ query }) => query !== undefined).length;
      return true;
    }
    if (!(await this.#isPlainAccepted())) return false;
    await this.#call(this.#steps.isolated, input);
    return true;
  }

  /** Whether what leaves no reason to refuse the traits is accepted. */
  async #isPlainerTaken(traits: readonly Trait[]): Promise<boolean> {
    for (const other of plainerThan(traits)) {
      if (this.#deviationOf(await this.#call(this.#steps.isolated, [other])) === undefined) return true;
    }
    return false;
  }

  #isKnown(trait: Trait): boolean {
    const isParameter = trait.query !== undefined;
    return this.#known.has(trait) || (isParameter && this.#refusedParameters >= refusedParameters);
  }

  #deviationOf(exchange: Exchange): string | undefined {
    return deviationOf(exchange, this.#operation);
  }

  async #isPlainAccepted(): Promise<boolean> {
    return statusOf(await this.#call(this.#steps.valid, [])) === 200;
  }

  async #call(step: Step, traits: readonly Trait[]): Promise<Exchange> {
    const change = bodyWith(traits);
    const body = change?.(jsonBody(await this.#client.validBody()));
    const exchange = await this.#client.call(step, {
      ...changesOf(traits, this.#client.keys),
      ...(body && { body, holdsFreshValues: true }),
    });
    await this.#cancel(exchange);
    return exchange;
  }

  /** Cancels a session at once, as a target may allow few open ones; where that fails, the end of the run tries again. */
  async #cancel(exchange: Exchange): Promise<void> {
    if (this.#operation.role !== 'creates-session' || statusOf(exchange) !== 200) return;
    const sessionId = this.#client.values.extract('sessionId', this.#client.lastBody);
    if (typeof sessionId !== 'string' && typeof sessionId !== 'number') return;
    const operation = this.#client.withRole('ends-session');
    const changes = { operation, parameters: { sessionId: String(sessionId) } };
    await unlessInconclusive(() => this.#client.call(this.#steps.cleanup, changes));
  }
}
