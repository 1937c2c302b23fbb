import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { Step } from '../../harness/checks/step.ts';
import { endOf, hasStatus, isOk, startOf } from '../../harness/evidence/answer.ts';
import { listedRow, sentValues } from '../../harness/evidence/sent-values.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import { unlessInconclusive } from '../../harness/requests/inconclusive-error.ts';
import { isPlainSlug, swapCase } from '../../harness/requests/mutate-preserving-shape.ts';
import type { StepPlan } from '../../harness/sampling/step-plan.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { otherPairs, productRead } from '../resource/listed-elsewhere.ts';
import { isExcludedValue } from '../resource/path-values.ts';
import { isAnother, listedValues, listingOf, placeOf } from './listed-resources.ts';

/** A step of operations that name a resource. */
export const withParameters: StepPlan = { at: ({ pathParameters }) => pathParameters.length > 0 };

/** Calls under way at once, which show what fails only under concurrency: as many as a run sends by default. */
const callsAtOnce = 8;

/** Calls under way at once in a deep run, in addition: more than a pool of a usual size serves. */
export const moreAtOnce = 33;

/** Calls of the crowd that name another known resource. */
export const othersInCrowd = 2;

/** Whether an operation is a public read of no resource. */
export function isPlainRead({ auth, pathParameters }: Operation): boolean {
  return auth === 'none' && pathParameters.length === 0;
}

/** Calls of the crowd that are simply valid. */
export function validInCrowd(operation: Operation): number {
  if (isPlainRead(operation)) return callsAtOnce - 2;
  const strangers = operation.auth === 'api-key' ? 1 : 0;
  return callsAtOnce - strangers - (operation.pathParameters.length > 0 ? 2 + othersInCrowd : 0);
}

/** A known value in other letters, or one that is unknown where it has none, and with a space behind it where that may be sent. */
export function writtenOtherwise(client: CaseClient, name: string, known: string, unknown: string): string[] {
  const swapped = swapCase(known);
  const spaced = `${known} `;
  const isExcluded = isExcludedValue(client, name, encodeURIComponent(spaced), encodeURIComponent(known));
  return [swapped === known ? unknown : swapped, ...(isExcluded ? [] : [spaced])];
}

/** The company of a call in a finding; undefined for one that met no other, and came after none on its connection. */
export function companyOf(
  exchange: Exchange,
  {
    crowd,
    afterRefused,
    afterMiss,
  }: Readonly<Record<'crowd' | 'afterRefused' | 'afterMiss', readonly Exchange[]>>,
): Pick<Violation, 'company'> {
  if (afterRefused.includes(exchange)) return { company: 'on a connection that carried a refused call' };
  if (afterMiss.includes(exchange))
    return { company: 'on a connection that carried a call which found nothing' };
  const [start, end] = [startOf(exchange), endOf(exchange)];
  const count = crowd.filter((one) => startOf(one) <= end && endOf(one) >= start).length;
  return count < 2 || !crowd.includes(exchange)
    ? {}
    : { company: `with ${count} calls of the operation under way` };
}

/** The texts of a finding about a known value that is no longer found after calls in another spelling. */
export const afterOtherLetters: Partial<Violation> = {
  company: 'after calls with the value in other letters, and with a space behind it',
  fix: 'Look up, cache and evict each value exactly as it is: an entry for a missing value under a trimmed or case-folded key hides the value itself.',
};

/** What a service must do that mixes up the results of its look-ups. */
export const ownResult =
  'Keep the result of each lookup with its own request: not in a field of an object that requests share, in a batch that is answered in another order, or under a key that is not the whole value.';

const ofMixedUp = {
  statement: 'A call got the response of a concurrent call',
  expected: '200 with the resource that its path names, as when it is sent alone',
  actual: '200 with another resource',
  headline: 'A call got the response of a concurrent call',
  fix: ownResult,
};

/** Whether an initiation met another one, which a service may refuse. */
export function isConflict(exchange: Exchange, operation: Operation): boolean {
  return !isSafe(operation) && hasStatus(exchange, 409);
}

/**
 * A call of the crowd that shows a resource other than the one that it names, although other calls show both correctly: one
 * before the crowd the known one, and some of them another one.
 */
export function mixedUpIn(
  crowd: readonly Exchange[],
  { pathParameters }: Operation,
  [[known], other]: readonly [before: readonly Exchange[], other: readonly Exchange[]],
): Violation | undefined {
  const [name = ''] = pathParameters.slice(-1);
  const isNamedBy = (one: Exchange): boolean =>
    one.row?.[listedRow] !== undefined && isOk(one) && known !== undefined && !isAnother(name, known, one);
  if (known === undefined || ![...other, ...crowd].some(isNamedBy)) return undefined;
  const exchange = crowd.find((one) => isAnother(name, known, one));
  return exchange && { ...ofMixedUp, exchange };
}

/** Another resource of the kind that an operation reads, or of the store that it reads from, as a listing shows it; none where none does. */
export async function otherListed(
  client: CaseClient,
  step: Step,
  known: Exchange,
): Promise<CallChanges | undefined> {
  const operation = client.caseOperation;
  const [name = ''] = operation.pathParameters.slice(-1);
  const values = sentValues(known);
  const listing = listingOf(operation, client.operations);
  const other =
    operation.parameterKinds?.[name] === 'merchant'
      ? await otherStore(client, step, values[name] ?? '')
      : listing &&
        listedValues(
          await client.call(step, { operation: listing, parameters: placeOf(listing, known) }),
          known,
          name,
        )[0];
  return other === undefined
    ? undefined
    : { parameters: { ...values, [name]: other }, row: { [listedRow]: other } };
}

/** A store that a listing of products shows beside the known one. */
async function otherStore(client: CaseClient, step: Step, store: string): Promise<string | undefined> {
  const ofProduct = productRead(client);
  const [name = ''] = ofProduct?.pathParameters ?? [];
  const item = await unlessInconclusive(() => client.knownValue(name, ofProduct));
  const pairs = item && (await otherPairs(client, step, { store, item: item.value }));
  return pairs?.find((one) => isPlainSlug(one.store))?.store;
}
