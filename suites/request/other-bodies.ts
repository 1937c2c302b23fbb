import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { Step } from '../../harness/checks/step.ts';
import { parseBody } from '../../harness/evidence/answer.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import { isJsonMembers, withTexts } from '../../harness/fuzzing/json-places.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import { unlessInconclusive } from '../../harness/requests/inconclusive-error.ts';
import { otherPairs } from '../resource/listed-elsewhere.ts';
import { type BodyInput, otherBody } from './fresh-bodies.ts';

/** The valid body with what the service itself says in its answer, such as an id that is then taken; a service may store all of it. */
export function withAnswer(valid: Json, control: Exchange): readonly BodyInput[] {
  if (!isJsonMembers(valid)) return [];
  const said = [...leavesOf(parseBody(control.response?.body))].flatMap(([pointer, leaf]) => {
    const [, name = ''] = /^(?:\/[^/\d][^/]*)*\/([^/\d][^/]*)$/.exec(pointer) ?? [];
    return name === '' ? [] : [[name, leaf] as const];
  });
  const label = 'the members of an earlier answer besides';
  return [{ ...otherBody({ ...Object.fromEntries(said), ...valid }), id: label, label, weight: 'medium' }];
}

/** The valid body for other stores, with a product of each, where it names a store and a product. */
export async function forOtherStores(
  client: CaseClient,
  step: Step,
  valid: Json,
): Promise<readonly BodyInput[]> {
  const below = client.operations.find(({ parameterKinds }) => Object.keys(parameterKinds ?? {}).length > 1);
  const known = await unlessInconclusive(() =>
    Promise.all((below?.pathParameters ?? []).map((name) => client.knownValue(name, below))),
  );
  const [store, item] = (known ?? []).map(({ value }) => value);
  const texts = [...leavesOf(valid).values()];
  if (store === undefined || item === undefined || ![store, item].every((one) => texts.includes(one)))
    return [];
  const pairs = await otherPairs(client, step, { store, item });
  // Stores and products may be entries of one table.
  return [...pairs, { store, item: store }].map((other, at) => {
    const label =
      other.item === other.store
        ? 'the store in place of its product'
        : `another store and its product (${at + 1})`;
    const value = withTexts(valid, (text) =>
      text === store ? other.store : text === item ? other.item : text,
    );
    return { ...otherBody(value), id: label, label, weight: 'medium' };
  });
}
